// what    Lamport's bakery for two and three processes, with tickets up to 3
// why     needs fences behind the store that begins to choose and behind that of the number
// options --property assertion
// with    --define N=2 --define F1=sync --define F2=sync --define F3=sync --define F4=sync --reach 'P[0]@cs && P[1]@cs'
// expect  sc   holds
// expect  tso  holds
// expect  pso  holds
// with    --define N=2 --define F1=sync --define F2=sync --define F3=skip --define F4=skip --reach 'P[0]@cs && P[1]@cs'
// expect  tso  holds
// expect  pso  holds
// with    --define N=2 --define F1=sync --define F2=skip --define F3=skip --define F4=skip --reach 'P[0]@cs && P[1]@cs'
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=2 --define F1=skip --define F2=sync --define F3=sync --define F4=sync --reach 'P[0]@cs && P[1]@cs'
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=sync --define F2=sync --define F3=sync --define F4=sync --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  holds
// expect  pso  holds
// with    --define N=3 --define F1=sync --define F2=sync --define F3=skip --define F4=skip --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  holds
// expect  pso  holds
// with    --define N=3 --define F1=sync --define F2=skip --define F3=skip --define F4=skip --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=skip --define F2=sync --define F3=sync --define F4=sync --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// with    --define N=3 --define F1=skip --define F2=skip --define F3=skip --define F4=skip --reach '(P[0]@cs && P[1]@cs) || (P[0]@cs && P[2]@cs) || (P[1]@cs && P[2]@cs)' --engine buffers
// expect  tso  violated kind reach
// expect  pso  violated kind reach
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --define N=2 --define F1=sync --define F2=sync --define F3=sync --define F4=sync --reach 'P[0]@cs && P[1]@cs' --por off
// expect  sc holds states 4618
bit choosing[N];
byte number[N];
active [N] proctype P() {
  byte j, v, mine;
top:
  store(choosing[_pid], 1); F1;
  j = 0;
m: if :: j == N -> goto chosen :: j == _pid -> j = j + 1; goto m :: else fi;
  load(number[j], v);
  if :: v > mine -> mine = v :: else fi;
  v = 0; j = j + 1; goto m;
chosen:
  if :: mine == 3 -> false :: else fi;
  mine = mine + 1;
  store(number[_pid], mine); F2;
  store(choosing[_pid], 0); F3;
  j = 0;
w: if :: j == N -> goto cs :: j == _pid -> j = j + 1; goto w :: else fi;
  load(choosing[j], 0);
x: load(number[j], v);
  if :: v == 0 || v > mine || (v == mine && j > _pid) -> v = 0; j = j + 1; goto w :: else -> goto x fi;
cs: j = 0; v = 0; mine = 0;
  store(number[_pid], 0); F4;
  goto top
}
