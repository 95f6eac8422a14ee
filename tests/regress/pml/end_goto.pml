// what    a goto with a label `end`
// why     it has a state of its own; its target was taken for a place where the process may stay
// expect  sc  violated kind deadlock
byte x;
active proctype A() { x = 1; end: goto M; x = 2; M: x == 7 }
