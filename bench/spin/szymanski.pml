/* Szymanski's lock for N processes, with the scans over all flags taken one flag at a time. One transition here is one of
   ../models/szymanski.mdve. */
#ifndef N
#define N 3
#endif
byte flag[N];

active [N] proctype P() {
  byte j = 0;
idle:
  if :: d_step { flag[_pid] = 1; j = 0 } goto intent fi;
intent:
  if
  :: d_step { j < N && flag[j] < 3 -> j++ } goto intent
  :: d_step { j == N -> flag[_pid] = 3; j = 0 } goto look
  fi;
look:
  if
  :: d_step { j < N && flag[j] != 1 -> j++ } goto look
  :: d_step { j < N && flag[j] == 1 -> flag[_pid] = 2; j = 0 } goto doorway
  :: d_step { j == N -> j = 0 } goto door
  fi;
doorway:
  if
  :: d_step { j < N && flag[j] != 4 -> j = (j + 1) % N } goto doorway
  :: d_step { flag[j] == 4 -> j = 0 } goto door
  fi;
door:
  if :: d_step { flag[_pid] = 4 } goto last fi;
last:
  if
  :: d_step { j < _pid && flag[j] < 2 -> j++ } goto last
  :: d_step { j == _pid -> j = _pid + 1 } goto critical
  fi;
critical:
  if
  :: d_step { j < N && (flag[j] < 2 || flag[j] > 3) -> j++ } goto critical
  :: d_step { j == N -> j = 0 } goto leave
  fi;
leave:
  if :: d_step { flag[_pid] = 0 } goto idle fi
}
