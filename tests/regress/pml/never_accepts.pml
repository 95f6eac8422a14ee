// what    a never claim with an accepting state: runs that stay in it are violations
// why     only the end of a claim was a violation
// expect  sc  violated kind ltl
byte x;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { do :: x == 1 -> skip od }
never {
start: if :: true -> goto start :: x == 0 -> goto accept_zero fi;
accept_zero: if :: x == 0 -> goto accept_zero :: x == 1 -> goto accept_zero fi
}
