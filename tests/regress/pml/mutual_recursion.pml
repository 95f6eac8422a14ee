// what    two proctypes that run each other
// why     only the last one found was given places of its own; the others waited for one in silence
// expect  sc  violated kind assertion
byte n;
proctype A(byte d) {
  n++;
  assert(n < 5);
  if
  :: d > 0 -> run B(d - 1)
  :: else
  fi
}
proctype B(byte d) {
  n++;
  if
  :: d > 0 -> run A(d - 1)
  :: else
  fi
}
init { run A(8) }
