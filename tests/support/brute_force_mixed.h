// As brute_force.h, byte by byte, for programs whose accesses differ in size: every byte of a read sees some write of
// that byte, every byte has its own coherence order, and a model of axioms/ judges whole accesses, as its machine has
// them, with a slice for each byte.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "axioms/models.h"
#include "core/execution_witness.h"
#include "core/program.h"
#include "core/rmw.h"
#include "support/brute_force.h"

namespace heddle::test {

// An execution by what each byte of each access sees or follows. Accesses are numbered within their threads, whatever
// their pieces.
inline std::string bytes_of(const core::ExecutionWitness& w) {
  using Kind = core::WitnessEvent::Kind;
  std::map<std::uint32_t, std::uint32_t> count;
  std::vector<std::string> names;
  for (const auto& e : w.events) {
    if (e.piece == 0) ++count[e.thread];
    names.push_back(event_name(e.thread, count[e.thread] - 1));
  }
  const auto name = [&](std::int32_t i) { return i < 0 ? std::string("init") : names[static_cast<std::size_t>(i)]; };
  std::set<std::string> parts;
  for (std::size_t i = 0; i < w.events.size(); ++i) {
    const auto& e = w.events[i];
    if (e.kind != Kind::Read && e.kind != Kind::Write) continue;
    for (std::uint32_t b = 0; b < e.loc.size; ++b)
      parts.insert(names[i] + "@" + std::to_string(e.loc.object) + "+" + std::to_string(e.loc.offset + b) + "=" +
                   std::to_string((e.value.bits >> (8 * b)) & 0xff) +
                   (e.kind == Kind::Read ? "<" + name(e.rf) : ">" + name(e.co_prev)));
  }
  std::string all;
  for (const auto& s : parts) all += s + " ";
  return all;
}

class BruteForceMixed {
 public:
  using Byte = std::pair<std::uint32_t, std::uint32_t>;  // object, offset

  explicit BruteForceMixed(const core::Program& p) : program_(p) {
    bool settled = false;
    for (unsigned round = 0; round < 7 && !settled; ++round) {
      runs_.assign(p.initial_threads().size(), {});
      const auto before = domain_;
      for (std::uint32_t t = 0; t < runs_.size(); ++t) {
        core::Local l;
        auto shadow = p.make_shadow();
        p.start(p.initial_threads()[t].entry, p.initial_threads()[t].arg, t, l, shadow.get());
        BruteRun run;
        extend(t, l, *shadow, run);
      }
      settled = domain_ == before;
      for (const auto& r : runs_) settled &= r.size() <= 2000;
    }
    double product = 1;
    for (const auto& r : runs_) product *= static_cast<double>(r.size());
    too_many_ = product > 20000 || !settled;
  }

  bool gave_up = false;
  std::set<std::string> executions(const axioms::Model& model, std::uint64_t limit) {
    found_.clear();
    model_ = &model;
    left_ = limit;
    gave_up = too_many_;
    std::vector<const BruteRun*> chosen;
    choose(chosen);
    return found_;
  }

 private:
  std::uint64_t initial(const Byte& b) const {
    return std::to_integer<std::uint64_t>(program_.globals()[b.first - 1].bytes[b.second]);
  }
  static std::uint64_t byte_of(const axioms::Event& e, const Byte& b) {
    return (e.value.bits >> (8 * (b.second - e.loc.offset))) & 0xff;
  }
  static bool covers(const core::Loc& l, const Byte& b) {
    return l.object == b.first && l.offset <= b.second && b.second < l.offset + l.size;
  }

