/* Anderson's queue lock for N processes. One transition here is one of ../models/anderson.mdve. */
#ifndef N
#define N 4
#endif
/* Promela has no list initialisers: the values are turned round here, slot i is free when it holds 1 - (i == 0). */
byte slot[N];
#define FREE(i) (1 - ((i) == 0))
byte next = 0;

active [N] proctype P() {
  byte mine = 0;
idle:
  if :: d_step { mine = next; next = next + 1 } goto drawn fi;
drawn:
  if
  :: d_step { mine == N - 1 -> next = next - N } goto waiting
  :: d_step { mine != N - 1 -> mine = mine % N } goto waiting
  fi;
waiting:
  if :: d_step { slot[mine] == FREE(mine) -> skip } goto entered fi;
entered:
  if :: d_step { slot[mine] = 1 - FREE(mine) } goto critical fi;
critical:
  if :: d_step { mine = (mine + 1) % N } goto left fi;
left:
  if :: d_step { slot[mine] = FREE(mine); mine = 0 } goto idle fi
}
