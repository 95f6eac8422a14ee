// what    a buffer that grows without bound: a process that stores in a loop without a fence
// why     explicit states end at their bound; buffer languages prove it
// options --invariant 'x < 2'
// expect  sc   holds
// expect  tso  holds
// expect  pso  holds
// other   explicit tso,pso holds its buffers are bounded, and the bound is reached
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --por off
// expect  sc   holds states 12
byte x, y;
active proctype P() { do :: store(x, 1); store(x, 0) od }
active proctype Q() { do :: load(x, 1) -> store(y, 1) :: load(x, 0) -> store(y, 0) od }
