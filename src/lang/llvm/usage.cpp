// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/usage.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <array>
#include <climits>

#include "lang/llvm/exposure.h"

namespace heddle::lang::llvm_ir {
namespace {

// Does the program take a thread's result: a call whose second argument is not null, or any other use of the function?
bool results_read(const llvm::Module& module, const std::set<std::string>& library) {
  for (const char* name : {"pthread_join", "thrd_join"}) {
    const auto* join = module.getFunction(name);
    if (join == nullptr) continue;
    for (const auto& use : join->uses()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (call != nullptr && library.contains(call->getFunction()->getName().str())) continue;
      if (call == nullptr || !call->isCallee(&use) || call->arg_size() < 2 ||
          !llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(1)))
        return true;
    }
  }
  return false;
}

// Is the function used other than by direct calls? A call counts as direct whatever type it gives the function: pthread_t
// is a pointer in C and a number in C++.
bool address_taken(const llvm::Function& f) {
  return llvm::any_of(f.uses(), [](const llvm::Use& use) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return call == nullptr || !call->isCallee(&use);
  });
}

using Functions = llvm::SmallPtrSet<const llvm::Function*, 32>;

const llvm::Function* callee_of(const llvm::CallBase& call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

// All that functions whose address is taken (a thread's, a handler's) may come to call, with themselves.
Functions reached_elsewhere(const llvm::Module& module) {
  llvm::SmallVector<const llvm::Function*, 16> work;
  Functions seen;
  for (const auto& f : module)
    if (address_taken(f) && seen.insert(&f).second) work.push_back(&f);
  while (!work.empty()) {
    const auto* f = work.pop_back_val();
    for (const auto& i : llvm::instructions(*f))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
        if (const auto* callee = callee_of(*call); callee != nullptr && seen.insert(callee).second)
          work.push_back(callee);
  }
  return seen;
}

// May another thread than the first call this function?
bool called_elsewhere(const llvm::Module& module, const char* name) {
  const auto* f = module.getFunction(name);
  return f != nullptr && reached_elsewhere(module).contains(f);
}

// The functions that may come to call this one by direct calls, with itself.
Functions callers_of(const llvm::Function& called) {
  llvm::SmallVector<const llvm::Function*, 16> work{&called};
  Functions seen{&called};
  while (!work.empty())
    for (const auto* user : work.pop_back_val()->users())
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
          call != nullptr && seen.insert(call->getFunction()).second)
        work.push_back(call->getFunction());
  return seen;
}

// May a thread be created after another one has ended and been given up? What is not called directly is taken to happen
// at any time.
bool creates_after_an_end(const llvm::Module& module) {
  const auto *create = module.getFunction("pthread_create"), *join = module.getFunction("pthread_join");
  if (create == nullptr) return false;
  if (module.getFunction("pthread_detach") != nullptr || module.getFunction("pthread_attr_setdetachstate") != nullptr)
    return true;
  if (join == nullptr) return false;
  const Functions elsewhere = reached_elsewhere(module);
  if (elsewhere.contains(create) || elsewhere.contains(join)) return true;
  const Functions creating = callers_of(*create), joining = callers_of(*join);
  for (const auto& f : module) {
    llvm::SmallVector<const llvm::Instruction*, 8> creations, joins;
    for (const auto& i : llvm::instructions(f))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) {
        if (creating.contains(callee_of(*call))) creations.push_back(call);
        if (joining.contains(callee_of(*call))) joins.push_back(call);
      }
    for (const auto* from : joins)
      for (const auto* to : creations)
        if (from == to ? llvm::isPotentiallyReachable(from->getParent()->getTerminator(), from)
                       : llvm::isPotentiallyReachable(from, to))
          return true;
  }
  return false;
}

