// what    a never claim that comes to its end only after the last step of the system
// why     the claim goes on while the system rests: this was SAFE
// expect  sc  violated kind ltl
byte x;
active proctype P() { x = 1; x = 2 }
never {
start: if :: x < 2 -> goto start :: x == 2 -> goto accept_all fi;
accept_all: skip
}
