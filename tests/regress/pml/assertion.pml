// what    an update that is lost between two processes
// why     assertions are steps
// expect  sc  violated kind assertion
byte n, finished;
active [2] proctype P() { byte t; t = n; n = t + 1; finished++; finished == 2; assert(n == 2) }
