/* A lock of two processes beside a clock that ticks for ever: nothing bounds what waits in the clock's store buffer.
 * -D FENCE=skip leaves the fences of the lock out. */
#ifndef FENCE
#define FENCE sync
#endif

bit flag[2], tick, seen;

active [2] proctype user() {
top:
  store(flag[_pid], 1);
  FENCE;
  if
  :: load(flag[1 - _pid], 0) -> goto cs
  :: load(flag[1 - _pid], 1) -> goto out
  fi;
cs:
  if
  :: load(tick, 0)
  :: load(tick, 1) -> store(seen, 1)
  fi;
out:
  store(flag[_pid], 0);
  goto top
}

active proctype clock() {
  do
  :: store(tick, 1); store(tick, 0)
  od
}
