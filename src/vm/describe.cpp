// What VmProgram says to people: failures, places, names.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>

#include "core/input.h"
#include "core/show_value.h"
#include "vm/interpreter.h"
#include "vm/names.h"
#include "vm/vm_program.h"

namespace heddle::vm {
namespace {

struct FaultText {
  Fault fault;
  const char* kind;
  const char* message;
};

// AtInstruction is not here: the instruction says it.
constexpr FaultText fault_texts[] = {
    {Fault::Null, "null-dereference", "access through a null pointer"},
    {Fault::Wild, "wild-pointer", "access through a pointer to no object"},
    {Fault::OutOfBounds, "out-of-bounds", "access outside the bounds of an object"},
    {Fault::Freed, "use-after-free", "access to an object that was freed"},
    {Fault::ReadOnly, "read-only", "write to a constant object"},
    {Fault::DoubleFree, "double-free", "free of an object that was freed already"},
    {Fault::InvalidFree, "invalid-free", "free of something that was not allocated"},
    {Fault::Misaligned, "misaligned", "atomic access at an address that is not a multiple of its size"},
    {Fault::Overlap, "overlap", "copy between two regions of memory that overlap"},
    // Where these go into, the instruction says.
    {Fault::Uninitialised, "uninitialised", "uninitialised memory"},
    {Fault::BadConversion, "undefined-result", "the result of an out-of-range conversion from floating point"},
    {Fault::NoResult, "undefined-result",
     "the result of an operation that has none (a shift by too many bits, a bit count of zero, and the like)"},
    {Fault::DivideByZero, "division-by-zero", "division by zero"},
    {Fault::DivideOverflow, "division-overflow", "division of the least number by -1"},
    {Fault::BadCall, "bad-call", "call through a pointer that is not a function of the program"},
    {Fault::BadSignature, "bad-call", "call of a function with arguments or a result of other types than it has"},
    {Fault::EndlessSection, "unsupported", "an atomic section loops for ever"},
    {Fault::Endless, "unsupported", "the thread ran too long without any visible action"},
    {Fault::StackTooDeep, "unsupported", "the thread's stack grows beyond its bound"},
    {Fault::EscapedLocal, "unsupported", "the address of a local variable escapes in a way that was not foreseen"},
    {Fault::DeadLocal, "use-after-return", "access to a local variable of a function that has returned"},
    {Fault::DeadScope, "use-after-scope", "access to a local variable after the end of its block"},
    {Fault::PointerPart, "unsupported", "a part of a pointer is used as a number"},
    {Fault::Frozen, "unsupported",
     "the optimised code goes on with some value for one that is uninitialised or undefined (freeze)"},
    {Fault::FarPointer, "unsupported", "a pointer more than 2 GiB outside of its object is stored in memory"},
    {Fault::TooLarge, "unsupported", "an object of more than 64 MiB, or of a negative size"},
    {Fault::BadBlock, "bad-jump", "computed goto to a place that is not in this function"},
    {Fault::BadJump, "bad-jump", "longjmp to a function that has returned"},
    {Fault::UnbalancedAtomic, "unbalanced-atomic", "the end of an atomic section without its beginning"},
    {Fault::NestedAtomic, "unbalanced-atomic", "the beginning of an atomic section inside of another"},
    {Fault::UnclosedAtomic, "unbalanced-atomic", "the thread ends inside an atomic section"},
};

// What an instruction does with an undefined operand.
const char* use_of_undefined(Op op) {
  switch (op) {
    case Op::Br:
    case Op::Switch:
    case Op::IndirectBr:
    case Op::Assume: return "branch on ";
    case Op::Load:
    case Op::Store:
    case Op::Rmw:
    case Op::Output: return "access through a pointer made of ";
    case Op::WaitCas:
    case Op::WaitEq:
    case Op::WaitAdd: return "wait on ";
    case Op::Cas: return "compare-exchange of ";
    case Op::Free: return "free of a pointer made of ";
    case Op::CallInd: return "call through a pointer made of ";
    default: return "use of ";
  }
}

// The same for what must hold (Op::Require), by its kind.
const char* checked(std::string_view kind) {
  if (kind == "array-size") return "array of variable length whose size is made of ";
  return kind == "false-assumption" ? "assumption about " : "checked operation on ";
}

// Failures that the compiler's checks find, or a rule that the program states of itself.
std::string broken_rule(std::string_view kind) {
  if (kind == "signed-overflow") return "the result of a signed operation does not fit its type";
  if (kind == "shift")
    return "shift by a negative amount or by the width of its type or more, or of a value out of its type";
  if (kind == "array-size") return "an array of variable length has a size that is not positive";
  if (kind == "false-assumption")
    return "a condition does not hold that the compiler was told to assume (__builtin_assume and the like)";
  if (kind == "trap") return "a trap (__builtin_trap, or what the compiler put in its place) was reached";
  return {};
}

// libc++'s own words are "FILE:LINE: assertion CONDITION failed: MESSAGE".
std::string check_of_library(const std::string& text) {
  constexpr std::string_view failed = " failed: ";
  const auto at = text.find(failed);
  std::string message = at == std::string::npos ? text : text.substr(at + failed.size());
  while (!message.empty() && message.back() == '\n') message.pop_back();
  return "a check of the C++ library failed: " + message;
}

std::string line_of_file(const std::string& file, unsigned line) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<std::string>> files;
  const std::lock_guard lock(mutex);
  auto [it, fresh] = files.try_emplace(file);
  if (fresh) {
    // The name comes from the program: it may be that of anything.
    const auto whole = core::is_plain_file(file) ? core::read_input(file, nullptr) : std::string();
    if (whole) {
      std::istringstream in(*whole);
      for (std::string text; std::getline(in, text);) it->second.push_back(text);
    }
  }
  if (line == 0 || line > it->second.size()) return {};
  const auto& text = it->second[line - 1];
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first);
}

