// what    Dijkstra's lock for two and three processes (1965)
// why     needs a fence behind the store of 2; a shared variable is the index of the next load
// options --property assertion
// with    --define N=2 --define F1=sync --define F2=sync --define F3=sync --define F4=sync --reach 'P[0]@cs && P[1]@cs'
// expect  sc   holds
// expect  tso  holds
// expect  pso  holds
// with    --define N=2 --define F1=skip --define F2=skip --define F3=sync --define F4=skip --reach 'P[0]@cs && P[1]@cs'
// expect  tso  holds
// expect  pso  holds
// with    --define N=2 --define F1=sync --define F2=sync --define F3=skip --define F4=sync --reach 'P[0]@cs && P[1]@cs'
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=sync --define F2=sync --define F3=sync --define F4=sync --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  holds
// expect  pso  holds
// with    --define N=3 --define F1=skip --define F2=skip --define F3=sync --define F4=skip --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  holds
// with    --define N=3 --define F1=sync --define F2=sync --define F3=skip --define F4=sync --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=skip --define F2=skip --define F3=skip --define F4=skip --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --define N=2 --define F1=sync --define F2=sync --define F3=sync --define F4=sync --reach 'P[0]@cs && P[1]@cs' --por off
// expect  sc holds states 1470
byte flag[N], turn;
active [N] proctype P() {
  byte j, v;
top:
  store(flag[_pid], 1); F1;
wait:
  load(turn, j);
  if :: j == _pid -> goto next :: else fi;
  load(flag[j], v);
  if :: v == 0 -> store(turn, _pid); F2 :: else fi;
  v = 0; goto wait;
next:
  store(flag[_pid], 2); F3;
  j = 0;
w: if :: j == N -> goto cs :: j == _pid -> j = j + 1; goto w :: else fi;
  load(flag[j], v);
  if :: v == 2 -> j = 0; v = 0; goto top :: else -> v = 0; j = j + 1; goto w fi;
cs: j = 0; v = 0;
  store(flag[_pid], 0); F4;
  goto top
}
