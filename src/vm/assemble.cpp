// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "support/diagnostics.h"
#include "vm/draft.h"
#include "vm/layout.h"

namespace heddle::vm {
namespace {

using Word = std::uint64_t;

class BitMatrix {
 public:
  BitMatrix(std::size_t rows, std::size_t columns) : words_((columns + 63) / 64), data_(rows * words_) {}
  Word* row(std::size_t r) { return data_.data() + r * words_; }
  const Word* row(std::size_t r) const { return data_.data() + r * words_; }
  std::size_t words() const { return words_; }

 private:
  std::size_t words_;
  std::vector<Word> data_;
};

bool test(const Word* set, std::uint32_t i) { return (set[i / 64] >> (i % 64)) & 1; }
void add(Word* set, std::uint32_t i) { set[i / 64] |= Word{1} << (i % 64); }
void remove(Word* set, std::uint32_t i) { set[i / 64] &= ~(Word{1} << (i % 64)); }

template <class F>
void each(const Word* set, std::size_t words, F&& f) {
  for (std::size_t w = 0; w < words; ++w)
    for (Word bits = set[w]; bits != 0; bits &= bits - 1)
      f(static_cast<std::uint32_t>(w * 64 + static_cast<unsigned>(__builtin_ctzll(bits))));
}

bool is_register(DraftOperand o) { return o < draft_constant && o != no_operand; }

template <class F>
void each_use(const DraftInsn& i, F&& f) {
  const auto shape = shape_of(i.op);
  if ((shape & A) && is_register(i.a)) f(i.a);
  if ((shape & B) && is_register(i.b)) f(i.b);
  if ((shape & C) && is_register(i.c)) f(i.c);
  if (shape & L)
    for (auto u : i.uses)
      if (is_register(u)) f(u);
}
template <class F>
void each_def(const DraftInsn& i, F&& f) {
  if ((shape_of(i.op) & D) && is_register(i.dst)) f(i.dst);
  if (shape_of(i.op) & L)
    for (auto d : i.defs)
      if (is_register(d)) f(d);
}

// A frame rests here, or lies below a frame that does.
bool is_rest(const DraftInsn& i) { return (shape_of(i.op) & V) != 0 && i.op != Op::Ret; }
bool is_call(const DraftInsn& i) { return i.op == Op::Call || i.op == Op::CallInd; }

class Assembler {
 public:
  Assembler(const Draft& draft, bool pending)
      : draft_(draft), pending_(pending), n_(draft.registers), blocks_(draft.blocks) {}

  std::string run(std::uint32_t self, Module& module, Function& out) {
    successors();
    if (!draft_.returns_twice) {
      liveness();
      colour();
    } else {
      colours_.resize(n_);
      std::iota(colours_.begin(), colours_.end(), 0u);
      count_ = n_;
    }
    rename();
    if (count_ >= constant_operand || draft_.constants.size() >= constant_operand)
      return "too many registers or constants";
    if (!draft_.returns_twice) {
      n_ = count_;
      liveness();
      clear_dead();
    }
    return emit(self, module, out);
  }

 private:
  void successors() {
    const auto count = static_cast<std::uint32_t>(blocks_.size());
    next_.assign(count, {});
    std::vector<std::uint32_t> addressed;
    for (const auto& [block, index] : draft_.block_addresses) addressed.push_back(block);
    for (std::uint32_t b = 0; b < count; ++b) {
      bool falls = true;
      for (const auto& i : blocks_[b]) {
        if (i.op == Op::Switch) {
          const auto& table = draft_.switches[i.imm];
          for (const auto& c : table.cases) next_[b].push_back(c.second);
          next_[b].push_back(table.otherwise);
        } else if (i.op == Op::IndirectBr) {
          next_[b].insert(next_[b].end(), addressed.begin(), addressed.end());
        } else if (shape_of(i.op) & J) {
          next_[b].push_back(i.imm);
        }
        if (i.landing != no_block) next_[b].push_back(i.landing);
        if ((shape_of(i.op) & T) && i.op != Op::Br) falls = false;
      }
      if (falls && b + 1 < count) next_[b].push_back(b + 1);
      std::sort(next_[b].begin(), next_[b].end());
      next_[b].erase(std::unique(next_[b].begin(), next_[b].end()), next_[b].end());
    }
  }