// Files below the current folder without the way to it.
std::string as_user_names_it(const std::string& file) {
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string() + "/";
  return !error && file.starts_with(here) ? file.substr(here.size()) : file;
}

}  // namespace

std::string VmProgram::text_at(const Cell& pointer, core::ConstLocal local) const {
  const auto object = upper(pointer.bits);
  const std::byte* bytes = nullptr;
  std::size_t size = 0;
  if (pointer.mark & private_mark) {
    const auto at = object & ~private_object;
    if (std::size_t{at} * 8 + 8 > local.size()) return {};
    bytes = local.data() + std::size_t{at} * 8 + 8;
    size = std::min<std::size_t>(words(local.data())[at], local.size() - std::size_t{at} * 8 - 8);
  } else if ((pointer.mark & pointer_mark) && object >= 1 && object <= module_.globals.size()) {
    bytes = module_.globals[object - 1].bytes.data();
    size = module_.globals[object - 1].bytes.size();
  }
  std::string text;
  for (std::size_t k = lower(pointer.bits); k < size && bytes[k] != std::byte{0}; ++k)
    text += static_cast<char>(bytes[k]);
  return text;
}

core::Failure VmProgram::failure(core::ConstLocal local) const {
  core::Failure f;
  const auto* base = local.data();
  const auto& head = header(base);
  const ConstFrame frame(module_, base, head.top);
  const auto pc = frame_at(base, head.top).pc;
  f.site = frame.function->sites[pc];
  const Insn& i = frame.function->code[pc];
  for (const auto& text : fault_texts)
    if (text.fault == head.fault) {
      f.kind = text.kind;
      f.message = text.message;
    }
  if (f.kind == "uninitialised" || f.kind == "undefined-result")
    f.message = (i.op == Op::Require ? checked(module_.strings[i.imm]) : use_of_undefined(i.op)) + f.message;
  if (head.fault == Fault::BadCall && i.op == Op::Call) {
    const auto& callee = module_.functions[i.b | static_cast<std::uint32_t>(i.c) << 16];
    f.kind = "unsupported";
    f.message = fmt::format("neither the program nor Heddle's C library has a function {}", callee.shown);
  }
  if (head.fault == Fault::BadCall && (i.op == Op::CallInd || i.op == Op::Spawn)) {
    const auto index = (frame.get(i.a).bits - function_address) / 16;
    if (frame.get(i.a).bits >= function_address && index < module_.functions.size()) {
      f.kind = "unsupported";
      f.message =
          fmt::format("neither the program nor Heddle's C library has a function {}", module_.functions[index].shown);
    } else if (frame.get(i.a).bits == 0) {
      f.message = "call through a null pointer";
    }
  }
  if (head.fault == Fault::AtInstruction) switch (i.op) {
      case Op::Unreachable:
        f.kind = "unreachable";
        f.message = "control reaches a place that was said to be unreachable";
        break;
      case Op::Unsupported:
        f.kind = "unsupported";
        f.message = module_.strings[i.imm];
        break;
      case Op::Abort:
        f.kind = "abort";
        f.message = "abort was called";
        break;
      case Op::FailException: {
        const std::string what = text_at(frame.get(i.b), local), how = text_at(frame.get(i.c), local);
        f.kind = "uncaught-exception";
        f.message = fmt::format("{}exception of type {}{}{}{}", how.empty() ? "uncaught " : "",
                                type_name_of(text_at(frame.get(i.a), local)), what.empty() ? "" : ": ", what, how);
        break;
      }
      case Op::Fail:
        f.kind = i.imm != 0 ? module_.strings[i.imm] : text_at(frame.get(i.a), local);
        f.message = text_at(frame.get(i.b), local);
        if (f.kind.empty()) f.kind = "failure";
        if (f.kind == "hardening") f.message = check_of_library(f.message);
        if (f.kind == "assertion") f.message = fmt::format("assertion failed: {}", f.message);
        if (f.kind == "abort" && f.message.empty()) f.message = "abort was called";
        if (const std::string what = broken_rule(f.kind); f.message.empty() && !what.empty()) f.message = what;
        break;
      case Op::Require:
        f.kind = module_.strings[i.imm];
        f.message = broken_rule(f.kind);
        break;
      default: break;
    }
  // People look for a mistake in their own code: the innermost frame that is not the library's, and what it called.
  const Function* called = nullptr;
  for (std::uint32_t at = head.top; at != 0; at = frame_at(base, at).previous) {
    const auto& fh = frame_at(base, at);
    const auto& function = module_.functions[fh.function];
    if (is_library(function, fh.pc) || fh.function == module_.entry) {
      called = &function;
      continue;
    }
    f.site = function.sites[fh.pc];
    if (called != nullptr && called->name != "free" && !called->name.starts_with("__heddle_") &&
        head.fault != Fault::AtInstruction && f.kind != "unsupported")
      f.message += fmt::format(" in {}", called->shown);
    break;
  }
  // The failing access by name.
  if (f.site < module_.sites.size() && module_.sites[f.site].access != 0 && head.fault != Fault::AtInstruction)
    f.message += fmt::format(" ({})", module_.strings[module_.sites[f.site].access]);
  return f;
}

