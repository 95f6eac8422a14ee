// what    `else` of a choice that is an option of another choice
// why     it means the other options of its own choice, and of the one around it those before, not those behind
// expect  sc  violated kind assertion
byte x;
active proctype A() {
  if
  :: if :: x == 1 :: else -> assert(false) fi
  :: x == 0 -> x = 3
  fi
}
