/* Peterson's lock for two processes, with explicit loads and stores; each process locks for ever.
 * -D FENCE=skip leaves the fences out. */
#ifndef FENCE
#define FENCE sync
#endif

byte flag[2], turn;

active [2] proctype P() {
top:
  store(flag[_pid], 1);
  store(turn, 1 - _pid);
  FENCE;
wait:
  if
  :: load(flag[1 - _pid], 0) -> goto cs
  :: load(flag[1 - _pid], 1)
  fi;
  if
  :: load(turn, _pid) -> goto cs
  :: load(turn, 1 - _pid) -> goto wait
  fi;
cs:
  skip;
  store(flag[_pid], 0);
  goto top
}
