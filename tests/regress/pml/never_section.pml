// what    a never claim and a value inside an atomic section
// why     the claim stays where it is until the section ends or blocks
// expect  sc  holds
byte x, y;
active proctype A() { atomic { x = 1; if :: true :: y = 1 fi; x = 0 } }
never { do :: true :: x != 0 -> break od }
