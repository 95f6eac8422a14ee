// what    buffered channels: constants, eval, random receive, sorted send, copies, polls
// why     each operation of a channel has its own rule
// expect  sc  violated kind deadlock
mtype = { red, green, blue };
chan q = [3] of { byte, mtype };
byte got, seen;
bool polled;
active proctype producer() {
  byte i = 3;
  do
  :: i > 0 -> q!!i,(i == 2 -> green : red); i--
  :: i == 1 -> q!9(blue); break
  :: nfull(q) && i == 0 -> break
  od
}
active proctype consumer() {
  byte v; mtype m;
end:
  do
  :: q??v,green -> got = v
  :: q?<v,m> -> seen = v; q?eval(v),_
  :: q?[9,blue] -> polled = true; q?9,m
  :: q??[2,green] && len(q) == 2 -> polled = false
  :: full(q) || empty(q) -> v = 0; m = red
  od
}
