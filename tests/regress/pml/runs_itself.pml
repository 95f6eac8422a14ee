// what    a process that runs itself: more processes than the model is given
// why     a process that waits for a place that only the bound denies it is no deadlock; the trace to it did not replay
// because SPIN has 255 places, and this is deeper
// with    --engine explicit
// expect  sc   holds up-to 16 processes of child
// expect  tso  holds up-to 16 processes of child
proctype child(byte depth) {
  if
  :: depth > 0 -> run child(depth - 1)
  fi
}
init {
  run child(255)
}
