// what    names of several sets of mtypes
// why     SPIN numbers each set from 1; declarations without a name are one set
// expect  sc  holds
mtype:fruit = { apple, pear };
mtype:colour = { red, green };
mtype = { a1, a2 };
mtype = { b1 };
active proctype A() { assert(apple == 2 && pear == 1 && red == 2 && green == 1 && a1 == 2 && a2 == 1 && b1 == 3) }
