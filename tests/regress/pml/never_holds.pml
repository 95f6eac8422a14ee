// what    a never claim whose accepting state no run stays in
// why     the claim of F G x == 1 is not fulfilled by a variable that goes up and down
// expect  sc  holds
byte x;
active proctype P() { do :: x = 1 - x od }
never {
start: if :: true -> goto start :: x == 0 -> goto accept_zero fi;
accept_zero: if :: x == 0 -> goto accept_zero fi
}
