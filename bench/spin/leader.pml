/* Election of a leader in a ring (Chang and Roberts). One transition here is one of ../models/leader.mdve. Channels have a
   place for every number, so that no send inside a d_step ever waits. */
#ifndef N
#define N 6
#endif
#define NUMBER ((_pid * 5 + 2) % N + 1)
#define NEXT ((_pid + 1) % N)
byte leader = 0;
chan q[N] = [N] of { byte };

active [N] proctype P() {
  byte v = 0;
start:
  if :: d_step { q[NEXT]!NUMBER } goto relay fi;
relay:
  if :: d_step { q[_pid]?v } goto got fi;
got:
  if
  :: d_step { v < NUMBER -> v = 0 } goto relay
  :: d_step { v > NUMBER -> leader = v; q[NEXT]!v } goto relay
  :: d_step { v == NUMBER -> leader = NUMBER; v = 0 } goto leads
  fi;
leads:
  if :: d_step { leader = 0 } goto end fi;
end:
  false
}