  void extend(std::uint32_t t, const core::Local& l, const core::Shadow& shadow, BruteRun& run) {
    const core::Request q = program_.request(l);
    if (q.kind == core::Kind::Ended) {
      runs_[t].push_back(run);
      return;
    }
    if (q.stands_still() || q.kind == core::Kind::Failed || run.size() > 12 || runs_[t].size() > 2000) return;
    const core::Deps d = program_.deps(l, shadow);
    const auto push = [&](axioms::EventKind kind, std::uint64_t value, core::Order order) {
      BruteEvent b;
      b.e.kind = kind;
      b.e.order = order;
      b.e.instruction = q.order;
      b.e.tag = q.tag;
      b.e.in_rmw = q.kind == core::Kind::Rmw;
      b.e.exclusive = b.e.in_rmw && q.op == core::RmwOp::Cas;  // a compare-exchange, until compile() decides
      b.e.thread = static_cast<std::uint16_t>(t);
      b.e.index = static_cast<std::uint32_t>(run.size());
      b.e.value = value;
      b.ctrl = d.ctrl;
      if (kind != axioms::EventKind::Fence) {
        b.e.loc = q.loc;
        b.addr = d.addr;
      }
      if (kind == axioms::EventKind::Write) {
        b.data = d.data;
        for (std::uint32_t i = 0; i < q.loc.size; ++i)
          domain_[{q.loc.object, q.loc.offset + i}].insert((value >> (8 * i)) & 0xff);
      }
      run.push_back(b);
    };
    const auto go_on = [&](const core::Answer& a) {
      core::Local next = l;
      auto s = program_.copy_shadow(shadow);
      program_.resume(next, a, s.get());
      extend(t, next, *s, run);
    };
    const std::size_t size = run.size();
    if (q.kind == core::Kind::Fence) {
      push(axioms::EventKind::Fence, 0, q.order);
      go_on({});
    } else if (q.kind == core::Kind::Store) {
      push(axioms::EventKind::Write, q.value.bits, q.order);
      go_on({});
    } else {
      std::vector<std::uint64_t> values{0};
      for (std::uint32_t i = 0; i < q.loc.size; ++i) {
        const Byte b{q.loc.object, q.loc.offset + i};
        domain_[b].insert(initial(b));
        std::vector<std::uint64_t> longer;
        for (const std::uint64_t v : values)
          for (const std::uint64_t part : domain_[b]) longer.push_back(v | (part << (8 * i)));
        values.swap(longer);
        if (values.size() > 200) values.resize(200), too_wide_ = true;
      }
      for (const std::uint64_t v : values) {
        bool writes = q.kind == core::Kind::Rmw;
        if (writes && q.op == core::RmwOp::Cas) writes = core::cas_succeeds(v, q.expected, q.loc.size);
        push(axioms::EventKind::Read, v, q.kind == core::Kind::Rmw && !writes ? q.failure : q.order);
        if (writes)
          push(axioms::EventKind::Write,
               q.op == core::RmwOp::Cas ? q.value.bits : core::rmw_result(q.op, v, q.value, q.loc.size).bits, q.order);
        go_on({v});
        run.resize(size);
      }
    }
    run.resize(size);
  }

  void choose(std::vector<const BruteRun*>& chosen) {
    if (gave_up || too_wide_) {
      gave_up = true;
      return;
    }
    if (chosen.size() < runs_.size()) {
      for (const auto& r : runs_[chosen.size()]) {
        chosen.push_back(&r);
        choose(chosen);
        chosen.pop_back();
      }
      return;
    }
    bytes_.clear();
    for (const auto* r : chosen)
      for (const auto& b : *r)
        for (std::uint32_t i = 0; b.e.kind != axioms::EventKind::Fence && i < b.e.loc.size; ++i)
          bytes_.insert({b.e.loc.object, b.e.loc.offset + i});
    x_.events.clear();
    for (const Byte& b : bytes_) {
      axioms::Event e;
      e.kind = axioms::EventKind::Init;
      e.loc = {b.first, b.second, 1};
      e.value = initial(b);
      x_.events.push_back(e);
    }
    std::vector<std::vector<BruteForce::Compiled>> code;
    for (const auto* r : chosen) code.push_back(BruteForce::compile(*model_, *r, x_));
    if (x_.size() > 64) {
      gave_up = true;
      return;
    }
    x_.reset();
    for (std::uint32_t a = 0; a < x_.size(); ++a)
      for (std::uint32_t b = a + 1; b < x_.size() && x_.events[a].kind != axioms::EventKind::Init; ++b)
        if (x_.events[b].thread == x_.events[a].thread) x_.po.add(a, b);
    for (std::size_t t = 0; t < chosen.size(); ++t) {
      std::vector<std::uint32_t> loads;
      for (std::uint32_t i = 0; i < chosen[t]->size(); ++i) {
        const auto& b = (*chosen[t])[i];
        const std::uint32_t at = code[t][i].access;
        if (code[t][i].control) x_.ctrl[at] |= x_.po[at];
        const auto add = [&](const core::LoadSet& set, axioms::Relation<1>& to) {
          for (const auto k : set)
            if (loads[k] != at) to.add(loads[k], at);
        };
        add(b.addr, x_.addr);
        add(b.data, x_.data);
        add(b.ctrl, x_.ctrl);
        if (code[t][i].after)
          for (const auto k : b.ctrl)
            if (loads[k] != at) x_.ctrl.add(loads[k], at + 1);
        if (b.e.kind == axioms::EventKind::Write && b.e.in_rmw) x_.rmw.add(code[t][i - 1].access, at);
        if (b.e.kind == axioms::EventKind::Read) loads.push_back(at);
      }
    }
    x_.derive_static();
    // What is to be chosen: for each byte of each read its write, then for each byte an order of its writes.
    reads_.clear();
    x_.reads.each([&](std::uint32_t r) {
      for (const Byte& b : bytes_)
        if (covers(x_.events[r].loc, b)) reads_.push_back({r, b});
    });
    writes_.clear();
    for (const Byte& b : bytes_)
      x_.writes.each([&](std::uint32_t w) {
        if (covers(x_.events[w].loc, b)) writes_[b].push_back(w);
      });
    from_.assign(reads_.size(), 0);
    read_from(0);
  }

