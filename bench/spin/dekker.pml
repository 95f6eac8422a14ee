/* Dekker's lock for two processes, PAIRS times side by side. One transition here is one of ../models/dekker.mdve. */
#ifndef PAIRS
#define PAIRS 3
#endif
#define N (2 * PAIRS)
byte flag[N];
byte turn[PAIRS];

active [N] proctype P() {
idle:
  if :: d_step { flag[_pid] = 1 } goto asked fi;
asked:
  if
  :: d_step { flag[_pid ^ 1] == 0 -> skip } goto critical
  :: d_step { flag[_pid ^ 1] == 1 -> skip } goto back
  fi;
back:
  if
  :: d_step { turn[_pid / 2] == _pid % 2 -> skip } goto asked
  :: d_step { turn[_pid / 2] != _pid % 2 -> flag[_pid] = 0 } goto waits
  fi;
waits:
  if :: d_step { turn[_pid / 2] == _pid % 2 -> skip } goto again fi;
again:
  if :: d_step { flag[_pid] = 1 } goto asked fi;
critical:
  if :: d_step { turn[_pid / 2] = 1 - _pid % 2 } goto left fi;
left:
  if :: d_step { flag[_pid] = 0 } goto idle fi
}
