// what    the label of a goto that is not reached
// why     the label was that of the target, which is
// expect  sc  holds
byte x;
active proctype A() { x = 1; goto M; L: goto M; M: end: x == 7 }
ltl passed { [] !A@L }
