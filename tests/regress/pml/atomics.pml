// what    atomic sections that block in the middle, loops and jumps inside, nested choices
// why     atomicity is lost where a process blocks and taken up where it goes on
// expect  sc  holds
byte a, b, c;
active proctype P() {
  do
  :: atomic {
       a < 2;
       a++;
       b == 1;
       b = 0;
       if :: c == 0 -> c = 1 :: c = 2 :: else fi;
       goto again
     }
  :: atomic { do :: a > 0 -> a-- :: c > 0 -> c--; b = 1 :: break od; skip; a = 0 }
again: skip
  od
}
active proctype Q() {
  do
  :: b == 0 -> b = 1
  :: atomic { a == 2 -> c = 0; b == 0; a = 1 }
  :: if :: c == 2 -> c = 0 :: else -> if :: a == 1 -> skip :: b = 1; b = 0 fi fi
  od
}
