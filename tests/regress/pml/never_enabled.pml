// what    a process that waits for a condition that is false whatever happens, spelt in several ways
// why     edges that are never enabled are left out when the model is built; a place without any other edge was then
//         taken for one where the process may end, and the deadlock was missed
// expect  sc   violated kind deadlock
// expect  tso  violated kind deadlock
// expect  pso  violated kind deadlock
// expect  sb1  violated kind deadlock
// with    --define WAIT='(0 % 2) != 0'
// expect  sc   violated kind deadlock
// with    --define WAIT='if :: 0 -> x = 2 :: 1 > 1 fi'
// expect  sc   violated kind deadlock
// because SPIN 6.5.2: invalid end state in all three, and none in the last, where a label says that waiting is fine
// with    --define WAIT='end: false'
// expect  sc   holds
byte x;
#ifndef WAIT
#define WAIT false
#endif
active proctype P() {
  x = 1;
  WAIT
}
active proctype Q() {
  x = 1
}