  // Classical backward data flow. Branches end blocks, except that a Br may be followed by a Jmp: uses of a block's
  // tail are met in reverse order, so treating the block as straight line is exact enough (a Br only reads). The same
  // holds for a call with a landing: only a Jmp follows it, and nothing that the call writes is live in its landing.
  void liveness() {
    const std::size_t count = blocks_.size();
    live_in_ = std::make_unique<BitMatrix>(count, n_);
    live_out_ = std::make_unique<BitMatrix>(count, n_);
    const std::size_t words = live_in_->words();
    BitMatrix gen(count, n_), kill(count, n_);
    for (std::size_t b = 0; b < count; ++b)
      for (const auto& i : blocks_[b]) {
        each_use(i, [&](std::uint32_t r) {
          if (!test(kill.row(b), r)) add(gen.row(b), r);
        });
        each_def(i, [&](std::uint32_t r) { add(kill.row(b), r); });
      }
    std::vector<std::vector<std::uint32_t>> before(count);
    for (std::uint32_t b = 0; b < count; ++b)
      for (auto s : next_[b]) before[s].push_back(b);
    std::vector<bool> due(count, true);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t b = count; b-- > 0;) {
        if (!due[b]) continue;
        due[b] = false;
        Word* out = live_out_->row(b);
        for (auto s : next_[b])
          for (std::size_t w = 0; w < words; ++w) out[w] |= live_in_->row(s)[w];
        Word* in = live_in_->row(b);
        bool changed = false;
        for (std::size_t w = 0; w < words; ++w) {
          const Word now = gen.row(b)[w] | (out[w] & ~kill.row(b)[w]);
          changed |= now != in[w];
          in[w] = now;
        }
        if (!changed) continue;
        for (auto p : before[b]) due[p] = true;
        more = true;
      }
    }
  }

  std::uint32_t leader(std::uint32_t r) {
    while (leaders_[r] != r) r = leaders_[r] = leaders_[leaders_[r]];
    return r;
  }

  // Interference, then merging of copies wherever that is possible, then greedy colouring.
  void colour() {
    BitMatrix meets(n_, n_);
    const std::size_t words = meets.words();
    std::vector<Word> live(words);
    auto meet = [&](std::uint32_t x, std::uint32_t y) {
      if (x == y) return;
      add(meets.row(x), y);
      add(meets.row(y), x);
    };
    std::vector<bool> alone(n_, pending_);
    for (auto r : draft_.stack_regs) alone[r] = true;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      std::copy_n(live_out_->row(b), words, live.begin());
      for (auto it = blocks_[b].rbegin(); it != blocks_[b].rend(); ++it) {
        const bool copy = it->op == Op::Mov && is_register(it->a);
        each_def(*it, [&](std::uint32_t d) {
          each(live.data(), words, [&](std::uint32_t l) {
            if (!(copy && l == it->a)) meet(d, l);
          });
          each_def(*it, [&](std::uint32_t other) { meet(d, other); });
        });
        each_def(*it, [&](std::uint32_t d) { remove(live.data(), d); });
        each_use(*it, [&](std::uint32_t u) { add(live.data(), u); });
      }
    }
    // Parameters and what is live on entry (registers read before they are written) exist together.
    for (auto p : draft_.params) {
      for (auto q : draft_.params) meet(p, q);
      each(live_in_->row(0), words, [&](std::uint32_t l) { meet(p, l); });
    }
    each(live_in_->row(0), words,
         [&](std::uint32_t l) { each(live_in_->row(0), words, [&](std::uint32_t m) { meet(l, m); }); });

