/* Lamport's bakery for N processes; nobody draws a number above MAX. One transition here is one of ../models/bakery.mdve. */
#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 5
#endif
byte choosing[N];
byte number[N];

active [N] proctype P() {
  byte j = 0, most = 0;
idle:
  if :: d_step { choosing[_pid] = 1; j = 0; most = 0 } goto choose fi;
choose:
  if
  :: d_step { j < N && number[j] > most -> most = number[j]; j++ } goto choose
  :: d_step { j < N && number[j] <= most -> j++ } goto choose
  :: d_step { j == N && most < MAX -> number[_pid] = most + 1; most = 0 } goto drawn
  fi;
drawn:
  if :: d_step { choosing[_pid] = 0; j = 0 } goto door fi;
door:
  if
  :: d_step { j < N && choosing[j] == 0 -> skip } goto queue
  :: d_step { j == N -> skip } goto critical
  fi;
queue:
  if :: d_step { number[j] == 0 || number[_pid] < number[j] || (number[_pid] == number[j] && _pid <= j) -> j++ } goto door fi;
critical:
  if :: d_step { number[_pid] = 0; j = 0 } goto idle fi
}
