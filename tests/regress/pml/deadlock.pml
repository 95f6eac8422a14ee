// what    two processes that take two locks in different order
// why     an invalid end state is found without asking
// expect  sc  violated kind deadlock
bool l1, l2;
active proctype P() { atomic { !l1 -> l1 = 1 }; atomic { !l2 -> l2 = 1 }; l2 = 0; l1 = 0 }
active proctype Q() { atomic { !l2 -> l2 = 1 }; atomic { !l1 -> l1 = 1 }; l1 = 0; l2 = 0 }
