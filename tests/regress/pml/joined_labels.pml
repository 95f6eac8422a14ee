// what    a condition about other processes behind a rendezvous, inside an atomic section
// why     it was joined to the receive, and saw the sender where it had been before
// expect  sc  holds
chan c = [0] of { byte };
active proctype S() { before: c!1; after: skip }
active proctype R() { byte v; atomic { c?v; assert(S@after && !S@before) } }
