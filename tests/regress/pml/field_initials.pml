// what    initial values of the fields of a typedef, in globals, locals and processes that `run` makes
// why     they were dropped
// expect  sc  holds
typedef point { byte a = 3; short b[2] = 7; unsigned c : 2 = 6 };
typedef box { point p[2]; byte on = 1 };
point t;
box u[2];
proctype C() {
  box v;
  assert(v.p[1].a == 3 && v.p[0].b[1] == 7 && v.on == 1);
  v.on = 5
}
active proctype A() {
  point w;
  assert(t.a == 3 && t.b[0] == 7 && t.b[1] == 7 && t.c == 2 && w.a == 3 && w.b[1] == 7);
  assert(u[1].p[0].a == 3 && u[0].p[1].b[1] == 7 && u[1].on == 1);
  run C();
  _nr_pr == 1;
  run C()
}
