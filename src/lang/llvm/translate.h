// IR to bytecode: the module (globals, constants, places) and one function at a time.
//
// Every IR value is a list of parts, each of which fits a register: an i128 has two, a struct or vector as many as it
// has scalars. Whatever cannot be expressed becomes an instruction that names it when it is reached, so that a
// program is refused only for what it really does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/llvm/escape.h"
#include "lang/llvm/exceptions.h"
#include "lang/llvm/load.h"
#include "vm/draft.h"

namespace heddle::lang::llvm_ir {

struct Part {
  unsigned width = 64;       // bits
  std::uint64_t offset = 0;  // bytes in memory
};
using Parts = std::vector<vm::DraftOperand>;

class ModuleTranslator {
 public:
  ModuleTranslator(const llvm::Module&, const Options&, const std::set<std::string>& library, const ExceptionTables&,
                   vm::Module& out);
  std::optional<support::Diagnostic> run(const llvm::Function& entry);

  // False if the type has something that no register can hold.
  bool flatten(llvm::Type*, std::vector<Part>&, std::uint64_t base = 0) const;
  // The parts of a constant; nothing if it has no value that is known before the program runs.
  std::optional<std::vector<vm::Cell>> constant(const llvm::Constant*);
  // Is this, or an address in it, a variable too large to be an object?
  bool oversized(const llvm::Constant&) const;
  std::uint32_t string(llvm::StringRef);
  std::uint32_t function(const llvm::Function& f) const { return functions_.lookup(&f); }
  std::uint32_t object(const llvm::GlobalVariable& g) const { return objects_.lookup(&g); }
  std::uint32_t block_address(const llvm::BlockAddress&);
  std::uint32_t point(const std::string& name);  // its number, from 1 on; 0: points are not asked for
  std::uint32_t signature(vm::Signature);
  vm::Signature signature_of(const llvm::Function&) const;
  void add_parts(llvm::Type*, std::vector<vm::Signature::Part>&) const;
  core::Site site(const llvm::Instruction&);
  std::uint32_t tls_index(const llvm::GlobalVariable&);
  const llvm::DataLayout& layout() const { return layout_; }
  const Escape& escape() const { return escape_; }
  const ExceptionTables& exceptions() const { return exceptions_; }
  vm::Module& out() { return out_; }
  bool pending() const { return options_.pending_loads; }
  // Of the linked library, whose variables are outside the memory model.
  bool in_library(const llvm::Function& f) const { return library_.contains(f.getName().str()); }
  // Of its headers: compiled with the program, but no part of the user's source.
  bool in_library_header(const llvm::DIScope*);
  // Block addresses taken in a function: block -> index in Module::blocks.
  const std::map<const llvm::BasicBlock*, std::uint32_t>& blocks() const { return blocks_; }

 private:
  void globals();
  bool initialise(core::GlobalObject&, const llvm::Constant*, std::uint64_t offset);
  std::optional<vm::Cell> constant_expression(const llvm::ConstantExpr*);
  std::uint32_t type_name(const llvm::DIType*);

  // Names, by number, of a scope's file and function.
  struct ScopeNames {
    std::uint32_t file = 0, function = 0;
  };
  const ScopeNames& names(const llvm::DILocalScope&);

  const llvm::Module& module_;
  const Options& options_;
  const std::set<std::string>& library_;
  const ExceptionTables& exceptions_;
  vm::Module& out_;
  llvm::DataLayout layout_;
  Escape escape_;
  llvm::DenseMap<const llvm::Function*, std::uint32_t> functions_;
  llvm::DenseMap<const llvm::GlobalVariable*, std::uint32_t> objects_;
  llvm::DenseMap<const llvm::DIType*, std::uint32_t> types_;
  // Asked for at every instruction.
  llvm::DenseMap<const llvm::DIFile*, bool> library_headers_;
  llvm::DenseMap<const llvm::DILocalScope*, ScopeNames> scope_names_;
  llvm::DenseMap<const llvm::Function*, bool> library_functions_;
  std::map<const llvm::BasicBlock*, std::uint32_t> blocks_;
  std::unordered_map<std::string, std::uint32_t> strings_;
  std::string missing_;  // a variable that is defined nowhere but needed in an initial value
};

class FunctionTranslator {
 public:
  FunctionTranslator(ModuleTranslator& module, const llvm::Function& f)
      : module_(module),
        function_(f),
        layout_(module.layout()),
        stack_kind_(module.in_library(f) ? core::AllocKind::Outside : core::AllocKind::Stack) {}
  vm::Draft run();

