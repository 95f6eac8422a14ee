// what    a barrier that counts down and turns its sense: the last one sets the counter, then lets the others go
// why     pso may turn these two stores round, so that others count on from 0; tso may not, and a fence forbids it
// options --invariant 'count <= 3' --property assertion
// with    --define FENCE=skip
// expect  sc   holds
// expect  tso  holds
// expect  pso  violated kind invariant
// with    --define FENCE=sync
// expect  tso  holds
// expect  pso  holds
byte count = 3;
bit sense;
active [3] proctype P() {
  bit mine;
  byte v;
top:
  mine = 1 - mine;
  atomic { count = count - 1; v = count };
  if
  :: v == 0 -> store(count, 3); FENCE; store(sense, mine); goto top
  :: else -> v = 0
  fi;
wait:
  load(sense, v);
  if :: v == mine -> v = 0; goto top :: else -> goto wait fi
}
