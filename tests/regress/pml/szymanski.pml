// what    Szymański's lock for two and three processes (1988: flags 0 to 4)
// why     needs fences behind the stores of 1 and 3; the flags of others are read in a loop over local variables
// options --property assertion
// with    --define N=2 --define F1=sync --define F2=sync --define F3=sync --define F4=sync --define F5=sync --reach 'P[0]@cs && P[1]@cs'
// expect  sc   holds
// expect  tso  holds
// expect  pso  holds
// with    --define N=2 --define F1=sync --define F2=sync --define F3=skip --define F4=skip --define F5=skip --reach 'P[0]@cs && P[1]@cs'
// expect  tso  holds
// expect  pso  holds
// with    --define N=2 --define F1=sync --define F2=skip --define F3=sync --define F4=sync --define F5=sync --reach 'P[0]@cs && P[1]@cs'
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=2 --define F1=skip --define F2=sync --define F3=sync --define F4=sync --define F5=sync --reach 'P[0]@cs && P[1]@cs'
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=sync --define F2=sync --define F3=sync --define F4=sync --define F5=sync --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  holds
// expect  pso  holds
// with    --define N=3 --define F1=sync --define F2=sync --define F3=skip --define F4=skip --define F5=skip --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  holds
// expect  pso  holds
// with    --define N=3 --define F1=sync --define F2=skip --define F3=sync --define F4=sync --define F5=sync --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=skip --define F2=sync --define F3=sync --define F4=sync --define F5=sync --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=skip --define F2=skip --define F3=skip --define F4=skip --define F5=skip --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --define N=2 --define F1=sync --define F2=sync --define F3=sync --define F4=sync --define F5=sync --reach 'P[0]@cs && P[1]@cs' --por off
// expect  sc holds states 3611
byte flag[N];
active [N] proctype P() {
  byte j, v;
top:
  store(flag[_pid], 1); F1;
  j = 0;
w1: if :: j == N -> goto n1 :: else fi;
  load(flag[j], v);
  if :: v < 3 -> j = j + 1; goto w1 :: else -> goto w1 fi;
n1:
  store(flag[_pid], 3); F2;
  j = 0;
w2: if :: j == N -> goto n2 :: else fi;
  load(flag[j], v);
  if :: v == 1 -> goto wait :: else -> j = j + 1; goto w2 fi;
wait:
  store(flag[_pid], 2); F3;
  j = 0;
w3: load(flag[j], v);
  if :: v == 4 -> goto n2 :: else -> j = (j + 1) % N; goto w3 fi;
n2:
  store(flag[_pid], 4); F4;
  j = 0;
w4: if :: j == _pid -> goto cs :: else fi;
  load(flag[j], v);
  if :: v < 2 -> j = j + 1; goto w4 :: else -> goto w4 fi;
cs: skip;
  j = _pid + 1;
w5: if :: j >= N -> goto out :: else fi;
  load(flag[j], v);
  if :: v < 2 || v > 3 -> j = j + 1; goto w5 :: else -> goto w5 fi;
out:
  j = 0; v = 0;
  store(flag[_pid], 0); F5;
  goto top
}
