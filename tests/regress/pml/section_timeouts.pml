// what    a timeout as an option inside a section: others go first
// why     as in section_timeout.pml; the failure was not found
// expect  sc  violated kind assertion
byte x;
active proctype A() { atomic { timeout; x = 1; if :: timeout -> x = 2 :: x == 7 fi } }
active proctype B() { x == 1; assert(false) }
