// what    a barrier that counts down and turns its sense: the last one sets the counter, then lets the others go
// why     pso may turn these two stores round, so that others count on from 0; tso may not, and a fence forbids it
// options --property assertion
// with    --define N=3 --define FENCE=skip --invariant 'count <= 3'
// expect  sc   holds
// expect  tso  holds
// expect  pso  violated kind invariant
// with    --define N=3 --define FENCE=sync --invariant 'count <= 3'
// expect  tso  holds
// expect  pso  holds
// with    --define N=2 --define FENCE=skip --invariant 'count <= 2'
// expect  sc   holds
// expect  tso  holds
// expect  pso  violated kind invariant
// with    --define N=2 --define FENCE=sync --invariant 'count <= 2'
// expect  tso  holds
// expect  pso  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --define N=2 --define FENCE=skip --invariant 'count <= 2' --por off
// expect  sc holds states 284
byte count = N;
bit sense;
active [N] proctype P() {
  bit mine;
  byte v;
top:
  mine = 1 - mine;
  atomic { count = count - 1; v = count };
  if
  :: v == 0 -> store(count, N); FENCE; store(sense, mine); goto top
  :: else -> v = 0
  fi;
wait:
  load(sense, v);
  if :: v == mine -> v = 0; goto top :: else -> goto wait fi
}
