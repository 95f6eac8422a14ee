// what    ltl blocks of a model are checked, all of them
// why     they were read and left aside
// expect  sc  violated kind ltl
// with    --fair
// expect  sc  holds
bool wants[2], has[2];
byte turn;
active [2] proctype P() {
  do
  :: wants[_pid] = true; turn = 1 - _pid;
     (!wants[1 - _pid] || turn == _pid);
     has[_pid] = true; has[_pid] = false;
     wants[_pid] = false
  od
}
ltl exclusion { [] !(has[0] && has[1]) }
ltl progress { always (wants[0] -> eventually has[0]) }
