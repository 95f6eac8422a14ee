// what    a clock with two hands that are moved in turn: under pso one may run ahead of the other without bound
// why     what waits then is no regular set that exact search reaches; an over-approximation with one automaton for each
//         process and location is a proof
// options --reach 'seen == 2' --property assertion
// expect  sc   holds
// expect  tso  holds
// expect  pso  holds
// other   explicit tso,pso holds its buffers are bounded, and the bound is reached
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --por off
// expect  sc   holds states 84
bit hour, minute;
byte seen;
active proctype clock() {
  do
  :: store(minute, 1); store(hour, 1); store(minute, 0); store(hour, 0)
  od
}
active proctype reader() {
  bit h, m;
  do
  :: load(hour, h); load(minute, m); store(seen, h & m); h = 0; m = 0
  od
}
