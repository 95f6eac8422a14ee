// what    Peterson's mutual exclusion for two processes, as SPIN's manual has it
// why     active [n], _pid, guards over several globals, assertions
// expect  sc  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged).
// with    --por off
// expect  sc   holds states 38
bool turn, flag[2];
byte ncrit;
active [2] proctype user() {
again:
  flag[_pid] = 1;
  turn = _pid;
  (flag[1 - _pid] == 0 || turn == 1 - _pid);
  ncrit++;
  assert(ncrit == 1);
  ncrit--;
  flag[_pid] = 0;
  goto again
}
