// what    channels that are sent over channels, and kept in variables
// why     which channel an operation is on is known at run time only
// expect  sc  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged).
// with    --por off
// expect  sc   holds states 64
chan server = [0] of { chan, byte };
chan back[2] = [1] of { byte };
byte sum;
active [2] proctype client() {
  byte r;
  chan mine;
  mine = back[_pid];
  server!mine,_pid + 1;
  mine?r;
  sum = sum + r;
  assert(r == 2 * (_pid + 1))
}
active proctype serve() {
  chan reply; byte v;
end:
  do :: server?reply,v -> reply!2 * v od
}
