// what    P[i]@label and P[i]:x
// why     a process looks at where another is
// expect  sc  violated kind deadlock
byte x;
active proctype P() { byte v; v = 3; critical: x = 1; v = 4; x = 2; done: skip }
active proctype Q() { P[0]@critical -> x = 5; if :: P[0]:v == 4 -> x = 6 :: P@done fi }
