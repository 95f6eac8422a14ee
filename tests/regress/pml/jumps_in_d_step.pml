// what    jumps within a d_step, and back to before it
// why     jumps out of a d_step and into one are refused, and these are neither
// expect  sc holds
byte x, y;
active proctype P() {
again:
  skip;
  d_step {
    y++;
loop:
    if
    :: x < 3 -> x++; goto loop
    :: else -> goto done
    fi;
    x = 9;
done:
    x = x + 1
  }
  if
  :: y < 2 -> x = 0; goto again
  :: else
  fi;
  assert(x == 4 && y == 2)
}