// Calls (or other uses) of a thing of the library in the program's own code, until one of them fits.
template <class Fits>
bool used(const llvm::Module& module, const std::set<std::string>& library, const char* name, Fits&& fits) {
  const auto* thing = module.getNamedValue(name);
  if (thing == nullptr || !library.contains(name)) return false;
  llvm::SmallVector<const llvm::Value*, 8> work{thing};
  llvm::SmallPtrSet<const llvm::Value*, 8> seen;
  while (!work.empty()) {
    const auto* v = work.pop_back_val();
    if (!seen.insert(v).second) continue;
    for (const auto* user : v->users()) {
      const auto* i = llvm::dyn_cast<llvm::Instruction>(user);
      if (i == nullptr) {
        const auto* g = llvm::dyn_cast<llvm::GlobalVariable>(user);
        if (g == nullptr || !library.contains(g->getName().str())) work.push_back(user);
      } else if (!library.contains(i->getFunction()->getName().str()) && fits(*i)) {
        return true;
      }
    }
  }
  return false;
}
bool used(const llvm::Module& module, const std::set<std::string>& library, const char* name) {
  return used(module, library, name, [](const llvm::Instruction& i) {
    // Templates of the C++ library are in the program's module, wherever they are inlined.
    const llvm::DILocation* at = i.getDebugLoc();
    return at == nullptr || !at->getFilename().contains("/c++/v1/");
  });
}

// Does the program have a function of the C++ library's headers, perhaps inlined, whose mangled name contains one of these?
bool has_header_function(const llvm::Module& module, const std::set<std::string>& library,
                         const std::vector<const char*>& parts) {
  if (parts.empty()) return false;
  const auto is_one = [&](llvm::StringRef name) {
    return std::ranges::any_of(parts, [&](const char* part) { return name.contains(part); });
  };
  llvm::SmallPtrSet<const llvm::DILocation*, 32> seen;
  for (const auto& f : module) {
    if (f.isDeclaration() || library.contains(f.getName().str())) continue;
    if (is_one(f.getName())) return true;
    for (const auto& i : llvm::instructions(f))
      for (const llvm::DILocation* at = i.getDebugLoc();
           at != nullptr && at->getInlinedAt() != nullptr && seen.insert(at).second; at = at->getInlinedAt())
        if (is_one(at->getScope()->getSubprogram()->getLinkageName())) return true;
  }
  return false;
}

// Does the program compare thread ids for equality; does it order them, or calculate with them? In C they are followed
// through variables, not through other memory.
struct IdUses {
  bool compared = false, numbers = false;
};
IdUses uses_of_ids(const llvm::Module& module, const std::set<std::string>& library) {
  IdUses uses;
  uses.numbers = has_header_function(module, library, {"11__thread_id9__lt_impl", "4hashINS_11__thread_idE"});
  uses.compared = has_header_function(module, library, {"ENS_11__thread_idES0_"}) ||
                  used(module, library, "pthread_equal") || used(module, library, "thrd_equal");
  llvm::SmallVector<const llvm::Value*, 16> ids;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  const auto read_from = [&](const llvm::Value* address) {
    llvm::SmallVector<const llvm::Value*, 8> places{llvm::getUnderlyingObject(address)};
    while (!places.empty())
      for (const auto* user : places.pop_back_val()->users()) {
        if (llvm::isa<llvm::GetElementPtrInst>(user) && seen.insert(user).second) places.push_back(user);
        if (llvm::isa<llvm::LoadInst>(user) && user->getType()->isPointerTy()) ids.push_back(user);
      }
  };
  const auto for_calls = [&](std::initializer_list<const char*> names, auto&& take) {
    for (const char* name : names)
      if (const auto* f = module.getFunction(name); f != nullptr)
        for (const auto* user : f->users())
          if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
              call != nullptr && !library.contains(call->getFunction()->getName().str()))
            take(*call);
  };
  for_calls({"pthread_self", "thrd_current"}, [&](const llvm::CallBase& call) { ids.push_back(&call); });
  for_calls({"pthread_create", "thrd_create"}, [&](const llvm::CallBase& call) { read_from(call.getArgOperand(0)); });
  while (!ids.empty()) {
    const auto* id = ids.pop_back_val();
    if (!seen.insert(id).second) continue;
    for (const auto* user : id->users()) {
      const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
      uses.numbers |= llvm::isa<llvm::BinaryOperator>(user) || (compare != nullptr && !compare->isEquality());
      uses.compared |=
          compare != nullptr && compare->isEquality() && !llvm::isa<llvm::Constant>(compare->getOperand(1));
      if (llvm::isa<llvm::CastInst, llvm::PHINode, llvm::SelectInst>(user)) ids.push_back(user);
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store != nullptr && store->getValueOperand() == id)
        read_from(store->getPointerOperand());
    }
  }
  return uses;
}

