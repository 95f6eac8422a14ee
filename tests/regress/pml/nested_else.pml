// what    `else` of a choice that is an option of another choice
// why     it means the other options of its own choice, not those around it
// expect  sc  violated kind assertion
byte x;
active proctype A() {
  if
  :: if :: x == 1 :: else -> assert(false) fi
  :: x == 0 -> x = 3
  fi
}
