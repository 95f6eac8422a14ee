// Program: all that an engine sees of a language whose threads are automata (C, LLVM IR, litmus tests).
//
// A thread is a deterministic automaton. Its local state *requests* one shared action; an engine *answers*; `resume`
// carries the thread over everything that no other thread can see to its next request. request() and resume() are
// functions of the local state and the answer alone: an engine that has several answers resumes several copies, one
// that has none drops the copy, and one that remembers (state, answer) -> state need never run a thread twice.
//
// Threads rest *before* their next request. Local states are byte strings without padding or history: equal bytes
// mean equal futures (up to the names of objects). The engine owns memory: a Program never sees it.
//
// Modelling languages whose steps have several accesses and partners (DVE, Promela) are ir/ programs; ir/ shows them
// as a TransitionSystem directly and, where their features allow it, as a Program too.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/source.h"
#include "core/value.h"

namespace heddle::core {

using Tid = std::uint32_t;
using Slot = std::uint16_t;  // a register of a thread's frame that a deferred load will be delivered to

enum class Order : std::uint8_t { Plain, Relaxed, Acquire, Release, AcqRel, SeqCst };

enum class RmwOp : std::uint8_t {
  Xchg,
  Add,
  Sub,
  And,
  Nand,
  Or,
  Xor,
  Max,
  Min,
  UMax,
  UMin,
  Cas,  // writes `value` iff it read `expected`
  FAdd,
  FSub,
  FMax,
  FMin,
  UIncWrap,
  UDecWrap,
  Arrive  // at a barrier: see arrival() in core/rmw.h
};

enum class Kind : std::uint8_t {
  Load,
  Store,
  Rmw,
  Fence,   // go to memory
  Choose,  // answered by any of 0 … value-1
  Alloc,
  Free,  // Alloc: answered by a pointer to a new object of `value` bytes; Free: `value` is the pointer
  Spawn,
  Join,      // Spawn: a thread at `entry` with argument `value`, answered by its number; Join: thread `value`
  Await,     // needs a register whose load was deferred: only deliver() helps
  Blocked,   // cannot go on, whatever the others do: an assumption failed
  Diverges,  // its local state repeats without a request (Brent's algorithm, vm/): never ends, waits or fails. To an
             // engine as Blocked; only livelock and liveness distinguish the two
  Ended,     // the thread has returned; it has ended once its buffer is empty
  Exit,      // the whole program ends here, whatever the others do; needs an empty own buffer
  Failed     // an error of the program: failure() says which
};

// Only Heap objects can leak, and only they may be freed by a request for it (Outside ones too: the library frees its
// own). Outside: outside the memory model. Plain and relaxed accesses to such an object act on memory at once, whatever
// is in the thread's buffer; no buffer ever holds an entry for it; stronger ones wait first for what their order asks
// for. It is meant for what the runtime library keeps for itself (used by one thread, or under locks and in atomic
// sections, which are full fences: nobody could tell) and for thread-local variables whose address never leaves their
// thread.
enum class AllocKind : std::uint8_t { Heap, Stack, Static, Outside, Thread };

// Fences, and accesses of machine languages, beyond C11's orders: an open set, named in core/tags.h.
using Tag = std::uint16_t;

struct Request {
  Kind kind = Kind::Ended;
  Order order = Order::Plain;
  Order failure = Order::Plain;  // of a failed compare-exchange
  RmwOp op = RmwOp::Xchg;
  Tag tag = 0;             // 0: the order says it all
  bool joined = false;     // belongs to the same atomic step as this thread's previous request
  bool locked = false;     // the whole step acts on memory at once; its first request needs an empty buffer
  bool waits = false;      // Load, Rmw: enabled only while the value read is the one waited for (core/rmw.h: wait_over)
  bool owned = false;      // Cas that waits: the word is the holder's number plus one in its lower half (or 0: free)
  bool unlocks = false;    // Rmw: the holder gives such a lock back
  bool weak = false;       // Cas: may fail although the values are equal
  bool exclusive = false;  // Load, Store: half of a load-linked/store-conditional pair; the store answers 1 for success
  std::uint8_t output = 0;  // Load: the bytes read are printed to this stream (1, 2); for traces
  Loc loc;                  // a Load of size 0 is answered by the size of the object, without any access
  Value value;              // operand; number of choices; size; argument; thread
  Value expected;  // Cas, waits; Alloc: the global object whose initial contents the new one has (null: undefined)
  std::uint64_t awaited = ~std::uint64_t{0};  // waits: the bits that must be those of `expected`; all for a Cas
  std::uint32_t entry = 0;                    // Spawn: where the thread starts
  AllocKind storage = AllocKind::Heap;        // Alloc, Free: what kind of object
  Slot slot = 0;                              // target register of a load
  Site site = no_site;