// Is an argument of main looked at? (Without optimisation each is stored to a variable of its own.)
bool looks_at_arguments(const llvm::Module& module) {
  const auto* main = module.getFunction("main");
  if (main == nullptr) return false;
  for (const auto& a : main->args())
    for (const auto* user : a.users()) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      const auto* home = store != nullptr ? llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()) : nullptr;
      if (home == nullptr) return true;
      for (const auto* reader : home->users()) {
        const auto* again = llvm::dyn_cast<llvm::StoreInst>(reader);
        if (reader != store && (again == nullptr || again->getValueOperand() == home) &&
            !(llvm::isa<llvm::CallBase>(reader) && reader->getType()->isVoidTy()))
          return true;
      }
    }
  return false;
}

bool is_long_double(const llvm::DIType* t) {
  for (int depth = 0; t != nullptr && depth < 8; ++depth) {
    if (t->getName() == "long double") return true;
    const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(t);
    t = derived != nullptr ? derived->getBaseType() : nullptr;
  }
  return false;
}

// Does the program's own code have something of type long double? In IR it is a double; debug information tells. Of C++
// only variables, parameters and results count: the types of its library mention everything.
bool uses_long_double(const llvm::Module& module, const std::set<std::string>& library) {
  llvm::DebugInfoFinder finder;
  for (const auto& f : module) {
    auto* subprogram = f.getSubprogram();
    if (f.isDeclaration() || library.contains(f.getName().str()) || subprogram == nullptr) continue;
    if (!llvm::dwarf::isCPlusPlus(
            static_cast<llvm::dwarf::SourceLanguage>(subprogram->getUnit()->getSourceLanguage()))) {
      finder.processSubprogram(subprogram);
      for (const auto& i : llvm::instructions(f)) finder.processInstruction(module, i);
      continue;
    }
    if (subprogram->getFilename().contains("/c++/v1/")) continue;
    if (llvm::any_of(subprogram->getType()->getTypeArray(), is_long_double)) return true;
    for (const auto& i : llvm::instructions(f))
      for (const auto& record : llvm::filterDbgVars(i.getDbgRecordRange()))
        if (is_long_double(record.get().getVariable()->getType())) return true;
  }
  return llvm::any_of(finder.types(), [](const llvm::DIType* t) { return t->getName() == "long double"; });
}

bool reads_counters(const llvm::Module& module, const std::set<std::string>& library) {
  const auto reads = [](const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    const auto id = call != nullptr ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic;
    return id == llvm::Intrinsic::readcyclecounter || id == llvm::Intrinsic::readsteadycounter;
  };
  return llvm::any_of(module, [&](const llvm::Function& f) {
    return !library.contains(f.getName().str()) && llvm::any_of(llvm::instructions(f), reads);
  });
}

// An atomic operation on more than eight bytes whose order is weaker than seq_cst. It is translated to an atomic
// section, whose accesses are seq_cst.
bool is_weak_wide_atomic(const llvm::Instruction& i) {
  const auto seq_cst = llvm::AtomicOrdering::SequentiallyConsistent;
  const auto wide = [&](const llvm::Type* type) {
    return i.getModule()->getDataLayout().getTypeStoreSize(const_cast<llvm::Type*>(type)).getFixedValue() > 8;
  };
  if (const auto* l = llvm::dyn_cast<llvm::LoadInst>(&i))
    return l->isAtomic() && l->getOrdering() != seq_cst && wide(l->getType());
  if (const auto* s = llvm::dyn_cast<llvm::StoreInst>(&i))
    return s->isAtomic() && s->getOrdering() != seq_cst && wide(s->getValueOperand()->getType());
  if (const auto* r = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) return r->getOrdering() != seq_cst && wide(r->getType());
  if (const auto* c = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
    return (c->getSuccessOrdering() != seq_cst || c->getFailureOrdering() != seq_cst) &&
           wide(c->getNewValOperand()->getType());
  return false;
}

// The same by a call of the library, whose last argument is an order (5: seq_cst).
bool is_weak_atomic_call(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  const auto* order = call != nullptr && call->arg_size() > 0
                          ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(call->arg_size() - 1))
                          : nullptr;
  return order == nullptr || !order->equalsInt(5);
}

