// what    operands of Promela in ltl blocks: lengths of channels, variables of processes
// why     SPIN takes them; they were a mistake of parentheses
// expect  sc  holds
chan q = [2] of { byte };
active proctype P() {
  byte k;
  do
  :: q!1; k++; k--
  :: q?_
  od
}
ltl length { [] (len(q) <= 2) && [] (len(q) < 2 || len(q) > 1) }
ltl variable { [] (P[0]:k <= 1) }
