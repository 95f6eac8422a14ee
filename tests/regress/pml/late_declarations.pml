// what    declarations behind the first statement, in a loop, in an inline and at the start of an option
// why     to SPIN they are steps that assign 0, to the first cell of an array only, and nothing to a structure
// expect  sc  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged).
// with    --por off
// expect  sc   holds states 37
typedef T { byte a; byte b = 3 };
byte n;
inline f() { byte y; y++; assert(y == 1) }
active proctype A() {
  do
  :: n < 2 ->
     byte x;
     x++;
     assert(x == 1);
     byte a[2];
     a[0]++;
     a[1]++;
     assert(a[0] == 1 && a[1] == n + 1);
     T t;
     t.a++;
     assert(t.a == n + 1 && t.b == 3);
     f();
     n++
  :: else -> break
  od;
  if
  :: byte z; z = 1
  :: byte w = 3; w = 1
  fi
}
