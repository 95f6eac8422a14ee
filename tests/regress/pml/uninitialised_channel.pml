// what    channels that are used before anything was assigned to them
// why     such a statement was never executable; pan reports an error, also where another option can go on
// with    -D SEND
// expect  sc violated kind array-index at SENT
// with    -D RECEIVE
// expect  sc violated kind array-index at RECEIVED
// with    -D LENGTH
// expect  sc violated kind array-index at ASKED
// with    -D POLL
// expect  sc violated kind array-index at POLLED
// with    -D LONG
// expect  sc violated kind array-index at SENT
// with    -D ASSIGNED
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
chan c = [1] of { byte };
chan pairs = [1] of { byte, byte };

active proctype P() {
  chan d;
  byte x;
#ifdef ASSIGNED
  d = c;
#endif
#ifdef LONG
  d = pairs;
#endif
  if
#if defined(SEND) || defined(LONG) || defined(ASSIGNED)
  :: d!1 // SENT
#elif defined(RECEIVE)
  :: d?x // RECEIVED
#elif defined(LENGTH)
  :: len(d) == 0 // ASKED
#elif defined(POLL)
  :: d?[1] // POLLED
#endif
  :: skip
  fi
}