bool has_weak_wide_atomics(const llvm::Module& module, const std::set<std::string>& library) {
  for (const auto& f : module)
    if (!library.contains(f.getName().str()) && llvm::any_of(llvm::instructions(f), is_weak_wide_atomic)) return true;
  return std::ranges::any_of(std::initializer_list<const char*>{"__atomic_load", "__atomic_store", "__atomic_exchange",
                                                                "__atomic_compare_exchange"},
                             [&](const char* name) { return used(module, library, name, is_weak_atomic_call); });
}

// A weak compare-exchange on more than eight bytes. A call of the library does not tell whether it is one.
bool has_wide_weak_exchanges(const llvm::Module& module, const std::set<std::string>& library) {
  const auto is_one = [&](const llvm::Instruction& i) {
    const auto* c = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i);
    return c != nullptr && c->isWeak() &&
           module.getDataLayout().getTypeStoreSize(c->getNewValOperand()->getType()).getFixedValue() > 8;
  };
  return used(module, library, "__atomic_compare_exchange") || llvm::any_of(module, [&](const llvm::Function& f) {
           return !library.contains(f.getName().str()) && llvm::any_of(llvm::instructions(f), is_one);
         });
}

// A compare-exchange of what may be a pointer, from something else than null. (In IR it is a number of its size.)
bool may_exchange_pointers(const llvm::Instruction& i) {
  const auto* c = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i);
  if (c == nullptr || i.getModule()->getDataLayout().getTypeStoreSize(c->getCompareOperand()->getType()) < 8)
    return false;
  const auto* expected = llvm::dyn_cast<llvm::Constant>(c->getCompareOperand());
  if (expected != nullptr && expected->isNullValue()) return false;
  const llvm::DILocation* at = i.getDebugLoc();
  return at == nullptr || !at->getFilename().contains("/c++/v1/") || at->getFilename().contains("/__atomic/");
}

// Does a smart pointer or an allocator of the C++ library free objects of one of the program's own types?
bool frees_by_header(const llvm::Module& module, const std::set<std::string>& library) {
  std::vector<std::string> names;
  for (const char* name : {"14default_deleteI", "St3__19allocatorI", "20__shared_ptr_emplaceI"})
    for (char digit = '1'; digit <= '9'; ++digit)  // with which the name of a type begins, in a namespace or not
      for (const char* scope : {"", "N"}) names.push_back(std::string(name) + scope + digit);
  std::vector<const char*> parts;
  for (const auto& name : names) parts.push_back(name.c_str());
  return has_header_function(module, library, parts);
}

// Could a compare-exchange, or a comparison of numbers, take a new object for one that was freed (the ABA problem)? No
// address is given out twice here.
bool may_mistake_objects(const llvm::Module& module, const std::set<std::string>& library) {
  const auto frees = [&](const char* name) { return used(module, library, name); };
  constexpr std::array names{"free",
                             "realloc",
                             "_ZdlPv",
                             "_ZdlPvm",
                             "_ZdlPvSt11align_val_t",
                             "_ZdlPvmSt11align_val_t",
                             "_ZdaPv",
                             "_ZdaPvm",
                             "_ZdaPvSt11align_val_t",
                             "_ZdaPvmSt11align_val_t"};
  return (std::ranges::any_of(names, frees) || frees_by_header(module, library)) &&
         (compares_addresses(module, library) || llvm::any_of(module, [&](const llvm::Function& f) {
            return !library.contains(f.getName().str()) && llvm::any_of(llvm::instructions(f), may_exchange_pointers);
          }));
}

