// what    a division by zero whose value is thrown away
// why     `_ = e` was no step that could fail (pan dies of a signal)
// expect  sc  violated
byte z;
active proctype A() { _ = 5 / z }
