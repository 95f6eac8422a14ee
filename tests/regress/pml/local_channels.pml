// what    the channels of a process that has ended
// why     the next process in its place found its messages, and a channel variable that is assigned named none
// expect  sc  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged).
// with    --por off
// expect  sc   holds states 16
chan g = [1] of { byte };
proctype P(byte k) {
  chan c = [2] of { byte };
  chan d = [1] of { byte };
  if
  :: k == 9 -> d = g
  :: else
  fi;
  assert(len(c) == 0 && len(d) == 0);
  c!5;
  d!k
}
init { run P(1); _nr_pr == 1; run P(2); _nr_pr == 1 }