    leaders_.resize(n_);
    std::iota(leaders_.begin(), leaders_.end(), 0u);
    std::vector<bool> fixed(n_);
    for (auto r : draft_.stack_regs) fixed[r] = true;
    for (const auto& block : blocks_)
      for (const auto& i : block) {
        if (i.op != Op::Mov || !is_register(i.a)) continue;
        const auto x = leader(i.dst), y = leader(i.a);
        if (x == y || test(meets.row(x), y) || fixed[x] || fixed[y]) continue;
        leaders_[y] = x;
        each(meets.row(y), words, [&](std::uint32_t l) { meet(x, l); });
        // Neighbours must know the new leader too, and they may be merged themselves already: rows are kept closed.
        Word* row = meets.row(x);
        for (std::size_t w = 0; w < words; ++w) row[w] |= meets.row(y)[w];
      }

    colours_.assign(n_, 0xffffffff);
    std::vector<bool> used(n_);
    for (const auto& block : blocks_)
      for (const auto& i : block) {
        auto mark = [&](std::uint32_t r) { used[leader(r)] = true; };
        each_use(i, mark);
        each_def(i, mark);
      }
    for (auto p : draft_.params) used[leader(p)] = true;
    std::vector<Word> taken, taken_alone(n_ / 64 + 1);
    count_ = 0;
    auto give = [&](std::uint32_t r) {
      if (alone[r]) {
        add(taken_alone.data(), count_);
        colours_[r] = count_++;
        return;
      }
      taken = taken_alone;
      each(meets.row(r), words, [&](std::uint32_t l) {
        const auto c = colours_[leader(l)];
        if (c != 0xffffffff) add(taken.data(), c);
      });
      std::uint32_t c = 0;
      while (test(taken.data(), c)) ++c;
      colours_[r] = c;
      count_ = std::max(count_, c + 1);
    };
    for (std::uint32_t r = 0; r < n_; ++r)
      if (alone[r] && used[r] && leader(r) == r) give(r);
    for (std::uint32_t r = 0; r < n_; ++r)
      if (used[r] && leader(r) == r && colours_[r] == 0xffffffff) give(r);
    for (std::uint32_t r = 0; r < n_; ++r)
      if (used[leader(r)]) colours_[r] = colours_[leader(r)];
  }

  void rename() {
    auto name = [&](DraftOperand& o) {
      if (is_register(o)) o = colours_[o];
    };
    for (auto& block : blocks_)
      for (auto& i : block) {
        const auto shape = shape_of(i.op);
        if (shape & D) name(i.dst);
        if (shape & A) name(i.a);
        if (shape & B) name(i.b);
        if (shape & C) name(i.c);
        for (auto& u : i.uses) name(u);
        for (auto& d : i.defs) name(d);
      }
    for (auto& block : blocks_)
      std::erase_if(block, [](const DraftInsn& i) { return i.op == Op::Mov && i.dst == i.a; });
    for (std::uint32_t b = 0; b + 1 < blocks_.size(); ++b)
      if (!blocks_[b].empty() && blocks_[b].back().op == Op::Jmp && blocks_[b].back().imm == b + 1)
        blocks_[b].pop_back();
  }

  // What is live before each instruction of block b, a row each, and after the last.
  void find_live(std::size_t b, std::vector<Word>& rows) const {
    const auto& block = blocks_[b];
    const std::size_t words = live_out_->words();
    rows.resize((block.size() + 1) * words);
    Word* row = rows.data() + block.size() * words;
    std::copy_n(live_out_->row(b), words, row);
    for (std::size_t k = block.size(); k-- > 0; row -= words) {
      Word* before = row - words;
      std::copy_n(row, words, before);
      each_def(block[k], [&](std::uint32_t d) { remove(before, d); });
      each_use(block[k], [&](std::uint32_t u) { add(before, u); });
    }
  }

  // Forward: which registers may hold something other than zero ("dirty"). Before a request those of them that are dead
  // are cleared; a call clears what is dead after it once it has read its arguments.
  void clear_dead() {
    const std::size_t count = blocks_.size();
    BitMatrix dirty(count, n_);   // on entry
    BitMatrix passes(count, n_);  // what of that is dirty on exit, too
    BitMatrix leaves(count, n_);  // what is dirty on exit in any case
    const std::size_t words = dirty.words();
    std::vector<Word> live, after(words);
    const auto live_after = [&](const DraftInsn& call, std::size_t k) {
      std::copy_n(live.data() + (k + 1) * words, words, after.begin());
      each_def(call, [&](std::uint32_t d) { remove(after.data(), d); });
      return after.data();
    };
    for (std::size_t b = 0; b < count; ++b) {
      find_live(b, live);
      Word *keep = passes.row(b), *gen = leaves.row(b);
      std::fill_n(keep, words, ~Word{0});
      for (std::size_t k = 0; k < blocks_[b].size(); ++k) {
        const DraftInsn& i = blocks_[b][k];
        const Word* stays = nullptr;
        if (is_rest(i)) {
          stays = live.data() + k * words;
        } else if (is_call(i)) {
          each_use(i, [&](std::uint32_t u) { add(gen, u); });
          stays = live_after(i, k);
        }
        for (std::size_t w = 0; stays != nullptr && w < words; ++w) {
          keep[w] &= stays[w];
          gen[w] &= stays[w];
        }
        each_def(i, [&](std::uint32_t d) { add(gen, d); });
      }
    }
    for (auto p : draft_.params) add(dirty.row(0), colours_[p]);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = 0; b < count; ++b)
        for (auto s : next_[b])
          for (std::size_t w = 0; w < words; ++w) {
            const Word out = (dirty.row(b)[w] & passes.row(b)[w]) | leaves.row(b)[w];
            changed |= (out & ~dirty.row(s)[w]) != 0;
            dirty.row(s)[w] |= out;
          }
    }
    for (std::size_t b = 0; b < count; ++b) {
      find_live(b, live);
      clear_in_block(b, dirty.row(b), live, live_after);
    }
  }

  // `now`: what is dirty before the instruction at hand.
  template <class LiveAfter>
  void clear_in_block(std::size_t b, Word* now, const std::vector<Word>& live, const LiveAfter& live_after) {
    const std::size_t words = live_out_->words();
    std::vector<DraftInsn> result;
    for (std::size_t k = 0; k < blocks_[b].size(); ++k) {
      DraftInsn& i = blocks_[b][k];
      std::vector<DraftOperand> cleared;
      const auto clear_but = [&](const Word* stays) {
        each(now, words, [&](std::uint32_t r) {
          if (!test(stays, r)) cleared.push_back(r);
        });
        for (auto r : cleared) remove(now, r);
      };
      if (is_rest(i)) {
        clear_but(live.data() + k * words);
        if (!cleared.empty()) {
          DraftInsn clear;
          clear.op = Op::Clear;
          clear.site = i.site;
          clear.defs = cleared;
          result.push_back(std::move(clear));
        }
      } else if (is_call(i)) {
        each_use(i, [&](std::uint32_t u) { add(now, u); });
        clear_but(live_after(i, k));
        call_clears_.push_back(cleared);
      }
      each_def(i, [&](std::uint32_t d) { add(now, d); });
      result.push_back(std::move(i));
    }
    blocks_[b] = std::move(result);
  }

  std::string emit(std::uint32_t self, Module& module, Function& out) {
    out.constants = draft_.constants;
    out.variadic = draft_.variadic;
    out.atomic = draft_.atomic;
    out.registers = count_;
    for (auto p : draft_.params) out.params.push_back(static_cast<Operand>(colour_of(p)));
    for (auto r : draft_.stack_regs)
      if (colour_of(r) != 0xffffffff) out.stack_regs.push_back(static_cast<Operand>(colour_of(r)));
    for (const auto& [r, alignment] : draft_.loose_objects)
      if (colour_of(r) != 0xffffffff) out.loose_objects.emplace_back(static_cast<Operand>(colour_of(r)), alignment);
    std::uint32_t word = frame_header_words + count_ + mark_words(count_);
    for (const auto& p : draft_.privates) {
      out.privates.push_back({word, p.size});
      word += private_words(p.size);
    }
    out.frame_words = word;

    std::vector<std::uint32_t> starts(blocks_.size() + 1);
    std::uint32_t at = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      starts[b] = at;
      at += static_cast<std::uint32_t>(blocks_[b].size());
    }
    starts[blocks_.size()] = at;
    std::size_t call = 0;
    auto code = [&](DraftOperand o) -> Operand {
      if (o == no_operand) return 0;
      return static_cast<Operand>(o & draft_constant ? (o & 0x7fff) | constant_operand : o);
    };
    for (auto& block : blocks_)
      for (auto& i : block) {
        Insn e;
        e.op = i.op;
        e.width = i.width;
        e.sub = i.sub;
        e.dst = code(i.dst);
        e.a = code(i.a);
        e.b = code(i.b);
        e.c = code(i.c);
        e.imm = i.imm;
        const auto shape = shape_of(i.op);
        if (shape & J) e.imm = starts[i.imm];
        if (shape & L) {
          if (is_call(i)) {  // CallInd: of the call's signature
            e.b = static_cast<Operand>(i.imm & 0xffff);
            e.c = static_cast<Operand>(i.imm >> 16);
            if (i.landing != no_block) {
              if (out.landings.size() >= 0xffff) return "too many calls with landing pads";
              out.landings.push_back(starts[i.landing]);
              e.dst = static_cast<Operand>(out.landings.size());
            }
          } else if (i.op == Op::Landing) {
            if (i.imm > 0xffff) return "too many calls with landing pads";
            e.a = static_cast<Operand>(i.imm);
          }
          e.imm = static_cast<std::uint32_t>(out.lists.size());
          std::vector<DraftOperand> clears;
          if (is_call(i) && !draft_.returns_twice) clears = call_clears_[call++];
          for (const auto* list : {&i.uses, &i.defs, &clears}) {
            if (list->size() > 0x7fff) return "too many operands";
            out.lists.push_back(static_cast<Operand>(list->size()));
            for (auto o : *list) out.lists.push_back(code(o));
          }
        }
        out.code.push_back(e);
        out.sites.push_back(i.site);
      }
    for (auto table : draft_.switches) {
      for (auto& c : table.cases) c.second = starts[c.second];
      table.otherwise = starts[table.otherwise];
      std::sort(table.cases.begin(), table.cases.end());
      out.switches.push_back(std::move(table));
    }
    for (const auto& [block, index] : draft_.block_addresses) module.blocks[index] = {self, starts[block]};
    if (pending_) keep_liveness(out);
    out.defined = true;
    return {};
  }

  std::uint32_t colour_of(std::uint32_t r) const { return colours_[r]; }

  void keep_liveness(Function& out) {
    out.live_words = count_ / 64 + 1;
    out.live.assign(out.code.size() * out.live_words, ~Word{0});
    if (draft_.returns_twice) return;
    n_ = count_;
    liveness();
    std::size_t at = out.code.size();
    std::vector<Word> live(live_out_->words() + 1);
    for (std::size_t b = blocks_.size(); b-- > 0;) {
      std::copy_n(live_out_->row(b), live_out_->words(), live.begin());
      for (auto it = blocks_[b].rbegin(); it != blocks_[b].rend(); ++it) {
        if (it->op != Op::Clear) each_def(*it, [&](std::uint32_t d) { remove(live.data(), d); });
        each_use(*it, [&](std::uint32_t u) { add(live.data(), u); });
        --at;
        std::copy_n(live.begin(), std::min<std::size_t>(live.size(), out.live_words),
                    out.live.begin() + static_cast<std::ptrdiff_t>(at * out.live_words));
      }
    }
  }

  const Draft& draft_;
  bool pending_;
  std::uint32_t n_;
  std::vector<std::vector<DraftInsn>> blocks_;
  std::vector<std::vector<std::uint32_t>> next_;
  std::unique_ptr<BitMatrix> live_in_, live_out_;
  std::vector<std::uint32_t> leaders_, colours_;
  std::vector<std::vector<DraftOperand>> call_clears_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::string assemble(const Draft& draft, bool pending, std::uint32_t self, Module& module, Function& out) {
  return Assembler(draft, pending).run(self, module, out);
}

}  // namespace heddle::vm