  void read_from(std::size_t k) {
    if (gave_up) return;
    if (k == reads_.size()) return order(writes_.begin());
    const auto& [r, b] = reads_[k];
    for (const std::uint32_t w : writes_[b])
      if (byte_of(x_.events[w], b) == byte_of(x_.events[r], b)) {
        from_[k] = w;
        read_from(k + 1);
      }
  }

  // The initial write is the first of its byte: it has the least number.
  void order(std::map<Byte, std::vector<std::uint32_t>>::iterator at) {
    if (gave_up) return;
    if (at == writes_.end()) return judge();
    std::sort(at->second.begin(), at->second.end());
    do order(std::next(at));
    while (std::next_permutation(at->second.begin() + 1, at->second.end()));
  }

  void judge() {
    if (left_-- == 0) {
      gave_up = true;
      return;
    }
    const unsigned n = x_.size();
    x_.rf = x_.co = axioms::Relation<1>(n);
    x_.slices.clear();
    for (const auto& [b, list] : writes_) {
      auto& s = x_.slices.emplace_back();
      s.po_loc = s.rf = s.co = s.fr = axioms::Relation<1>(n);
      axioms::EventSet<1> here;
      for (std::uint32_t e = 0; e < n; ++e)
        if (x_.events[e].kind != axioms::EventKind::Fence && covers(x_.events[e].loc, b)) here.add(e);
      s.po_loc = x_.po.between(here, here);
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i + 1; j < list.size(); ++j) s.co.add(list[i], list[j]);
      for (std::size_t k = 0; k < reads_.size(); ++k) {
        if (reads_[k].second != b) continue;
        s.rf.add(from_[k], reads_[k].first);
        s.fr[reads_[k].first] |= s.co[from_[k]];
      }
      x_.rf |= s.rf;
      x_.co |= s.co;
    }
    x_.derive();
    if (model_->accepts(x_)) found_.insert(name());
  }

  std::string name() const {
    const auto full = [&](std::uint32_t e) {
      return x_.events[e].kind == axioms::EventKind::Init ? std::string("init")
                                                          : event_name(x_.events[e].thread, x_.events[e].index);
    };
    const auto place = [&](std::uint32_t e, const Byte& b) {
      return full(e) + "@" + std::to_string(b.first) + "+" + std::to_string(b.second) + "=" +
             std::to_string(byte_of(x_.events[e], b));
    };
    std::set<std::string> parts;
    for (std::size_t k = 0; k < reads_.size(); ++k)
      parts.insert(place(reads_[k].first, reads_[k].second) + "<" + full(from_[k]));
    for (const auto& [b, list] : writes_)
      for (std::size_t i = 1; i < list.size(); ++i) parts.insert(place(list[i], b) + ">" + full(list[i - 1]));
    std::string all;
    for (const auto& s : parts) all += s + " ";
    return all;
  }

  const core::Program& program_;
  std::map<Byte, std::set<std::uint64_t>> domain_;
  std::vector<std::vector<BruteRun>> runs_;
  bool too_many_ = false, too_wide_ = false;
  // Of the candidate at hand:
  const axioms::Model* model_ = nullptr;
  std::uint64_t left_ = 0;
  axioms::Execution<1> x_;
  std::set<Byte> bytes_;
  std::vector<std::pair<std::uint32_t, Byte>> reads_;
  std::vector<std::uint32_t> from_;
  std::map<Byte, std::vector<std::uint32_t>> writes_;
  std::set<std::string> found_;
};

}  // namespace heddle::test
