// what    d_step with sends and receives among its statements: one step, in the order of the text
// why     a message is computed behind the assignments before it, and not changed by those behind it
// expect  sc  holds
chan q = [3] of { byte };
chan r[2] = [2] of { byte, bit };
byte x, y, sum;
active proctype A() {
  byte i;
  do
  :: d_step { i < 3 && nfull(q) -> i++; x = i; q!x + i }
  :: d_step { q?y; sum = sum + y }
  :: d_step { i == 3 && empty(q) -> empty(q); i = 4; r[0]!y + 1, 1; y = 9; sum = sum + 1 }
  :: i == 4 && len(r[0]) > 0 && sum == 13 -> break
  :: i == 4 && len(r[0]) == 0 -> break
  od
}
active proctype B() {
  byte got, k;
  bit b;
  d_step { len(r[0]) > 0; x = 5; r[0]?got, b; got = got + b };
  assert(got == 8 && b && sum == 13 && x == 5 && y == 9);
  d_step { k = 1; r[k]!got, 0; k = 0 };
  d_step { r[1 - k]!got + 1, 1; sum = 1; got = 0 };
  d_step { sum == 1; r[1]?got, eval(k); assert(got == 8); x = got };
  d_step { x = got; x == 8; r[1]?got, b; assert(x == 8 && got == 9 && b) }
}