core::SourcePlace VmProgram::place(core::Site site) const {
  core::SourcePlace p;
  if (site >= module_.sites.size()) return p;
  const auto& s = module_.sites[site];
  p.file = as_user_names_it(module_.strings[s.file]);
  p.line = s.line;
  p.column = s.column;
  p.function = module_.strings[s.function];
  p.library = s.library;
  if (!p.file.empty()) p.text = line_of_file(p.file, p.line);
  return p;
}

// ".field", "[2]", ".field[1].x": the path to the part of a type that lies at an offset.
std::string VmProgram::part_name(std::uint32_t type, std::uint32_t offset, std::uint32_t size) const {
  std::string path;
  for (int depth = 0; depth < 16 && type != 0; ++depth) {
    const auto& t = module_.types[type];
    if (t.kind == TypeName::Kind::Record) {
      const TypeName::Field* found = nullptr;
      for (const auto& f : t.fields) {
        const auto fs = f.type != 0 ? module_.types[f.type].size : 0;
        if (offset >= f.offset && (offset < f.offset + fs || (fs == 0 && offset == f.offset))) found = &f;
      }
      // Debug information may leave out what is in a class that another file constructs.
      if (module_.cxx && t.fields.empty()) return path;
      if (found == nullptr || size > t.size) break;
      if (size == t.size && t.fields.size() > 1) break;
      // The library's own: the whole has the name. An array is one of elements that the program knows.
      const bool internal = module_.cxx && found->name.starts_with("__");
      if (internal && (found->type == 0 || module_.types[found->type].kind != TypeName::Kind::Array)) return path;
      if (!internal) path += "." + found->name;
      offset -= found->offset;
      type = found->type;
    } else if (t.kind == TypeName::Kind::Array && t.element != 0 && module_.types[t.element].size != 0) {
      const auto es = module_.types[t.element].size;
      path += fmt::format("[{}]", offset / es);
      offset %= es;
      type = t.element;
    } else {
      break;
    }
  }
  if (offset != 0) path += fmt::format("+{}", offset);
  return path;
}

