// what    a goto from an atomic section into the middle of another
// why     nobody comes between
// expect  sc  holds
byte x;
active proctype A() { atomic { x = 1; goto L }; skip; atomic { skip; L: x = 2; x = 3 } }
active proctype B() { assert(x == 0 || x == 3) }
