// what    a condition over the variables of processes that have ended, which are 0 then
// why     proofs over buffer languages leave out that processes end: only conditions notice, and such a proof is none
// options --reach 'P:last == 0' --property assertion
// expect  sc   violated kind reach
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// other   buffers tso,pso unknown depends on which processes have ended
byte x;
active proctype P() {
  byte last = 3;
  store(x, 1);
  last = 5
}
