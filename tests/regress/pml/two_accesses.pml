// what    a statement with two accesses to shared variables
// why     under a weak model it has no meaning: it is refused, and sc takes it
// expect  sc   holds
// expect  tso  unknown reason makes several accesses to shared variables
// other   buffers tso refuses this statement makes several accesses to shared variables
byte x, y;
active proctype P() { x = y }