// What the program called the library for, if that is the object at hand. The name of the innermost call that has one.
std::string VmProgram::subject_of_call(const core::Loc& loc, const std::byte* base) const {
  for (std::uint32_t at = header(base).top; at != 0; at = frame_at(base, at).previous) {
    const auto& fh = frame_at(base, at);
    const auto& function = module_.functions[fh.function];
    if (is_library(function, fh.pc)) continue;
    const Insn& call = function.code[fh.pc];
    const core::Site site = function.sites[fh.pc];
    if (site >= module_.sites.size() || module_.sites[site].subject == 0) return {};
    if (!(shape_of(call.op) & L) || function.lists[call.imm] == 0) return {};
    const Cell address = ConstFrame(module_, base, at).get(function.lists[call.imm + 1]);
    const bool same = (address.mark & pointer_mark) != 0 && upper(address.bits) == loc.object;
    return same ? module_.strings[module_.sites[site].subject] : std::string();
  }
  return {};
}

std::string VmProgram::location_name(const core::Loc& loc, core::ConstLocal local) const {
  if (loc.object >= 1 && loc.object <= module_.globals.size()) {
    const auto type = module_.global_types[loc.object - 1];
    const auto& g = module_.globals[loc.object - 1];
    if (type == 0 && loc.offset == 0) return g.name;
    return g.name + part_name(type, loc.offset, loc.size);
  }
  if (local.size() >= header_words * 8 && header(local.data()).status == Status::Running) {
    const auto q = request(local);
    if (q.loc == loc && q.site < module_.sites.size() && module_.sites[q.site].library)
      if (std::string name = subject_of_call(loc, local.data()); !name.empty()) return name;
    if (q.loc == loc && q.site < module_.sites.size() && module_.sites[q.site].access != 0)
      return module_.strings[module_.sites[q.site].access];
  }
  return core::unnamed_location(loc);
}

std::string VmProgram::thread_name(std::uint32_t entry) const {
  if (entry >= module_.functions.size()) return "thread";
  return entry == module_.entry ? "main" : module_.functions[entry].name;
}

std::vector<core::SourcePlace> VmProgram::stack(core::ConstLocal local) const {
  std::vector<core::SourcePlace> places;
  const auto* base = local.data();
  const auto status = header(base).status;
  if (status == Status::Ended || status == Status::Ending) return places;
  for (std::uint32_t at = header(base).top; at != 0; at = frame_at(base, at).previous) {
    const auto& fh = frame_at(base, at);
    const auto& f = module_.functions[fh.function];
    auto p = place(f.sites[fh.pc]);
    if (p.function.empty()) p.function = f.shown;
    places.push_back(std::move(p));
  }
  return places;
}

std::vector<std::string> VmProgram::notes() const {
  std::vector<std::string> notes;
  for (const core::Site site : module_.signal_fences) {
    if (site == core::no_site) continue;
    const core::SourcePlace at = place(site);
    if (at.library) continue;
    notes.push_back(fmt::format("the signal fence at {}:{} orders nothing between threads (atomic_thread_fence does)",
                                at.file, at.line));
  }
  return notes;
}

}  // namespace heddle::vm
