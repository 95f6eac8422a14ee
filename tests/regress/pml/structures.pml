// what    typedefs, arrays of them and in them, initial values, types that wrap
// why     values are truncated to their type as in C
// expect  sc  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged).
// with    --por off
// expect  sc   holds states 32
typedef point { byte x; short y[2] };
typedef box { point corner[2]; bit on };
box b[2];
unsigned small : 3 = 5;
short s = 32767;
byte n = 250;
int list[3] = { 4, 5, 6 };
byte all[2] = 7;
active proctype P() {
  byte i;
  do
  :: i < 2 -> b[i].corner[1 - i].y[i] = i + s; b[i].corner[i].x = n + 10; b[i].on = 2; i++
  :: else -> break
  od;
  s = s + 1;
  small = small + 4;
  n = n * 3;
  assert(s == -32768 && small == 1 && n == 238 && b[1].corner[0].y[1] == -32768 && b[0].on == 0);
  assert(b[1].corner[1].x == 4 && list[1] == 5 && all[0] + all[1] == 14);
  i = -1;
  assert(i == 255)
}
active proctype Q() { do :: small > 5 -> break :: small < 3 -> break od }
