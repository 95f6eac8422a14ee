/* Peterson's lock for N processes (the filter lock). One transition here is one transition of ../models/peterson.mdve. */
#ifndef N
#define N 4
#endif
byte level[N];
byte last[N];

active [N] proctype P() {
  byte j = 0, k = 0;
idle:
  if :: d_step { j = 1 } goto climb fi;
climb:
  if
  :: d_step { j < N -> level[_pid] = j } goto mark
  :: d_step { j == N -> skip } goto critical
  fi;
mark:
  if :: d_step { last[j - 1] = _pid; k = 0 } goto scan fi;
scan:
  if
  :: d_step { k < N && (k == _pid || level[k] < j) -> k++ } goto scan
  :: d_step { k == N || last[j - 1] != _pid -> j++ } goto climb
  fi;
critical:
  if :: d_step { level[_pid] = 0 } goto idle fi
}
