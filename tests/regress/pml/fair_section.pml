// what    a process that waits for the end of atomic sections
// why     it counts as enabled there: starving it is not fair
// expect  sc  violated kind ltl
// with    --fair
// expect  sc  holds
byte x, b;
active proctype A() { do :: atomic { x = 1; if :: x == 1 :: x == 2 fi; x = 0 } od }
active proctype B() { b = 1 }
ltl p { <> (b == 1) }
