// what    an index out of range among what is printed
// why     the arguments of printf were read over
// expect  sc  violated kind array-index
byte a[3], i = 5;
active proctype A() { printf("%d %d\n", i, a[i]) }
