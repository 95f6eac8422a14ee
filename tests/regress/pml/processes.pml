// what    processes that begin and end: run, _pid, _nr_pr; only the youngest ends
// why     the number of a process is given anew when one has ended
// expect  sc  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged).
// with    --por off
// expect  sc   holds states 44
byte born, last;
proctype child(byte depth) {
  byte me = _pid;
  born++;
  if
  :: depth > 0 -> run child(depth - 1)
  :: last = me
  fi;
  assert(_pid == me)
}
init {
  pid p;
  run child(1);
  _nr_pr == 1;
  p = run child(0);
  assert(p == 1);
  _nr_pr == 1 -> born = 0
}
