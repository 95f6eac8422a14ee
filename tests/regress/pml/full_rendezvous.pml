// what    a rendezvous channel is never full, and always empty
// why     to SPIN it has room for one message, which never stays in it
// expect  sc  holds
chan c = [0] of { byte };
active proctype P() { assert(nfull(c) && empty(c) && len(c) == 0) }
