// what    a process that stays in an atomic section for ever, may do so, or leaves it after some rounds
// why     formulas do not look into a section: such a run shows them nothing more, and every formula was SAFE
// because SPIN refuses the text as it stands: what NEXT is say the rows.
// with    --ltl "<> (done == 1)" -p assertion -D "NEXT=x = 1 - x"
// expect  sc  unknown reason P may stay in an atomic section for ever
// with    --ltl "x == 1" -p assertion -D "NEXT=x = 1 - x"
// expect  sc  unknown reason P may stay in an atomic section for ever
// with    --ltl "<> (done == 1)" -p assertion -D "NEXT=x = 1 - x :: break"
// expect  sc  unknown reason P may stay in an atomic section for ever
// with    --ltl "<> (done == 1)" -p assertion -D "NEXT=x = 1 - x :: break" --workers 2
// expect  sc  unknown reason P may stay in an atomic section for ever
// because The run that leaves the section at once violates the formula.
// with    --ltl "<> (done == 2)" -p assertion -D "NEXT=x = 1 - x :: break"
// expect  sc  violated kind ltl
// with    --ltl "<> (done == 1)" -p assertion -D "NEXT=x < 3 -> x++ :: else -> break"
// expect  sc  holds
// with    --ltl "<> (done == 1)" -p assertion -D "NEXT=x < 3 -> x++ :: else -> break" --por off
// expect  sc  holds
byte x, done;
active proctype P() { atomic { do :: NEXT od }; done = 1 }
