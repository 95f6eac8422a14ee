// what    message passing: safe under tso, not under pso, and with a fence under both
// why     store order is what pso gives up
// options --define FENCE=skip
// expect  sc   holds
// expect  tso  holds
// expect  pso  violated kind assertion
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --por off
// expect  sc   holds states 9
byte data, flag;
active proctype writer() { store(data, 1); FENCE; store(flag, 1) }
active proctype reader() { byte v; load(flag, 1); load(data, v); assert(v == 1) }
