// what    `else` beside a choice that has an `else`
// why     the choice can always be executed, so the outer `else` never is (SPIN refuses such a model)
// expect  sc  holds
byte x;
active proctype A() {
  if
  :: if :: x == 1 :: else -> x = 5 fi
  :: else -> assert(false)
  fi
}
