// what    data behind a ticket lock of two and three processes, whose numbers are drawn by a locked instruction
// why     under pso the ticket may be passed on before the data arrive, which a fence forbids; under tso it may not
// options --property assertion
// with    --define N=2 --define FENCE=skip
// expect  sc   holds
// expect  tso  holds
// expect  pso  violated kind assertion
// with    --define N=2 --define FENCE=sync
// expect  tso  holds
// expect  pso  holds
// with    --define N=3 --define FENCE=skip --engine buffers
// expect  tso  holds
// expect  pso  violated kind assertion
// with    --define N=3 --define FENCE=sync --engine buffers
// expect  tso  holds
// expect  pso  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --define N=2 --define FENCE=skip --por off
// expect  sc holds states 748
byte next, now;
bit busy;
active [N] proctype P() {
  byte my, v;
top:
  atomic { my = next; next = (next + 1) & 3 };
wait:
  load(now, v);
  if :: v == my :: else -> goto wait fi;
  load(busy, v);
  assert(v == 0);
  store(busy, 1);
  store(busy, 0);
  FENCE;
  store(now, (my + 1) & 3);
  my = 0; v = 0;
  goto top
}
