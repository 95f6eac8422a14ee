// what    a message goes into unsigned variables of few bits
// why     it was stored whole: only assignments were cut off
// expect  sc  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged).
// with    --por off
// expect  sc   holds states 9
unsigned x : 3;
unsigned y : 12;
chan q = [0] of { int, int };
chan b = [1] of { int };
active proctype A() { q!15,70000; b!9 }
active proctype B() { q?x,y; assert(x == 7 && y == 368); b?x; assert(x == 1) }
