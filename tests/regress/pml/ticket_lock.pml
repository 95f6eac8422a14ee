// what    a ticket lock of three processes, whose numbers are drawn by a locked instruction
// why     it needs no fence, however long the buffers are; proofs with loads of any value in local variables
// options --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --property assertion
// expect  sc   holds
// expect  tso  holds
// expect  pso  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --por off
// expect  sc   holds states 12414
byte next, now;
active [3] proctype P() {
  byte my, v;
top:
  atomic { my = next; next = (next + 1) & 3 };
wait:
  load(now, v);
  if :: v == my :: else -> goto wait fi;
cs:
  store(now, (my + 1) & 3);
  my = 0; v = 0;
  goto top
}
