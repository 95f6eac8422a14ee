// what    lengths, capacities and numbers of processes that are expressions of constants
// why     models give them as products of their parameters
// options --invariant 'len(c) <= 4 && left <= 4'
// expect  sc  holds
byte left = 4;
#define PAIRS 2
chan c = [2 * PAIRS] of { byte };
byte seen[(1 + PAIRS) * 2 - 1];
active [4 / PAIRS] proctype P() {
  do
  :: d_step { left > 0 && nfull(c) -> left--; c!_pid }
  :: d_step { nempty(c) -> c?seen[2 * PAIRS]; left++ }
  od
}
