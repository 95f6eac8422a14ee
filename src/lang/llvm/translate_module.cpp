// Globals, constants and places of a module.
// SPDX-License-Identifier: Apache-2.0
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include <cstring>

#include "core/input.h"
#include "lang/llvm/access_names.h"
#include "lang/llvm/demangle.h"
#include "lang/llvm/places.h"
#include "lang/llvm/translate.h"
#include "vm/arithmetic.h"
#include "vm/names.h"

namespace heddle::lang::llvm_ir {

ModuleTranslator::ModuleTranslator(const llvm::Module& module, const Options& options,
                                   const std::set<std::string>& library, const ExceptionTables& exceptions,
                                   vm::Module& out)
    : module_(module),
      options_(options),
      library_(library),
      exceptions_(exceptions),
      out_(out),
      layout_(module.getDataLayout()),
      escape_(module) {}

std::uint32_t ModuleTranslator::string(llvm::StringRef s) {
  if (s.empty()) return 0;
  auto [it, fresh] = strings_.try_emplace(s.str(), static_cast<std::uint32_t>(out_.strings.size()));
  if (fresh) out_.strings.push_back(s.str());
  return it->second;
}

bool ModuleTranslator::flatten(llvm::Type* type, std::vector<Part>& parts, std::uint64_t base) const {
  if (const auto* i = llvm::dyn_cast<llvm::IntegerType>(type)) {
    const unsigned w = i->getBitWidth(), most = 256;
    for (unsigned at = 0; at < std::min(w, most); at += 64) parts.push_back({std::min(w - at, 64u), base + at / 8});
    return w <= most;
  }
  if (type->isPointerTy() || type->isDoubleTy()) {
    parts.push_back({64, base});
    return true;
  }
  if (type->isFloatTy()) {
    parts.push_back({32, base});
    return true;
  }
  if (auto* s = llvm::dyn_cast<llvm::StructType>(type)) {
    if (s->isOpaque()) return false;
    const auto* l = layout_.getStructLayout(s);
    bool ok = true;
    for (unsigned k = 0; k < s->getNumElements(); ++k)
      ok &= flatten(s->getElementType(k), parts, base + l->getElementOffset(k));
    return ok;
  }
  if (auto* a = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (a->getNumElements() > 256) return false;
    bool ok = true;
    const auto size = layout_.getTypeAllocSize(a->getElementType()).getFixedValue();
    for (std::uint64_t k = 0; k < a->getNumElements(); ++k) ok &= flatten(a->getElementType(), parts, base + k * size);
    return ok;
  }
  if (auto* v = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    bool ok = true;
    const auto bits = layout_.getTypeSizeInBits(v->getElementType()).getFixedValue();
    for (unsigned k = 0; k < v->getNumElements(); ++k) ok &= flatten(v->getElementType(), parts, base + k * bits / 8);
    return ok;
  }
  parts.push_back({64, base});
  return type->isVoidTy();
}

std::uint32_t ModuleTranslator::tls_index(const llvm::GlobalVariable& g) {
  const auto o = object(g);
  for (std::uint32_t k = 0; k < out_.tls.size(); ++k)
    if (out_.tls[k] == o) return k;
  return 0;
}

std::uint32_t ModuleTranslator::block_address(const llvm::BlockAddress& b) {
  auto [it, fresh] = blocks_.try_emplace(b.getBasicBlock(), static_cast<std::uint32_t>(out_.blocks.size()));
  if (fresh) out_.blocks.emplace_back(0, 0);
  return it->second;
}

std::optional<vm::Cell> ModuleTranslator::constant_expression(const llvm::ConstantExpr* e) {
  auto operand = [&](unsigned k) -> std::optional<vm::Cell> {
    auto c = constant(e->getOperand(k));
    if (!c || c->size() != 1) return std::nullopt;
    return (*c)[0];
  };
  // Who uses the constant is not known here: every execution counts as one that uses an address as a number.
  auto settled = [&](const vm::Outcome& o, const vm::Cell& pointer) {
    const auto object = vm::upper(pointer.bits);
    const bool aligned =
        object == 0 || object > out_.global_alignments.size() || o.low_bits < out_.global_alignments[object - 1];
    out_.addresses_in_constants |= (pointer.mark & vm::pointer_mark) != 0 && (o.leaked || !aligned);
    return o.cell;
  };
  const auto width = e->getType()->isIntegerTy() ? e->getType()->getIntegerBitWidth() : 64;
  switch (e->getOpcode()) {
    case llvm::Instruction::GetElementPtr: {
      const auto* g = llvm::cast<llvm::GEPOperator>(e);
      llvm::APInt offset(64, 0);
      const auto base = operand(0);
      if (!base || !g->accumulateConstantOffset(layout_, offset)) return std::nullopt;
      return vm::pointer_add(*base, {offset.getZExtValue(), 0}).cell;
    }
    case llvm::Instruction::BitCast:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::AddrSpaceCast: return operand(0);
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::Trunc: {
      const auto a = operand(0);
      if (!a) return std::nullopt;
      return settled(vm::trunc(width, *a), *a);
    }
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Xor: {
      const auto a = operand(0), b = operand(1);
      if (!a || !b || width > 64) return std::nullopt;
      const auto op = e->getOpcode() == llvm::Instruction::Add   ? vm::Op::Add
                      : e->getOpcode() == llvm::Instruction::Sub ? vm::Op::Sub
                                                                 : vm::Op::Xor;
      return settled(vm::binary(op, width, *a, *b), a->mark & vm::pointer_mark ? *a : *b);
    }
    default: return std::nullopt;
  }
}

std::optional<std::vector<vm::Cell>> ModuleTranslator::constant(const llvm::Constant* c) {
  using vm::Cell;
  std::vector<Part> parts;
  const bool fits = flatten(c->getType(), parts);
  if (llvm::isa<llvm::UndefValue>(c)) {
    std::vector<Cell> cells;
    for (const auto& p : parts) cells.push_back({0, vm::undefined_of(p.width)});
    return cells;
  }
  if (!fits) return std::nullopt;
  if (c->isNullValue()) return std::vector<Cell>(parts.size());
  if (const auto* i = llvm::dyn_cast<llvm::ConstantInt>(c)) {
    std::vector<Cell> cells;
    const unsigned w = i->getBitWidth();
    while (cells.size() < parts.size())  // a vector has the same value in all places
      for (unsigned at = 0; at < w; at += 64)
        cells.push_back({i->getValue().extractBitsAsZExtValue(std::min(w - at, 64u), at), 0});
    return cells;
  }
  if (const auto* f = llvm::dyn_cast<llvm::ConstantFP>(c))
    return std::vector<Cell>(parts.size(), Cell{f->getValueAPF().bitcastToAPInt().getZExtValue(), 0});
  if (const auto* g = llvm::dyn_cast<llvm::GlobalVariable>(c)) {
    if (g->hasExternalWeakLinkage() && g->isDeclaration()) return std::vector<Cell>{{0, 0}};
    const auto o = objects_.lookup(g);
    if (o == 0) {
      missing_ = g->getName().str();
      return std::nullopt;
    }
    if (g->isThreadLocal()) return std::nullopt;
    return std::vector<Cell>{{std::uint64_t{o} << 32, vm::pointer_mark}};
  }
  if (const auto* f = llvm::dyn_cast<llvm::Function>(c)) {
    if (f->hasExternalWeakLinkage() && f->isDeclaration()) return std::vector<Cell>{{0, 0}};
    return std::vector<Cell>{{vm::function_address + 16 * std::uint64_t{functions_.lookup(f)}, 0}};
  }
  if (const auto* a = llvm::dyn_cast<llvm::GlobalAlias>(c)) return constant(a->getAliasee());
  if (const auto* b = llvm::dyn_cast<llvm::BlockAddress>(c))
    return std::vector<Cell>{{vm::block_address + block_address(*b), 0}};
  if (const auto* d = llvm::dyn_cast<llvm::DSOLocalEquivalent>(c)) return constant(d->getGlobalValue());
  if (const auto* e = llvm::dyn_cast<llvm::ConstantExpr>(c)) {
    const auto cell = constant_expression(e);
    if (!cell) return std::nullopt;
    return std::vector<Cell>{*cell};
  }
  // What is left but aggregates and vectors has no value here: the address of an ifunc is chosen by the loader.
  if (!llvm::isa<llvm::StructType, llvm::ArrayType, llvm::FixedVectorType>(c->getType())) return std::nullopt;
  std::vector<Cell> cells;
  const auto count = llvm::isa<llvm::StructType>(c->getType()) ? c->getType()->getStructNumElements()
                     : llvm::isa<llvm::ArrayType>(c->getType())
                         ? c->getType()->getArrayNumElements()
                         : llvm::cast<llvm::FixedVectorType>(c->getType())->getNumElements();
  for (unsigned k = 0; k < count; ++k) {
    const auto* element = c->getAggregateElement(k);
    if (element == nullptr) return std::nullopt;
    auto part = constant(element);
    if (!part) return std::nullopt;
    cells.insert(cells.end(), part->begin(), part->end());
  }
  return cells;
}

namespace {

// The bytes of a vector whose elements are no whole bytes: they lie side by side, bit by bit. Nothing if one is undefined.
std::optional<llvm::APInt> packed(const llvm::Constant& vector, unsigned count, unsigned width) {
  llvm::APInt bits((count * width + 7) / 8 * 8, 0);
  for (unsigned k = 0; k < count; ++k) {
    const auto* element = llvm::dyn_cast_or_null<llvm::ConstantInt>(vector.getAggregateElement(k));
    if (element == nullptr) return std::nullopt;
    bits.insertBits(element->getValue(), k * width);
  }
  return bits;
}

}  // namespace

bool ModuleTranslator::initialise(core::GlobalObject& o, const llvm::Constant* c, std::uint64_t offset) {
  const auto size = layout_.getTypeStoreSize(c->getType()).getFixedValue();
  if (c->isNullValue()) return true;
  if (llvm::isa<llvm::UndefValue>(c)) {
    if (o.defined.empty()) o.defined.assign(o.size, true);
    for (std::uint64_t k = 0; k < size; ++k) o.defined[offset + k] = false;
    return true;
  }
  if (const auto* d = llvm::dyn_cast<llvm::ConstantDataSequential>(c)) {
    const auto raw = d->getRawDataValues();
    std::memcpy(o.bytes.data() + offset, raw.data(), raw.size());
    return true;
  }
  if (llvm::isa<llvm::ConstantStruct>(c)) {
    const auto* l = layout_.getStructLayout(llvm::cast<llvm::StructType>(c->getType()));
    for (unsigned k = 0; k < c->getNumOperands(); ++k)
      if (!initialise(o, llvm::cast<llvm::Constant>(c->getOperand(k)), offset + l->getElementOffset(k))) return false;
    return true;
  }
  if (const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(c->getType())) {
    const auto width = static_cast<unsigned>(layout_.getTypeSizeInBits(type->getElementType()).getFixedValue());
    if (width % 8 != 0) {
      const auto bits = packed(*c, type->getNumElements(), width);
      for (std::uint64_t k = 0; bits && k < size; ++k)
        o.bytes[offset + k] = static_cast<std::byte>(bits->extractBitsAsZExtValue(8, static_cast<unsigned>(8 * k)));
      return bits.has_value();
    }
  }
  if (llvm::isa<llvm::ConstantArray, llvm::ConstantVector>(c)) {
    auto* element = c->getOperand(0)->getType();
    const auto step = llvm::isa<llvm::ConstantArray>(c) ? layout_.getTypeAllocSize(element).getFixedValue()
                                                        : layout_.getTypeStoreSize(element).getFixedValue();
    for (unsigned k = 0; k < c->getNumOperands(); ++k)
      if (!initialise(o, llvm::cast<llvm::Constant>(c->getOperand(k)), offset + k * step)) return false;
    return true;
  }
  std::vector<Part> parts;
  if (!flatten(c->getType(), parts)) return false;
  const auto cells = constant(c);
  if (!cells) return false;
  for (std::size_t k = 0; k < cells->size(); ++k) {
    const auto& cell = (*cells)[k];
    const auto at = offset + parts[k].offset;
    std::memcpy(o.bytes.data() + at, &cell.bits, vm::bytes_of(parts[k].width));
    if (cell.mark & vm::far_mark) return false;
    // Elsewhere memory holds numbers only; what globals point to keeps its name, so that makes no difference.
    if ((cell.mark & vm::pointer_mark) && at % 8 == 0) o.pointers.push_back(static_cast<std::uint32_t>(at));
    else if (cell.mark & vm::pointer_mark) out_.numbers_of_pointers = true;
  }
  return true;
}

bool ModuleTranslator::oversized(const llvm::Constant& c) const {
  if (const auto* g = llvm::dyn_cast<llvm::GlobalVariable>(&c))
    return layout_.getTypeAllocSize(g->getValueType()).getFixedValue() > vm::largest_object;
  if (!llvm::isa<llvm::ConstantExpr>(c)) return false;
  return llvm::any_of(c.operands(), [&](const llvm::Use& u) {
    const auto* operand = llvm::dyn_cast<llvm::Constant>(u.get());
    return operand != nullptr && oversized(*operand);
  });
}

void ModuleTranslator::globals() {
  // Numbers first: initial values refer to each other.
  for (const auto& g : module_.globals()) {
    if (g.isDeclaration() || g.getName().starts_with("llvm.") || oversized(g)) continue;
    core::GlobalObject o;
    o.name = g.getName().str();
    o.size = static_cast<std::uint32_t>(layout_.getTypeAllocSize(g.getValueType()).getFixedValue());
    o.constant = g.isConstant();
    o.thread_local_template = g.isThreadLocal();
    o.outside = library_.contains(o.name) || (g.isThreadLocal() && !escape_.escapes(&g));
    out_.globals.push_back(std::move(o));
    const auto number = static_cast<std::uint32_t>(out_.globals.size());
    objects_[&g] = number;
    if (g.isThreadLocal()) out_.tls.push_back(number);
    std::uint32_t type = 0;
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
    g.getDebugInfo(infos);
    if (!infos.empty()) {
      type = type_name(infos[0]->getVariable()->getType());
      const auto name = infos[0]->getVariable()->getName();
      // A function's static keeps its full IR name ("f.count"): the short one is not unique.
      if (g.hasExternalLinkage() && !name.empty()) out_.globals.back().name = name.str();
    }
    if (auto& name = out_.globals.back().name; name.starts_with("_Z")) {
      const auto end = std::min(name.find('.'), name.size());  // the linker's number of a second static of one name
      name = demangled(name.substr(0, end)) + name.substr(end);
    }
    out_.global_types.push_back(type);
    // Without a number it is for the target to choose. Clang always gives one; the optimiser makes a variable without one of
    // a block that is allocated once.
    const std::uint64_t align = g.getAlign() ? g.getAlign()->value() : vm::heap_alignment;
    out_.global_alignments.push_back(static_cast<std::uint32_t>(align));
  }
}

namespace {

// Whether numbers of the type have a sign. An enumeration without an underlying type counts as unsigned.
vm::TypeName::Number number_of(const llvm::DIType* t) {
  using enum vm::TypeName::Number;
  while (const auto* d = llvm::dyn_cast_or_null<llvm::DIDerivedType>(t)) t = d->getBaseType();
  if (t == nullptr) return Unsigned;
  const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(t);
  if (basic == nullptr) return None;
  switch (basic->getEncoding()) {
    case llvm::dwarf::DW_ATE_boolean:
    case llvm::dwarf::DW_ATE_unsigned:
    case llvm::dwarf::DW_ATE_unsigned_char:
    case llvm::dwarf::DW_ATE_UTF: return Unsigned;
    case llvm::dwarf::DW_ATE_signed:
    case llvm::dwarf::DW_ATE_signed_char: return Signed;
    default: return None;
  }
}

}  // namespace

std::uint32_t ModuleTranslator::type_name(const llvm::DIType* t) {
  while (const auto* d = llvm::dyn_cast_or_null<llvm::DIDerivedType>(t)) {
    if (d->getTag() == llvm::dwarf::DW_TAG_pointer_type) break;
    t = d->getBaseType();
  }
  if (t == nullptr) return 0;
  if (const auto it = types_.find(t); it != types_.end()) return it->second;
  const auto index = static_cast<std::uint32_t>(out_.types.size());
  types_[t] = index;
  out_.types.emplace_back();
  vm::TypeName n;
  n.size = static_cast<std::uint32_t>(t->getSizeInBits() / 8);
  if (const auto* c = llvm::dyn_cast<llvm::DICompositeType>(t)) {
    if (c->getTag() == llvm::dwarf::DW_TAG_array_type) {
      n.kind = vm::TypeName::Kind::Array;
      n.element = type_name(c->getBaseType());
      // Inner dimensions: an array of arrays is one type with several ranges.
      const auto ranges = c->getElements();
      std::uint32_t inner = n.element;
      for (unsigned k = ranges.size(); k-- > 1;) {
        const auto* range = llvm::dyn_cast<llvm::DISubrange>(ranges[k]);
        const auto count =
            range != nullptr ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
        if (count == nullptr) break;
        vm::TypeName row;
        row.kind = vm::TypeName::Kind::Array;
        row.element = inner;
        row.size = static_cast<std::uint32_t>(count->getZExtValue()) * out_.types[inner].size;
        out_.types.push_back(row);
        inner = static_cast<std::uint32_t>(out_.types.size() - 1);
      }
      n.element = inner;
    } else if (c->getTag() == llvm::dwarf::DW_TAG_enumeration_type) {
      n.number = number_of(c->getBaseType());
    } else {
      n.kind = vm::TypeName::Kind::Record;
      for (const auto* e : c->getElements()) {
        const auto* m = llvm::dyn_cast<llvm::DIDerivedType>(e);
        if (m == nullptr) continue;
        if (m->getTag() == llvm::dwarf::DW_TAG_inheritance && m->getOffsetInBits() == 0 && n.element == 0)
          n.element = type_name(m->getBaseType());
        if (m->getTag() == llvm::dwarf::DW_TAG_member && !m->isStaticMember())
          n.fields.push_back({m->getName().str(), static_cast<std::uint32_t>(m->getOffsetInBits() / 8),
                              type_name(m->getBaseType()), m->isBitField()});
      }
    }
  } else if (t->getTag() == llvm::dwarf::DW_TAG_pointer_type) {
    n.kind = vm::TypeName::Kind::Pointer;
    n.size = 8;
  } else {
    n.number = number_of(t);
  }
  out_.types[index] = std::move(n);
  return index;
}

namespace {

// The name as in the source: methods with their class, lambdas and initialisers by what they are.
std::string name_of(const llvm::DISubprogram& f) {
  const auto* declared = f.getDeclaration() != nullptr ? f.getDeclaration() : &f;
  const auto* type = llvm::dyn_cast_or_null<llvm::DICompositeType>(declared->getScope());
  if (f.getName() == "operator()" && (type == nullptr || type->getName().empty() || type->getName().starts_with("(")))
    return "lambda";
  if (f.getName().starts_with("__cxx_global_var_init")) return "initialisation";
  if (type == nullptr || type->getName().empty()) return vm::without_versions(f.getName().str());
  return vm::without_versions((type->getName() + "::" + f.getName()).str());
}

// Is it a call of a constructor?
bool constructs(const llvm::CallBase& call) {
  const llvm::Function* function = call.getCalledFunction();
  const llvm::DISubprogram* info = function != nullptr ? function->getSubprogram() : nullptr;
  if (info == nullptr || info->getDeclaration() == nullptr) return false;
  const auto* type = llvm::dyn_cast_or_null<llvm::DICompositeType>(info->getDeclaration()->getScope());
  return type != nullptr && type->getName().split('<').first == info->getName().split('<').first;
}

}  // namespace

bool ModuleTranslator::in_library_header(const llvm::DIScope* scope) {
  if (scope == nullptr || scope->getFile() == nullptr) return false;
  const auto [it, fresh] = library_headers_.try_emplace(scope->getFile(), false);
  if (fresh) it->second = !cxx_header_of(scope, options_).empty();
  return it->second;
}

const ModuleTranslator::ScopeNames& ModuleTranslator::names(const llvm::DILocalScope& scope) {
  const auto [it, fresh] = scope_names_.try_emplace(&scope);
  if (fresh) {
    it->second.file = string(file_of(scope));
    it->second.function = string(name_of(*scope.getSubprogram()));
  }
  return it->second;
}

core::Site ModuleTranslator::site(const llvm::Instruction& i) {
  vm::SiteInfo s;
  const llvm::DILocation* where = i.getDebugLoc();
  // What was inlined from a header of the library is where the program calls it.
  while (where != nullptr && where->getInlinedAt() != nullptr && in_library_header(where->getScope()))
    where = where->getInlinedAt();
  if (where != nullptr) {
    s.line = where->getLine();
    s.column = where->getColumn();
    const ScopeNames& scope = names(*where->getScope());
    s.file = scope.file;
    s.function = scope.function;
  }
  if (s.function == 0) s.function = string(i.getFunction()->getName());
  const auto [known, fresh] = library_functions_.try_emplace(i.getFunction(), false);
  if (fresh) known->second = in_library(*i.getFunction());
  s.library =
      known->second || in_library_header(where != nullptr ? where->getScope() : i.getFunction()->getSubprogram());
  if (const auto* pointer = llvm::getLoadStorePointerOperand(&i); pointer != nullptr)
    s.access = string(access_name(*pointer, layout_));
  else if (const auto* r = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
    s.access = string(access_name(*r->getPointerOperand(), layout_));
  else if (const auto* c = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
    s.access = string(access_name(*c->getPointerOperand(), layout_));
  else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
    if (const unsigned at = constructs(*call) && call->arg_size() == 2 ? 1 : 0;
        call->arg_size() > at && call->getArgOperand(at)->getType()->isPointerTy())
      s.subject = string(access_name(*call->getArgOperand(at), layout_));
  out_.sites.push_back(s);
  return static_cast<core::Site>(out_.sites.size() - 1);
}

std::uint32_t ModuleTranslator::point(const std::string& name) {
  if (!options_.points) return 0;
  const auto at = std::ranges::find(out_.points, name);
  const auto number = static_cast<std::uint32_t>(at - out_.points.begin()) + 1;
  if (at == out_.points.end()) out_.points.push_back(name);
  return number;
}

std::uint32_t ModuleTranslator::signature(vm::Signature s) {
  const auto at = std::ranges::find(out_.signatures, s);
  if (at != out_.signatures.end()) return static_cast<std::uint32_t>(at - out_.signatures.begin());
  out_.signatures.push_back(std::move(s));
  return static_cast<std::uint32_t>(out_.signatures.size() - 1);
}

void ModuleTranslator::add_parts(llvm::Type* type, std::vector<vm::Signature::Part>& out) const {
  std::vector<Part> parts;
  if (type->isVoidTy() || !flatten(type, parts)) return;
  const bool is_float = type->getScalarType()->isFloatingPointTy();  // of structures only widths are compared
  for (const auto& p : parts) out.push_back({is_float, static_cast<std::uint8_t>(p.width)});
}

vm::Signature ModuleTranslator::signature_of(const llvm::Function& f) const {
  vm::Signature s;
  for (auto* type : f.getFunctionType()->params()) add_parts(type, s.params);
  add_parts(f.getReturnType(), s.results);
  return s;
}

namespace {

bool has_cxx_unit(const llvm::Module& module) {
  return llvm::any_of(module.debug_compile_units(), [](const llvm::DICompileUnit* unit) {
    return llvm::dwarf::isCPlusPlus(static_cast<llvm::dwarf::SourceLanguage>(unit->getSourceLanguage()));
  });
}

}  // namespace

std::optional<support::Diagnostic> ModuleTranslator::run(const llvm::Function& entry) {
  globals();
  std::vector<const llvm::Function*> order;
  for (const auto& f : module_) {
    functions_[&f] = static_cast<std::uint32_t>(order.size());
    order.push_back(&f);
    out_.functions.emplace_back();
    out_.functions.back().name = f.getName().str();
    out_.functions.back().shown = demangled(f.getName().str());
    out_.functions.back().library = in_library(f) || in_library_header(f.getSubprogram());
    out_.functions.back().nounwind = f.doesNotThrow();
    out_.functions.back().signature = signature(signature_of(f));
    for (const auto& b : f)
      if (b.hasAddressTaken())
        if (auto* address = llvm::BlockAddress::lookup(&b)) block_address(*address);
  }
  for (const auto& g : module_.globals()) {
    const auto number = objects_.lookup(&g);
    if (number == 0) continue;
    auto& o = out_.globals[number - 1];
    o.bytes.assign(o.size, std::byte{0});
    missing_.clear();
    if (!initialise(o, g.getInitializer(), 0)) {
      support::Diagnostic d;
      d.file = module_.getSourceFileName();
      d.message = missing_.empty() ? "the initial value of the variable " + o.name + " is not supported"
                                   : "the initial value of the variable " + o.name + " refers to " + missing_ +
                                         ", which is defined nowhere";
      return d;
    }
  }
  for (const auto* f : order) {
    if (f->isDeclaration()) continue;
    if (options_.budget != nullptr)
      if (auto reason = options_.budget->over())
        return core::stopped_at(module_.getSourceFileName(), "its translation was stopped: " + reason->text);
    const auto index = functions_.lookup(f);
    if (f->hasPersonalityFn())
      if (const auto reader = constant(f->getPersonalityFn())) out_.functions[index].personality = reader->front().bits;
    if (const auto* table = exceptions_.table(*f)) out_.functions[index].exception_table = objects_.lookup(table);
    auto draft = FunctionTranslator(*this, *f).run();
    if (options_.fence_slots && !out_.functions[index].library) vm::add_fence_slots(draft);
    const auto why = vm::assemble(draft, options_.pending_loads, index, out_, out_.functions[index]);
    if (!why.empty()) {
      support::Diagnostic d;
      d.file = module_.getSourceFileName();
      d.message = "the function " + f->getName().str() + " is too large: " + why;
      return d;
    }
  }
  out_.entry = functions_.lookup(&entry);
  out_.pending_loads = options_.pending_loads;
  out_.cxx = has_cxx_unit(module_);
  return std::nullopt;
}

}  // namespace heddle::lang::llvm_ir
