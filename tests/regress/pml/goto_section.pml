// what    a goto from an atomic section to the start of another
// why     others may come between
// expect  sc  violated kind assertion
byte x;
active proctype A() { atomic { x = 1; goto L }; skip; L: atomic { x = 2; x = 3 } }
active proctype B() { assert(x == 0 || x == 3) }
