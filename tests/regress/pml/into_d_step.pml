// what    a jump into the middle of a d_step
// why     SPIN refuses it; it was taken
// error   6:3 a jump into a d_step
byte x;
active proctype P() {
  goto L;
  d_step { x = 1; L: x = 2 }
}
