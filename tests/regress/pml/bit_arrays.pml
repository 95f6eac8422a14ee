// what    arrays of bit and bool
// why     SPIN makes them arrays of bytes: a cell holds more than one bit
// expect  sc  holds
typedef T { bit e[2]; bit f };
bit b[2];
bool c[3];
T t[2];
active proctype A() {
  bit d[2];
  b[1] = 2;
  c[0] = 3;
  d[1] = 2;
  t[1].e[1] = 2;
  t[1].f = 2;
  assert(b[1] == 2 && c[0] == 3 && d[1] == 2 && t[1].e[1] == 2 && t[1].f == 0)
}
