// what    the labels of jumps that conditions of the command line name
// why     the states of a process were made before they were known: A@L was A@M
// with    --invariant "!A@L || x == 1"
// expect  sc  holds
// with    --invariant "!(A@L && A@M)"
// expect  sc  holds
// with    --reach "!A@L && x == 1"
// expect  sc  violated
// with    --reach "A[0] @ L && x == 1"
// expect  sc  violated
// with    --ltl "F A@L && G (A@L -> X A@M)"
// expect  sc  holds
byte x;
active proctype A() { x = 1; L: goto M; M: x = 2; end: false }
