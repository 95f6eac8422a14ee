// what    a variable that is not declared
// why     a mistake has a place and a caret
// error   5:3 `y` is not declared
active proctype P() { byte x;
  y = 1
}
