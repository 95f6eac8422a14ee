// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "vm/bytecode.h"

namespace heddle::vm {

const char* name_of(Op op) {
  static constexpr const char* names[] = {
#define HEDDLE_OP(name, shape) #name,
      HEDDLE_OPS(HEDDLE_OP)
#undef HEDDLE_OP
  };
  return names[static_cast<std::size_t>(op)];
}

std::string dump(const Module& module, const Function& f) {
  std::string out = fmt::format("{}: {} registers, {} words\n", f.name, f.registers, f.frame_words);
  auto operand = [&](Operand o) {
    if (!(o & constant_operand)) return fmt::format("r{}", o);
    const auto& c = f.constants[o & 0x7fff];
    if (c.mark & undefined_mark) return std::string("undef");
    if (c.mark & pointer_mark) return fmt::format("&{}+{}", module.globals[upper(c.bits) - 1].name, lower(c.bits));
    return fmt::format("{}", c.bits);
  };
  for (std::size_t pc = 0; pc < f.code.size(); ++pc) {
    const auto& i = f.code[pc];
    const auto shape = shape_of(i.op);
    out += fmt::format("{:5}  ", pc);
    if (shape & D) out += operand(i.dst) + " = ";
    out += fmt::format("{}.{}", name_of(i.op), i.width);
    if (i.sub != 0) out += fmt::format("/{}", i.sub);
    if (shape & A) out += " " + operand(i.a);
    if (shape & B) out += " " + operand(i.b);
    if (shape & C) out += " " + operand(i.c);
    if (i.op == Op::Call) out += " " + module.functions[i.b | static_cast<std::uint32_t>(i.c) << 16].name;
    if ((i.op == Op::Call || i.op == Op::CallInd) && i.dst != 0)
      out += fmt::format(" else #{}", f.landings[i.dst - 1u]);
    if (shape & L) {
      const Operand* list = f.lists.data() + i.imm;
      for (const char* what : {" (", " -> (", " clear ("}) {
        const std::size_t n = *list++;
        if (n != 0) {
          out += what;
          for (std::size_t k = 0; k < n; ++k) out += (k ? " " : "") + operand(list[k]);
          out += ")";
        }
        list += n;
      }
    } else if (i.imm != 0 || (shape & J)) {
      out += fmt::format(" #{}", i.imm);
    }
    out += "\n";
  }
  return out;
}

}  // namespace heddle::vm
