// what    a choice with two options of `else`
// why     SPIN refuses it; it was taken
// error   7:9 a choice has one `else`, and this is another
byte x;
active proctype P() {
  if :: else -> x = 1
     :: else -> x = 2
  fi
}
