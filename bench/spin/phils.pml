/* N dining philosophers, each of whom takes the left fork first. One transition here is one of ../models/phils.mdve. */
#ifndef N
#define N 12
#endif
byte fork[N];

active [N] proctype P() {
think:
  if :: d_step { fork[_pid] == 0 -> fork[_pid] = 1 } fi;
  d_step { fork[(_pid + 1) % N] == 0 -> fork[(_pid + 1) % N] = 1 }
  d_step { fork[_pid] = 0 }
  d_step { fork[(_pid + 1) % N] = 0 }
  goto think
}
