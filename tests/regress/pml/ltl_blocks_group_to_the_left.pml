// what    an ltl block is read as SPIN reads it: binary operators group to the left, -> and <-> bind alike, ! and & are C's
// why     each formula was read as another one, which does not hold
// expect  sc  holds
byte s;
active proctype P() { s = 1; s = 2; s = 3; s = 4 }
ltl implications { !(s == 1 -> s == 2 -> s == 3) }
ltl untils { (s == 0 || s == 2) U (s == 1 || s == 3) U s == 4 }
ltl arrows { s == 1 <-> s == 2 -> s == 0 }
ltl negation { [] (s >= 2 -> !(!s == 1)) }
ltl bits { [] !(s == 2 && s & 1) }
