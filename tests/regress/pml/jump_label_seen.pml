// what    the label of a goto that another process waits to be left
// why     the state between x = 1 and the goto was not there: an assertion failed that cannot without it, and can with it
// expect  sc  violated kind assertion
byte x;
active proctype A() { x = 1; L: goto M; M: x = 2; end: false }
active proctype B() { end: !A@L && x == 1 -> assert(false) }
