// what    each process reads its own store early and misses the other's (table 1 of Linden and Wolper)
// why     a load sees the own buffer first
// options --reach 'P@end1 && Q@end1' --property assertion
// expect  sc   holds
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --por off
// expect  sc   holds states 24
byte x, y;
active proctype P() { store(x, 1); load(x, 1); load(y, 0); end1: skip }
active proctype Q() { store(y, 1); load(y, 1); load(x, 0); end1: skip }
