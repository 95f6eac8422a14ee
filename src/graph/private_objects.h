// Private objects: a dynamic object that only the thread that allocated it can reach costs no events but those of its
// allocation and its end, and one that is not of the heap not even those. The exploration is shown a program whose
// threads carry the contents of their private objects in their local states; plain and relaxed accesses to them are
// answered there.
//
// Every object is taken for private when it is allocated, if it is small. It is not if
//   - its address is stored where it is not private itself, or is given to a new thread, or an object that its contents
//     lead to is reached in that way;
//   - it is accessed otherwise than by plain or relaxed loads and stores outside atomic sections. Those act on more than
//     their location (a read-modify-write is a fence under tso), so that they have to be events; then only the words that
//     are accessed so are memory of the graph.
// This shows when it is too late: what was explored is void, and the exploration begins again, as when an access cuts a
// location (Names::pieces). Objects have the same names from round to round. Those outside the heap (local and
// thread-local variables, the library's own) have names that only their thread knows: the smallest that no object and no
// pointer of the thread has, so that a loop that calls functions comes back to the same local state. They are told apart
// by where they are allocated. A pointer to one that has ended is the end of all this if others can see it, since its
// name means something else to them, and later to its own thread.
//
// Why nothing is lost: a location that one thread accesses has its rf, co and fr within program order, so its events order
// nothing that program order does not. Where the model looks at dependencies, they go through private memory: what is read
// depends on what the stored value depended on, (addr ∪ data); rfi. What comes behind an access whose address depends on a
// read has that read as a control dependency, since both order later writes alone (addr; po; [W] and ctrl; [W]); models
// without the former do not use this file (axioms::Model::overtakes_addresses). Orders that only a fence between stores
// makes are lost: executions may be too many, never too few. So a violation is judged with the private accesses as
// events (graph/whole_witness.h), and if that is no execution looked for again with all events (graph/check.cpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "core/program.h"
#include "graph/private_memory.h"
#include "graph/tables.h"

namespace heddle::graph {

// Which objects have turned out not to be private; kept from round to round, shared by all workers.
class PrivacyRecord {
 public:
  struct Known {
    bool off = false;                              // nothing is private
    std::map<std::uint32_t, std::uint32_t> words;  // by object: its words that are not, a bit each
    std::set<core::Site> sites;                    // of allocations: all that comes from there is not
  };

  explicit PrivacyRecord(Names& names) : names_(names) {}

  Known known() const;
  static bool is_local(std::uint32_t object) { return object >= first_local; }
  static constexpr std::uint32_t first_local = 0x40000000;  // names of private objects outside the heap

  // These words of an object that was allocated at `site` are not private. Makes what was explored void.
  void publish(std::uint32_t object, core::Site site, std::uint32_t words);
  void give_up();  // likewise for everything

 private:
  // Beginnings again by object, and then by site, before all is given up.
  static constexpr unsigned most_objects = 12, most_sites = 40;

  Names& names_;
  mutable std::mutex mutex_;
  Known known_;
  unsigned published_ = 0;
};

class PrivateObjects final : public core::Program {
 public:
  // What was answered privately, for those who ask; objects outside the heap then have names that no other has.
  struct Steps {
    struct Step {
      core::Request request;
      core::Answer answer;
      core::Deps deps;
    };
    std::vector<Step> list;
    std::uint32_t next_name = PrivacyRecord::first_local;
  };

  // Not for models that let writes overtake addresses.
  PrivateObjects(const core::Program& program, PrivacyRecord& record, Steps* steps = nullptr)
      : program_(program), record_(record), known_(record.known()), steps_(steps) {}

  core::Features features() const override { return program_.features(); }
  std::span<const core::GlobalObject> globals() const override { return program_.globals(); }
  std::vector<Entry> initial_threads() const override { return program_.initial_threads(); }
  void start(std::uint32_t entry, core::Value arg, core::Tid self, core::Local&,
             core::Shadow* = nullptr) const override;
  core::Request request(core::ConstLocal local) const override { return program_.request(own(local)); }
  void resume(core::Local&, const core::Answer&, core::Shadow* = nullptr) const override;
  void defer(core::Local&) const override;
  void deliver(core::Local&, core::Slot, const core::Answer&) const override;
  std::unique_ptr<core::Shadow> make_shadow() const override;
  std::unique_ptr<core::Shadow> copy_shadow(const core::Shadow&) const override;
  core::Deps deps(core::ConstLocal, const core::Shadow&) const override;
  // Those of the thread itself, and those in private objects that these lead to.
  void visit_pointers(core::Local&, const std::function<void(core::Value&)>&) const override;
  bool names_matter(core::ConstLocal local) const override { return program_.names_matter(own(local)); }
  std::vector<std::string> assumptions() const override { return program_.assumptions(); }
  std::vector<std::string> bounds() const override { return program_.bounds(); }
  core::Failure failure(core::ConstLocal local) const override { return program_.failure(own(local)); }
  core::SourcePlace place(core::Site site) const override { return program_.place(site); }
  std::string location_name(const core::Loc& loc, core::ConstLocal local) const override {
    return program_.location_name(loc, own(local));
  }
  std::string thread_name(std::uint32_t entry) const override { return program_.thread_name(entry); }
  std::vector<core::SourcePlace> stack(core::ConstLocal local) const override { return program_.stack(own(local)); }
  std::vector<std::string> notes() const override { return program_.notes(); }
  core::Awaited awaited(core::ConstLocal local) const override { return program_.awaited(own(local)); }

 private:
  struct Shadow;
  // A local state: that of the program, its private memory, and a word with the length of the former.
  struct Parts {
    core::Local own;
    PrivateMemory memory;
  };
  using Length = std::uint64_t;
  static core::ConstLocal own(core::ConstLocal);
  static Parts& split(core::ConstLocal);  // valid until the next call in the same thread
  static void join(const Parts&, core::Local&);

  void go_on(Parts&, Shadow*) const;
  bool answer_privately(Parts&, const core::Request&, Shadow*, unsigned count) const;
  bool answer_access(Parts&, const core::Request&, Shadow*, unsigned count, core::Answer&) const;
  std::uint32_t free_name(Parts&) const;  // for an object outside the heap
  bool take_as_private(Parts&, const core::Request&, std::uint32_t number) const;
  void watch(const Parts&, const core::Request&) const;
  void publish(const PrivateMemory&, const core::Value& pointer) const;

  const core::Program& program_;
  PrivacyRecord& record_;
  const PrivacyRecord::Known known_;
  Steps* const steps_;
};

}  // namespace heddle::graph
