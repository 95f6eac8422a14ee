// what    a message with too many items
// why     it would never fit
// error   5:23 a message of `q` has 1 items, not 2
chan q = [1] of { byte };
active proctype P() { q!1,2 }
