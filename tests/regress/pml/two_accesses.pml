// what    a statement with two accesses to shared variables
// why     under a weak model it has no meaning: it is refused, and sc takes it
// expect  sc   holds
// expect  tso  unknown reason makes several accesses to shared variables
// other   buffers tso refuses this statement makes several accesses to shared variables
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged).
// with    --por off
// expect  sc   holds states 3
byte x, y;
active proctype P() { x = y }
