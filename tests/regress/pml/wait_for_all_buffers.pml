// what    one process waits until all buffers are empty before it reads what another one stores
// why     a store into a buffer disables that wait: an ample set of the store alone loses the run in which it comes
//         first, and the initial value is never read
// options --reach 'seen == 1'
// because nothing keeps the reader from being the first to move.
// expect  sc,tso,pso,sb1 violated kind reach
byte x, seen;
active proctype writer() {
  store(x, 1)
}
active proctype reader() {
  byte v;
  sync_all;
  load(x, v);
  store(seen, 1 - v)
}
