// what    a feature of SPIN that is not supported
// why     it is refused by name, not ignored
// error   6:21 `unless` is not supported
byte x;
active proctype P() {
  { x = 1; x = 2 }  unless { x == 2 -> x = 3 }
}
