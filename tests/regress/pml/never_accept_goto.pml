// what    a never claim whose accepting state is a goto
// why     its target was taken for accepting
// expect  sc  holds
byte x;
never { T: if :: x == 0 -> goto T :: x == 1 -> goto accept_A fi; accept_A: goto T }
active proctype A() { do :: x = 0 od }
