// what    leader election in a ring: channels of channels' arrays, mtype, parameters, run
// why     the classical example of dynamic processes and buffered channels
// expect  sc  holds
mtype = { one, two, winner };
chan q[3] = [6] of { mtype, byte };
byte nr_leaders;
proctype node(chan in, out; byte mynumber) {
  bit active_ = 1, know_winner;
  byte nr, maximum = mynumber, neighbour;
  out!one(mynumber);
end:
  do
  :: in?one(nr) ->
     if
     :: active_ ->
        if
        :: nr != maximum -> out!two(nr); neighbour = nr
        :: else -> know_winner = 1; out!winner,nr;
        fi
     :: else -> out!one(nr)
     fi
  :: in?two(nr) ->
     if
     :: active_ ->
        if
        :: neighbour > nr && neighbour > maximum -> maximum = neighbour; out!one(neighbour)
        :: else -> active_ = 0
        fi
     :: else -> out!two(nr)
     fi
  :: in?winner,nr ->
     if
     :: nr != mynumber -> skip
     :: else -> nr_leaders++; assert(nr_leaders == 1)
     fi;
     if
     :: know_winner
     :: else -> out!winner,nr
     fi;
     break
  od
}
init {
  byte i = 0;
  atomic {
    do
    :: i < 3 -> run node(q[i], q[(i + 1) % 3], (i * 2 + 1) % 3 + 1); i++
    :: else -> break
    od
  }
}
