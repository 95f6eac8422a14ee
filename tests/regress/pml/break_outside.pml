// what    break outside of a loop
// why     the flow graph has no place to go
// error   4:29 `break` stands outside of a `do` loop
active proctype P() { if :: break fi }
