// what    Burns' lock for two and three processes
// why     needs a fence behind the store of 1: one bit a process, later ones give way
// options --property assertion
// with    --define N=2 --define F1=sync --define F2=sync --define F3=sync --reach 'P[0]@cs && P[1]@cs'
// expect  sc   holds
// expect  tso  holds
// expect  pso  holds
// with    --define N=2 --define F1=skip --define F2=sync --define F3=skip --reach 'P[0]@cs && P[1]@cs'
// expect  tso  holds
// expect  pso  holds
// with    --define N=2 --define F1=sync --define F2=skip --define F3=sync --reach 'P[0]@cs && P[1]@cs'
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=sync --define F2=sync --define F3=sync --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  holds
// expect  pso  holds
// with    --define N=3 --define F1=skip --define F2=sync --define F3=skip --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  holds
// expect  pso  holds
// with    --define N=3 --define F1=sync --define F2=skip --define F3=sync --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=skip --define F2=skip --define F3=skip --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --define N=2 --define F1=sync --define F2=sync --define F3=sync --reach 'P[0]@cs && P[1]@cs' --por off
// expect  sc holds states 388
bit flag[N];
active [N] proctype P() {
  byte j; bit v;
top:
  store(flag[_pid], 0); F1;
  j = 0;
a: if :: j == _pid -> goto b :: else fi;
  load(flag[j], v);
  if :: v == 1 -> v = 0; goto top :: else -> j = j + 1; goto a fi;
b: store(flag[_pid], 1); F2;
  j = 0;
c: if :: j == _pid -> goto d :: else fi;
  load(flag[j], v);
  if :: v == 1 -> v = 0; goto top :: else -> j = j + 1; goto c fi;
d: j = _pid + 1;
e: if :: j == N -> goto cs :: else fi;
  load(flag[j], 0);
  j = j + 1; goto e;
cs: j = 0;
  store(flag[_pid], 0); F3;
  goto top
}
