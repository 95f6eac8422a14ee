// what    the label of a goto that a formula names, and that its process leaves
// why     the label was that of the target, in which the process stays
// expect  sc  violated kind ltl
byte x;
active proctype A() { x = 1; L: goto M; M: end: x == 7 }
ltl stays { <> [] A@L }