bool waits_for_conditions(const llvm::Module& module, const std::set<std::string>& library) {
  constexpr const char* direct[]{"pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait", "cnd_timedwait",
                                 "_ZNSt3__118condition_variable4waitERNS_11unique_lockINS_5mutexEEE"};
  return std::ranges::any_of(direct, [&](const char* name) { return used(module, library, name); }) ||
         has_header_function(
             module, library,
             {"condition_variable4wait", "condition_variable8wait_for", "condition_variable10wait_until",
              "condition_variable_any4wait", "condition_variable_any8wait_for", "condition_variable_any10wait_until"});
}

struct AssumptionRow {
  const char* clause;
  std::vector<const char*> names;                  // any of them
  std::vector<const char*> header_functions = {};  // or of these, as has_header_function takes them
};
const std::vector<AssumptionRow>& assumption_rows() {
  static const std::vector<AssumptionRow> rows{
      {"the clock stands still",
       {"time", "clock", "clock_gettime", "gettimeofday", "timespec_get", "times",
        "_ZNSt3__16chrono12steady_clock3nowEv", "_ZNSt3__16chrono12system_clock3nowEv"}},
      {"standard input is empty",
       {"stdin", "getchar", "getchar_unlocked", "scanf", "vscanf", "__isoc99_scanf", "gets", "_ZNSt3__13cinE",
        "_ZNSt3__14wcinE"}},
      {"the environment is empty", {"getenv", "secure_getenv", "environ", "__environ"}},
      {"there are no files but those that the program makes",
       {"fopen", "freopen", "open", "openat", "stat", "lstat", "access", "opendir"},
       {"14basic_ifstream", "14basic_ofstream", "13basic_fstream", "13basic_filebuf", "4__fs10filesystem"}},
      {"pseudo-random numbers are those of musl's generators",
       {"rand", "rand_r", "random", "drand48", "erand48", "lrand48", "nrand48", "mrand48", "jrand48"}},
      {"every random device gives the same numbers", {"_ZNSt3__113random_deviceclEv", "getrandom", "getentropy"}},
      {"try_lock takes a lock that is free (C11 and C++ let it fail)",
       {"mtx_trylock", "_ZNSt3__15mutex8try_lockEv", "_ZNSt3__115recursive_mutex8try_lockEv",
        "_ZNSt3__111timed_mutex8try_lockEv", "_ZNSt3__121recursive_timed_mutex8try_lockEv",
        "_ZNSt3__118shared_timed_mutex8try_lockEv", "_ZNSt3__118shared_timed_mutex15try_lock_sharedEv"},
       {"13try_to_lock_t", "12shared_mutex8try_lockB", "12shared_mutex15try_lock_sharedB", "St3__18try_lockI"}},
      {"the machine has two processors",
       {"sysconf", "get_nprocs", "get_nprocs_conf", "_ZNSt3__16thread20hardware_concurrencyEv"}}};
  return rows;
}

struct NondetRow {
  const char* name;
  long least, greatest;  // of the type; what no range covers is given as more than an int holds
};
constexpr NondetRow nondet_rows[] = {
    {"char", CHAR_MIN, CHAR_MAX},     {"uchar", 0, UCHAR_MAX},      {"short", SHRT_MIN, SHRT_MAX},
    {"ushort", 0, USHRT_MAX},         {"int", INT_MIN, INT_MAX},    {"uint", 0, UINT_MAX},
    {"unsigned", 0, UINT_MAX},        {"long", LONG_MIN, LONG_MAX}, {"ulong", 0, LONG_MAX},
    {"longlong", LONG_MIN, LONG_MAX}, {"ulonglong", 0, LONG_MAX},   {"size_t", 0, LONG_MAX}};

}  // namespace

