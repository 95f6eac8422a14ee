// what    each process reads its own store early and misses the other's (table 1 of Linden and Wolper)
// why     a load sees the own buffer first
// options --reach 'P@end1 && Q@end1' --property assertion
// expect  sc   holds
// expect  tso  violated kind reach
// expect  pso  violated kind reach
byte x, y;
active proctype P() { store(x, 1); load(x, 1); load(y, 0); end1: skip }
active proctype Q() { store(y, 1); load(y, 1); load(x, 0); end1: skip }
