// what    the label of a goto that a formula names
// why     SPIN gives such a jump a state with a step of its own; the label was that of its target
// expect  sc  holds
byte x;
active proctype A() { x = 1; L: goto M; M: end: x == 7 }
ltl leaves { <> A@L && [] (A@L -> <> !A@L) && [] !(A@L && A@M) }
