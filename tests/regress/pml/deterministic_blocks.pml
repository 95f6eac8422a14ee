// what    a send in the middle of a d_step for which there is no room
// why     a d_step that blocks behind its first statement is an error, whatever the step before it assigned
// expect  sc  violated kind blocked-step
chan q = [2] of { byte };
byte x;
active proctype A() {
  do
  :: d_step { x < 3 -> x++; q!x }
  od
}
