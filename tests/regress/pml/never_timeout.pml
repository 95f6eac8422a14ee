// what    `timeout` in a never claim that cannot follow the system
// why     it is true only where the system cannot move
// expect  sc  holds
byte x;
active proctype A() { do :: x = 1 - x od }
never { do :: timeout -> break :: false od }
