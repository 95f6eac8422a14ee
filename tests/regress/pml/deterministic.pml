// what    d_step: choices take the first option, loops run inside one step
// why     nothing inside can be seen, and order decides
// expect  sc  violated kind assertion
byte x, y, i;
active [2] proctype P() {
  byte k;
  do
  :: d_step {
       x < 6 -> k = 0;
       do
       :: k < 3 -> k++; y = y + k
       :: k < 2 -> y = 100
       :: else -> break
       od;
       if
       :: x % 2 == 0 -> x = x + 1
       :: x % 3 == 0 -> x = x + 5
       :: else -> x = x + 2
       fi;
       i = x
     }
  :: d_step { if :: y > 3 -> y = y - 1 :: y > 2 -> y = 50 fi; skip }
  :: x >= 6 && y <= 3 -> break
  od;
  assert(y != 100 && y != 50)
}
