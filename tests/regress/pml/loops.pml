// what    for, select, inline, labels, goto, break, declarations between statements
// why     each stands for statements that SPIN has too
// expect  sc  holds
// because SPIN 6.5.2 stores as many states (pan -DNOREDUCE, statements not merged).
// with    --por off
// expect  sc   holds states 976
byte acc;
inline add(what, times) {
  byte t = 0;
  do
  :: t < times -> what = what + 1; t++
  :: else -> break
  od
}
active proctype P() {
  byte i;
  byte a[4] = 1;
  for (i : 0 .. 2) { acc = acc + a[i] }
  for (i in a) { a[i] = i }
  select (i : 2 .. 5);
  byte before = acc;
  add(acc, 2);
  assert(acc == before + 2);
  if :: i == 5 -> goto done :: i < 5 fi;
  i = 5;
done:
  assert(i == 5)
}
active proctype Q() {
  byte j;
L1: j++;
  if :: goto L2 :: j < 3 -> goto L1 fi;
L2: acc = acc % 7
}
