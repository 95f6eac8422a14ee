// what    a jump out of a d_step
// why     SPIN refuses it; it was taken as one out of an atomic section
// error   6:35 a jump out of a d_step
byte x;
active proctype P() {
  d_step { x = 1; if :: x == 1 -> goto L :: else fi; x = 2 }
  x = 3;
L:
  assert(x == 1)
}
