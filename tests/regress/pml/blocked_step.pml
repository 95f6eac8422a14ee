// what    a statement inside a d_step that cannot be executed
// why     an error of the model, as in SPIN
// expect  sc  violated kind blocked-step
byte x;
active proctype P() { d_step { x = 1; x == 2; x = 3 } }