std::vector<std::string> assumptions_of(const llvm::Module& module, const std::set<std::string>& library,
                                        const Settings& settings) {
  std::vector<std::string> clauses;
  if (looks_at_arguments(module)) clauses.emplace_back("the program is started without arguments");
  for (const auto& row : assumption_rows()) {
    const auto met = [&](const char* name) { return used(module, library, name); };
    if (std::ranges::any_of(row.names, met) || has_header_function(module, library, row.header_functions))
      clauses.emplace_back(row.clause);
  }
  const std::string clock = assumption_rows().front().clause;
  if (std::ranges::find(clauses, clock) == clauses.end() && reads_counters(module, library)) clauses.push_back(clock);
  const auto wakeups = std::ranges::find(settings, "__heddle_spurious_wakeups", &Settings::value_type::first);
  if (wakeups != settings.end() && wakeups->second == 0 && waits_for_conditions(module, library))
    clauses.emplace_back("a wait on a condition variable never returns unasked (--spurious-wakeups lets it)");
  if (may_mistake_objects(module, library))
    clauses.emplace_back("freed memory is not allocated again at the same address");
  if (has_weak_wide_atomics(module, library))
    clauses.emplace_back("atomic operations on more than eight bytes are seq_cst");
  if (has_wide_weak_exchanges(module, library))
    clauses.emplace_back("a weak compare-exchange on more than eight bytes never fails spuriously");
  const IdUses ids = uses_of_ids(module, library);
  // Engines look at one order of creations that are not ordered by what the threads do.
  if (ids.numbers)
    clauses.emplace_back(
        "the ids of threads grow in the order of their creation, and their order does not matter where different "
        "threads create them");
  if (ids.compared && creates_after_an_end(module))
    clauses.emplace_back("the id of a thread that has ended is not given to a new thread");
  // Policies that allow several threads.
  if (has_header_function(module, library, {"9execution15parallel_policy", "9execution27parallel_unsequenced_policy"}))
    clauses.emplace_back("algorithms with an execution policy run in the thread that calls them");
  if (uses_long_double(module, library)) clauses.emplace_back("long double has the 64 bits of double");
  const auto reads_input = [](const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    const auto* descriptor =
        call != nullptr && call->arg_size() > 0 ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)) : nullptr;
    return descriptor != nullptr && descriptor->isZero();
  };
  const std::string input = "standard input is empty";
  if (std::ranges::find(clauses, input) == clauses.end())
    for (const char* name : {"read", "readv"})
      if (used(module, library, name, reads_input)) {
        clauses.push_back(input);
        break;
      }
  return clauses;
}

std::vector<std::string> bounds_of(const llvm::Module& module, const std::set<std::string>& library,
                                   const Settings& settings) {
  const auto setting = [&](const char* name) {
    const auto at = std::ranges::find(settings, name, &Settings::value_type::first);
    return at == settings.end() ? 0 : at->second;
  };
  if (setting("__heddle_nondet_given") == 0) return {};
  const auto low = setting("__heddle_nondet_low"), high = setting("__heddle_nondet_high");
  for (const auto& row : nondet_rows)
    if ((low > row.least || high < row.greatest) &&
        used(module, library, (std::string("__VERIFIER_nondet_") + row.name).c_str()))
      return {"nondet " + std::to_string(low) + ":" + std::to_string(high)};
  return {};
}

Settings settings_by_usage(const llvm::Module& module, const std::set<std::string>& library) {
  // The C++ library links these functions for its own; those that nothing calls are gone by now.
  const auto there = [&](const char* name) { return module.getFunction(name) != nullptr; };
  return {{"__heddle_results_read", results_read(module, library)},
          {"__heddle_joins_elsewhere", called_elsewhere(module, "pthread_join")},
          {"__heddle_creates_elsewhere", called_elsewhere(module, "pthread_create")},
          {"__heddle_detaches", there("pthread_detach") || there("pthread_attr_setdetachstate")},
          {"__heddle_typed_mutexes", there("pthread_mutexattr_settype")}};
}

}  // namespace heddle::lang::llvm_ir
