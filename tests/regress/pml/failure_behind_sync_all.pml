// what    an assertion in a section that begins with a wait for all buffers
// why     the search by buffer languages let it fail where another buffer cannot be empty: UNKNOWN, for want of a run
// options --search saturate
// because whoever has seen y and waits for all buffers reads what was stored into x before.
// expect  tso,pso holds
byte x, y;
active proctype writer() {
  store(x, 1);
  store(y, 1)
}
active proctype reader() {
  byte v;
  do
  :: load(y, v); if :: v == 1 -> break :: else fi
  od;
  atomic { sync_all; load(x, v); assert(v == 1) }
}
