// what    a process that is created while the program runs and then loops on a local variable
// why     no control state of the loop can be reached from the one in which the process waits for its creation: a cycle
//         condition for partial order reduction that looks only from there lets the loop run for ever instead of the others
// other   buffers tso,pso  refuses this step reads or changes the state of another process
// expect  sc,tso,pso,sb1  violated kind assertion
byte x, ready;
proctype Loops() { byte i; do :: i = (i + 1) % 3 od }
active proctype Writes() { ready == 1; x = 5 }
init { run Loops(); x = 1; ready = 1; assert(x != 5) }
