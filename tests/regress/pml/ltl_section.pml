// what    a value that a variable has only inside an atomic section that is never interrupted
// why     SPIN's claim does not look into it: what shall come to be does not
// expect  sc  violated kind ltl
byte x, y;
active proctype A() { atomic { x = 1; if :: true :: y = 1 fi; x = 0 } }
ltl p { <> (x == 1) }