 private:
  enum class Home : std::uint8_t { Registers, Private, Object, Dynamic };

  // Building blocks.
  vm::DraftInsn& emit(vm::Op op, unsigned width = 64);
  vm::DraftOperand emit_value(vm::Op op, unsigned width, vm::DraftOperand a, vm::DraftOperand b = vm::no_operand,
                              vm::DraftOperand c = vm::no_operand, std::uint8_t sub = 0);
  vm::DraftOperand fresh() { return draft_.registers++; }
  vm::DraftOperand number(std::uint64_t bits, vm::Mark mark = 0);
  vm::DraftOperand cell(const vm::Cell&);
  std::uint32_t new_block();
  void unsupported(const std::string& what);
  void unsupported(const llvm::Instruction&, const std::string& why = {});
  std::vector<Part> parts_of(llvm::Type*);
  Parts operands(const llvm::Value*);
  vm::DraftOperand one(const llvm::Value* v) { return operands(v)[0]; }
  const Parts& define(const llvm::Value&);
  void assign(const llvm::Value&, Parts);
  void copy_into(const llvm::Value&, const Parts& from);
  static unsigned width_of(llvm::Type*, const llvm::DataLayout&);

  // Control.
  void classify_allocas();
  void name_activation();
  void block(const llvm::BasicBlock&);
  void instruction(const llvm::Instruction&);
  void jump(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  std::uint32_t edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void phi_copies(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void branch(const llvm::BranchInst&);
  void require(const llvm::Value* condition, bool holds, const char* kind);
  void switch_on(const llvm::SwitchInst&);
  void leave(const llvm::ReturnInst*);
  void invoke(const llvm::InvokeInst&);
  std::uint32_t landing(const llvm::InvokeInst&);
  void keep_until_exit(const llvm::Instruction& unreachable);

  // Values.
  void binary(const llvm::BinaryOperator&);
  void wide_binary(vm::Wide, unsigned width, const llvm::Instruction&, const Parts& a, const Parts& b);
  Parts resize_wide(const Parts&, unsigned from, unsigned to, bool is_signed);
  void compare(const llvm::ICmpInst&);
  void cast(const llvm::CastInst&);
  Parts repack(const Parts&, const std::vector<Part>& from, const std::vector<Part>& to, unsigned start = 0);
  void lengthen(Parts&, std::vector<Part>&, unsigned bits, bool is_signed);
  bool shift_huge(const llvm::BinaryOperator&, const Parts&);
  void compare_huge(const llvm::ICmpInst&, llvm::CmpInst::Predicate, const Parts& a, const Parts& b);
  void gep(const llvm::GetElementPtrInst&);
  void shuffle(const llvm::ShuffleVectorInst&);
  void element(const llvm::Instruction&);
  void aggregate(const llvm::Instruction&);

  // Memory.
  void alloca_(const llvm::AllocaInst&);
  bool lives_in_block(const llvm::AllocaInst&) const;
  void lifetime(const llvm::AllocaInst&, bool begins);
  void load(const llvm::LoadInst&);
  void store(const llvm::StoreInst&);
  void rmw(const llvm::AtomicRMWInst&);
  bool wide_rmw(const llvm::AtomicRMWInst&, core::RmwOp);
  void cmpxchg(const llvm::AtomicCmpXchgInst&);
  void fence(llvm::AtomicOrdering, llvm::SyncScope::ID);
  void load_parts(const Parts& to, const std::vector<Part>&, vm::DraftOperand address, std::uint8_t sub);
  void store_parts(const Parts& from, const std::vector<Part>&, vm::DraftOperand address, std::uint8_t sub);
  vm::DraftOperand displaced(vm::DraftOperand address, std::uint64_t offset);
  void memory_transfer(const llvm::MemIntrinsic&);
  void va_start(const llvm::CallBase&);
  void va_copy(const llvm::CallBase&);

  // Calls.
  void call(const llvm::CallBase&);
  void call_function(const llvm::CallBase&, const llvm::Function* callee, llvm::ArrayRef<const llvm::Value*> args);
  void call_named(const llvm::CallBase&, const char* name, llvm::ArrayRef<const llvm::Value*> args);
  struct Builtin;
  struct Builtins;
  bool builtin(const llvm::CallBase&, llvm::StringRef name, bool defined);
  void operation(const llvm::CallBase&, const Builtin&, Parts given);
  void fail_size(const llvm::CallBase&, const Builtin&);
  void fail(const llvm::CallBase&, const Builtin&);
  void begin_section(const llvm::CallBase&, const Builtin&);
  void end_section(const llvm::CallBase&, const Builtin&);
  void allocate(const llvm::CallBase&, const Builtin&);
  void wait_for_lock(const llvm::CallBase&, const Builtin&);
  void unlock(const llvm::CallBase&, const Builtin&);
  void arrive(const llvm::CallBase&, const Builtin&);
  void set_jump(const llvm::CallBase&, const Builtin&);
  void long_jump(const llvm::CallBase&, const Builtin&);
  void free_unless_null(const llvm::CallBase&, const Builtin&);
  void opaque(const llvm::CallBase&, const Builtin&);
  void point(const llvm::CallBase&, const Builtin&);
  void intrinsic(const llvm::IntrinsicInst&);
  void assembly(const llvm::CallBase&);
  void hardware_fence(core::Order, const char* tag);
  bool machine_intrinsic(const llvm::IntrinsicInst&);
  bool reduction(const llvm::IntrinsicInst&);
  void saturating(const llvm::IntrinsicInst&, vm::IntMath, const Parts& a, const Parts& b);
  void int_math(const llvm::IntrinsicInst&, vm::IntMath, unsigned arity);
  void float_math(const llvm::IntrinsicInst&, vm::FloatMath, unsigned arity);
  void overflow(const llvm::IntrinsicInst&, vm::Op, vm::IntMath, vm::Wide, vm::Wide);

  ModuleTranslator& module_;
  const llvm::Function& function_;
  const llvm::DataLayout& layout_;
  const core::AllocKind stack_kind_;  // of the function's local variables that are objects
  vm::Draft draft_;
  std::uint32_t current_ = 0;
  std::uint32_t landing_ = vm::no_block;          // of the invoke that is being translated
  vm::DraftOperand activation_ = vm::no_operand;  // in callers of setjmp: an object that ends with the frame
  core::Site site_ = core::no_site;
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> blocks_;
  std::unordered_map<const llvm::Value*, Parts> values_;
  std::map<const llvm::AllocaInst*, Home> homes_;
  std::map<const llvm::AllocaInst*, std::uint32_t> private_slots_;
  std::map<const llvm::AllocaInst*, vm::DraftOperand> block_objects_;  // the register that owns a block's local
  std::map<const llvm::AllocaInst*, Parts> slots_;                     // allocas that are registers
  std::map<std::pair<std::uint64_t, vm::Mark>, vm::DraftOperand> constants_;
};

core::Order order_of(llvm::AtomicOrdering);
// The trap of -fsanitize-trap that is all the block does; null if it does something else. And what it stands for.
const llvm::IntrinsicInst* trap_of(const llvm::BasicBlock&);
const char* trap_kind(const llvm::IntrinsicInst&);
// clang's checks of sizes of variable-length arrays call this function and go on. The call, if it is all that the block
// does, or null; and whether the size is that of an array: that of the parameter `int a[n]`, which is checked before the
// function's first line, is not. It is a pointer, and n may be 0.
inline constexpr const char* size_handler = "__ubsan_handle_vla_bound_not_positive_minimal";
const llvm::CallBase* size_check(const llvm::BasicBlock&);
bool sizes_array(const llvm::CallBase&);

}  // namespace heddle::lang::llvm_ir
