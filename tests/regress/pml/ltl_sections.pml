// what    as in ltl_section.pml, but it shall never be so; and a section that blocks is looked into
// why     a violation was found where no claim looks
// expect  sc  holds
byte x, y;
active proctype A() { atomic { x = 1; if :: true :: y = 1 fi; x = 0; y = 1; y == 2; x = 0 } }
active proctype B() { y == 1; y = 2 }
ltl p { [] (x == 0) }
ltl q { <> (y == 1) }
