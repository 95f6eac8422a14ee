// What a thread waits for, by the library function that the program called and its argument.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>

#include "vm/interpreter.h"
#include "vm/vm_program.h"

namespace heddle::vm {
namespace {

struct AwaitedRow {
  std::string_view function;
  const char* what;
  unsigned argument;  // that names it
};
constexpr std::array awaited_rows{AwaitedRow{"pthread_mutex_lock", "mutex", 0},
                                  AwaitedRow{"mtx_lock", "mutex", 0},
                                  AwaitedRow{"pthread_spin_lock", "spin lock", 0},
                                  AwaitedRow{"pthread_rwlock_rdlock", "read-write lock", 0},
                                  AwaitedRow{"pthread_rwlock_wrlock", "read-write lock", 0},
                                  AwaitedRow{"pthread_cond_wait", "condition variable", 0},
                                  AwaitedRow{"__heddle_cond_wait", "condition variable", 0},
                                  AwaitedRow{"cnd_wait", "condition variable", 0},
                                  AwaitedRow{"sem_wait", "semaphore", 0},
                                  AwaitedRow{"pthread_barrier_wait", "barrier", 0},
                                  AwaitedRow{"pthread_once", "initialisation", 0},
                                  AwaitedRow{"call_once", "initialisation", 0},
                                  AwaitedRow{"__heddle_wait_once", "initialisation", 0},
                                  AwaitedRow{"flockfile", "stream", 0},
                                  AwaitedRow{"__heddle_wait_parked", "notification of", 0}};

bool is_condition(const AwaitedRow& row) { return std::string_view(row.what) == "condition variable"; }

// What the call of the library at this place is about, as the program has it.
std::string subject_of(const Module& module, core::Site call) {
  return call < module.sites.size() ? module.strings[module.sites[call].subject] : std::string();
}

// The argument of the call at a column of a line of source (whose indentation is not given), without the operator that
// takes its address.
std::string argument_in(std::string_view line, unsigned column, std::string_view function, unsigned argument) {
  const auto at = line.rfind(function, column == 0 ? 0 : column - 1);
  if (at == std::string_view::npos) return {};
  auto from = line.find('(', at + function.size());
  if (from == std::string_view::npos) return {};
  int depth = 0;
  for (auto to = ++from; to < line.size(); ++to) {
    const char c = line[to];
    if (c == '(' || c == '[') ++depth;
    if (depth == 0 && (c == ')' || c == ',')) {
      if (argument-- == 0) {
        auto word = line.substr(from, to - from);
        while (!word.empty() && (word.front() == ' ' || word.front() == '&')) word.remove_prefix(1);
        while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
        return std::string(word);
      }
      if (c == ')') return {};
      from = to + 1;
    }
    if (c == ')' || c == ']') --depth;
  }
  return {};
}

}  // namespace

// The lock that the thread's request is about, behind the functions of the C++ library that the program called at `call`.
std::string VmProgram::cxx_name(core::ConstLocal local, core::Site call) const {
  const core::Loc loc = request(local).loc;
  if (loc.object >= 1 && loc.object <= module_.globals.size()) return location_name(loc, {});
  return subject_of(module_, call);
}

core::Awaited VmProgram::awaited(core::ConstLocal local) const {
  const auto* base = local.data();
  if (header(base).status != Status::Running) return {};
  const AwaitedRow* row = nullptr;  // of the function that was met last
  core::Awaited found;
  const ConstFrame top(module_, base, header(base).top);
  const Insn& wait = top.function->code[frame_at(base, header(base).top).pc];
  const bool relocks = wait.op == Op::WaitCas && (wait.sub & owner_bit) != 0;
  unsigned argument = 0;
  bool fresh = false;  // the frame at hand is that of the call
  for (std::uint32_t at = header(base).top; at != 0; at = frame_at(base, at).previous) {
    const auto& fh = frame_at(base, at);
    const auto& function = module_.functions[fh.function];
    if (fresh) {
      const ConstFrame frame(module_, base, at);
      const Insn& call = function.code[fh.pc];
      if (shape_of(call.op) & L && function.lists[call.imm] > argument) {
        const Cell address = frame.get(function.lists[call.imm + 1 + argument]);
        if ((address.mark & pointer_mark) && upper(address.bits) <= module_.globals.size()) {
          found.name = location_name({upper(address.bits), lower(address.bits), 1}, {});
          found.name.resize(std::min(found.name.size(), found.name.find(".__")));  // the library's own members
        }
      }
    }
    if (!is_library(function, fh.pc)) {
      if (row == nullptr || !found.name.empty()) return found;
      if (module_.cxx) {
        // A condition variable's waiters wait at words of the library; which mutex is locked again the call does not say.
        if (!is_condition(*row)) found.name = cxx_name(local, function.sites[fh.pc]);
        else if (!relocks) found.name = subject_of(module_, function.sites[fh.pc]);
        return found;
      }
      const core::SourcePlace call_place = place(function.sites[fh.pc]);
      if (fresh) found.name = argument_in(call_place.text, call_place.column, row->function, argument);
      return found;
    }
    fresh = false;
    if (!module_.cxx) row = nullptr, found = {};  // in C++ functions of the library stand between
    for (const auto& r : awaited_rows) {
      if (function.name != r.function) continue;
      // A wait for a condition that has been woken up waits for the mutex, its second argument.
      const bool condition = is_condition(r) && relocks;
      row = &r;
      found = {condition ? "mutex" : r.what, {}};
      argument = condition ? 1 : r.argument;
      fresh = true;
    }
  }
  return {};
}

}  // namespace heddle::vm