  bool asks_size() const { return kind == Kind::Load && loc.size == 0; }
  bool stands_still() const { return kind == Kind::Blocked || kind == Kind::Diverges; }
  const Value& initial_contents() const { return expected; }  // Alloc
};

// What memory says to an access that it cannot perform. The thread is then resumed with the fault and fails by itself.
enum class Fault : std::uint8_t { None, Null, Wild, OutOfBounds, Freed, ReadOnly, DoubleFree, InvalidFree, Misaligned };

// For Rmw the value is the one that was read; a Cas has succeeded iff cas_succeeds(old, expected, size) (core/rmw.h)
// and it did not fail spuriously. For an exclusive store the value is 1 for success.
struct Answer {
  Value value;
  Fault fault = Fault::None;
  bool spurious = false;  // a weak Cas that failed although the values are equal
};

// What a thread depends on: sets of its own earlier loads, by their numbers (0, 1, … in program order; every request
// that reads counts: Load, Rmw; not a Load of size 0, which accesses nothing).
// Kept beside the state, no part of it.
using LoadSet = std::vector<std::uint32_t>;  // sorted
struct Deps {
  LoadSet addr, data, ctrl;
};
class Shadow {
 public:
  using Inside = std::function<bool(const LoadSet&, const LoadSet&)>;

  virtual ~Shadow() = default;
  // Two local states with equal bytes and equal shadows have the same dependencies from there on, whatever led to them.
  // Requires a shadow of the same program; false may be said of equal ones. A hash of 0: it cannot be compared.
  virtual bool equals(const Shadow&) const { return false; }
  virtual std::uint64_t hash() const { return 0; }
  // Has `later` all dependencies that there are here? Of every part of the state, `inside` is asked about the loads that it
  // depends on here and those there, if there are any here. Requires local states of one thread with equal bytes.
  virtual bool within(const Shadow& /*later*/, const Inside& /*inside*/) const { return false; }
};

using Local = std::vector<std::byte>;
using ConstLocal = std::span<const std::byte>;

// An error of the checked program that a thread found by itself or was told by a fault.
struct Failure {
  std::string kind;     // one word for machines: assertion, null-dereference, out-of-bounds, use-after-free, …
  std::string message;  // one sentence for people
  Site site = no_site;
};

// What a Program needs of its engine, so that an engine can refuse before it runs.
struct Features {
  bool pending_loads = false;   // defer() and deliver() work (registers are tracked)
  bool dependencies = false;    // deps() works
  bool success_counts = false;  // in deps(), a store-conditional that succeeded counts as a load: of its success
  bool mixed_sizes = false;     // locations may overlap without being equal
};

// An object that exists from the start: a global variable. Objects are numbered from 1; object 0 is null.
struct GlobalObject {
  std::string name;
  std::uint32_t size = 0;
  std::vector<std::byte> bytes;         // initial contents, `size` of them
  std::vector<bool> defined;            // empty: all
  std::vector<std::uint32_t> pointers;  // offsets of the 8-byte words that hold pointers
  bool constant = false;
  bool thread_local_template = false;
  bool outside = false;  // the memory model, see AllocKind::Outside; of a template: its instances
};

// What a thread waits for inside the library, as the program's own call has it: "mutex", "table.lock".
struct Awaited {
  std::string what;
  std::string name;  // empty if not known
};

class Program {
 public:
  virtual ~Program() = default;
  virtual Features features() const = 0;
  virtual std::span<const GlobalObject> globals() const = 0;  // globals()[i] is object i + 1

  // The threads that run from the start: (entry, argument). Others come by Spawn.
  struct Entry {
    std::uint32_t entry;
    Value arg;
  };
  virtual std::vector<Entry> initial_threads() const = 0;

  // `self` is what the thread is told its number is. Runs to the first request.
  virtual void start(std::uint32_t entry, Value arg, Tid self, Local&, Shadow* = nullptr) const = 0;
  virtual Request request(ConstLocal) const = 0;                            // O(1), no effect: decodes only
  virtual void resume(Local&, const Answer&, Shadow* = nullptr) const = 0;  // then runs to the next request

  // Models in which a load is performed later (lmo, nsw): defer() goes on without the value, deliver() brings it.
  virtual void defer(Local&) const = 0;
  virtual void deliver(Local&, Slot, const Answer&) const = 0;

  virtual std::unique_ptr<Shadow> make_shadow() const = 0;  // null if !features().dependencies
  virtual std::unique_ptr<Shadow> copy_shadow(const Shadow&) const = 0;
  virtual Deps deps(ConstLocal, const Shadow&) const = 0;  // of the current request

  // Every pointer in a local state, to be read or rewritten in place (canonical names, reachability).
  virtual void visit_pointers(Local&, const std::function<void(Value&)>&) const = 0;

  // Whether the thread has used an object's name as a number (ordered pointers of two objects, hashed an address): then
  // objects keep their names from here on.
  virtual bool names_matter(ConstLocal) const { return false; }

  // What verdicts about the program take for granted of the world outside (Verdict::assumptions), and the bounds that
  // were put on its choices (Verdict::bounds).
  virtual std::vector<std::string> assumptions() const { return {}; }
  virtual std::vector<std::string> bounds() const { return {}; }

  // For people.
  virtual Failure failure(ConstLocal) const = 0;  // requires request(local).kind == Failed
  virtual SourcePlace place(Site) const = 0;
  virtual std::string location_name(const Loc&, ConstLocal) const = 0;  // "head->next", "x", "a[2]"
  virtual std::string thread_name(std::uint32_t entry) const = 0;
  virtual std::vector<SourcePlace> stack(ConstLocal) const = 0;  // innermost first
  virtual std::vector<std::string> notes() const { return {}; }  // what to tell with every verdict
  virtual Awaited awaited(ConstLocal) const { return {}; }       // nothing if the thread does not wait in the library
};

}  // namespace heddle::core
