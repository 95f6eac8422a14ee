// what    a section that waits for a second timeout
// why     the first one still counted when it was asked who goes on: the section was held by a process that could not
// expect  sc  holds
byte x;
active proctype A() { atomic { timeout; x = 1; timeout; x = 2 } }
active proctype B() { x == 1; x = 5 }
