// what    message passing: safe under tso, not under pso, and with a fence under both
// why     store order is what pso gives up
// options --define FENCE=skip
// expect  sc   holds
// expect  tso  holds
// expect  pso  violated kind assertion
byte data, flag;
active proctype writer() { store(data, 1); FENCE; store(flag, 1) }
active proctype reader() { byte v; load(flag, 1); load(data, v); assert(v == 1) }
