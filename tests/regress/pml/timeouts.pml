// what    timeout holds where nothing else can happen
// why     it depends on all processes
// expect  sc  violated kind deadlock
byte tries;
chan line = [1] of { byte };
active proctype sender() {
  do
  :: tries < 2 -> line!tries; tries++
  :: tries >= 2 -> break
  :: timeout -> tries = 2
  od;
  timeout -> tries = 9
}
active proctype lossy() {
  byte v;
end:
  do :: line?v :: tries > 0 && len(line) > 0 -> break od
}
