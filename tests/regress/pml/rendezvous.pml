// what    rendezvous with matching, inside and outside of atomic sections
// why     of a rendezvous the receiver keeps control, the sender loses it
// expect  sc  holds
chan c = [0] of { byte, bit };
byte x, y;
active proctype S() {
  do
  :: atomic { x < 3; x++; c!x,1; y = x; x = x }
  :: c!7,0
  :: x >= 3 -> break
  od
}
active proctype R() {
  byte v; bit b;
end:
  do
  :: atomic { c?v,1; y++; y-- }
  :: c?eval(v + 5),b -> v = 0
  :: c?7,b
  od
}
active proctype T() {
  do :: atomic { y == 2; y = 1; x != 2; y = 3 } :: x == 3 -> break od
}
