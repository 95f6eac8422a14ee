// what    the labels of a break, of a goto at the end of an option, and of one inside an atomic section
// why     SPIN makes a step of each of them if a condition names its label
// expect  sc  holds
byte x, y;
active proctype A() {
  do
  :: x == 0 -> x = 1; L: break
  :: x == 4 -> K: goto M
  od;
  x = 2;
  atomic { y = 1; N: goto M };
M: end: x == 7
}
ltl seen { <> A@L && [] (A@L -> x == 1) && [] !A@K }
ltl section { [] (A@N -> y == 1) }
