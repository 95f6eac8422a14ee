// what    store buffering with explicit loads and stores
// why     the smallest program that tells tso from sc; table 1 of Linden and Wolper beside it
// expect  sc   holds
// expect  tso  violated kind assertion
// expect  pso  violated kind assertion
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged; a store as an assignment, a load as
//         an assignment or a condition, a sync as skip).
// with    --por off
// expect  sc   holds states 48
byte x, y, done;
active proctype P() { byte r; store(x, 1); load(y, r); if :: r == 0 -> atomic { done++; assert(done < 2) } :: else fi }
active proctype Q() { byte r; store(y, 1); load(x, r); if :: r == 0 -> atomic { done++; assert(done < 2) } :: else fi }
