// A naive machine for C programs under sequential consistency: memory is a map from bytes, every interleaving is tried.
// Shares nothing with the engines; slow on purpose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"

namespace heddle::tests {

struct ScByte {
  std::uint8_t value = 0;
  std::uint8_t undefined = 0xff;  // bits
  std::uint8_t fragment = 0;      // 1 + index within the pointer, 0: no pointer
  std::uint64_t pointer = 0;
  friend auto operator<=>(const ScByte&, const ScByte&) = default;
};

struct ScObject {
  std::vector<ScByte> bytes;
  bool live = true, constant = false;
  core::AllocKind kind = core::AllocKind::Static;
  friend auto operator<=>(const ScObject&, const ScObject&) = default;
};

struct ScThread {
  core::Local local;
  bool joined_in_step = false;
  friend auto operator<=>(const ScThread&, const ScThread&) = default;
};

struct ScState {
  std::map<std::uint32_t, ScObject> memory;
  std::vector<core::Local> threads;
  std::uint32_t next_object = 1;
  std::string output;
  friend auto operator<=>(const ScState&, const ScState&) = default;
};

class ScRunner {
 public:
  explicit ScRunner(const core::Program& program) : program_(program) {}

  ScState initial() const {
    ScState s;
    for (const auto& g : program_.globals()) s.memory[s.next_object++] = make_global(g);
    for (const auto& e : program_.initial_threads()) {
      s.threads.emplace_back();
      program_.start(e.entry, e.arg, static_cast<core::Tid>(s.threads.size() - 1), s.threads.back());
    }
    return s;
  }

  static ScObject make_global(const core::GlobalObject& g) {
    ScObject o;
    o.constant = g.constant;
    o.bytes.resize(g.size);
    for (std::size_t k = 0; k < g.size; ++k)
      o.bytes[k] = {static_cast<std::uint8_t>(g.bytes[k]),
                    g.defined.empty() || g.defined[k] ? std::uint8_t{0} : std::uint8_t{0xff}, 0, 0};
    for (auto at : g.pointers) {
      std::uint64_t p = 0;
      std::memcpy(&p, g.bytes.data() + at, 8);
      for (std::size_t k = 0; k < 8; ++k) {
        o.bytes[at + k].fragment = static_cast<std::uint8_t>(k + 1);
        o.bytes[at + k].pointer = p;
      }
    }
    return o;
  }

  static core::Fault check(const ScState& s, const core::Loc& loc, bool write) {
    const auto it = s.memory.find(loc.object);
    if (it == s.memory.end()) return core::Fault::Wild;
    if (!it->second.live) return core::Fault::Freed;
    if (std::uint64_t{loc.offset} + loc.size > it->second.bytes.size()) return core::Fault::OutOfBounds;
    if (write && it->second.constant) return core::Fault::ReadOnly;
    return core::Fault::None;
  }

  static core::Value read(const ScState& s, const core::Loc& loc) {
    core::Value v;
    const auto& bytes = s.memory.at(loc.object).bytes;
    bool pointer = loc.size == 8;
    for (unsigned k = 0; k < loc.size; ++k) {
      const auto& b = bytes[loc.offset + k];
      v.bits |= std::uint64_t{b.value} << (8 * k);
      v.undefined |= std::uint64_t{b.undefined} << (8 * k);
      pointer = pointer && b.fragment == k + 1 && b.pointer == bytes[loc.offset].pointer;
    }
    if (pointer) {
      v.bits = bytes[loc.offset].pointer;
      v.pointer = true;
    }
    return v;
  }

  static void write(ScState& s, const core::Loc& loc, const core::Value& v) {
    auto& bytes = s.memory.at(loc.object).bytes;
    for (unsigned k = 0; k < loc.size; ++k)
      bytes[loc.offset + k] = {static_cast<std::uint8_t>(v.bits >> (8 * k)),
                               static_cast<std::uint8_t>(v.undefined >> (8 * k)),
                               static_cast<std::uint8_t>(v.pointer ? k + 1 : 0), v.pointer ? v.bits : 0};
  }

  static std::uint64_t apply(const core::Request& q, std::uint64_t old) {
    using R = core::RmwOp;
    const unsigned w = 8 * q.loc.size;
    const std::uint64_t mask = w == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << w) - 1, v = q.value.bits;
    auto sx = [&](std::uint64_t x) { return static_cast<std::int64_t>(x << (64 - w)) >> (64 - w); };
    switch (q.op) {
      case R::Xchg: return v;
      case R::Add: return (old + v) & mask;
      case R::Sub: return (old - v) & mask;
      case R::And: return old & v;
      case R::Nand: return ~(old & v) & mask;
      case R::Or: return old | v;
      case R::Xor: return old ^ v;
      case R::Max: return sx(old) > sx(v) ? old : v;
      case R::Min: return sx(old) < sx(v) ? old : v;
      case R::UMax: return old > v ? old : v;
      case R::UMin: return old < v ? old : v;
      case R::UIncWrap: return old >= v ? 0 : old + 1;
      case R::UDecWrap: return old == 0 || old > v ? v : old - 1;
      default: return v;
    }
  }

  static bool ended(const core::Program& p, const core::Local& l) { return p.request(l).kind == core::Kind::Ended; }

  // The successors by one request of one thread; empty if it cannot go on. `failed` takes failures.
  std::vector<ScState> step(const ScState& s, std::size_t t) const {
    const auto q = program_.request(s.threads[t]);
    std::vector<ScState> result;
    auto go = [&](const core::Answer& a, auto&& change) {
      result.push_back(s);
      change(result.back());
      core::Local local = result.back().threads[t];
      program_.resume(local, a);
      result.back().threads[t] = std::move(local);
    };
    auto plain = [](ScState&) {};
    core::Answer a;
    switch (q.kind) {
      case core::Kind::Load:
        a.fault = check(s, q.loc, false);
        if (a.fault == core::Fault::None)
          a.value = q.loc.size == 0 ? core::Value(s.memory.at(q.loc.object).bytes.size()) : read(s, q.loc);
        if (q.waits && a.value.bits != q.expected.bits) break;
        go(a, [&](ScState& n) {
          if (q.output == 1)
            for (unsigned k = 0; k < q.loc.size; ++k) n.output += static_cast<char>(a.value.bits >> (8 * k));
        });
        break;
      case core::Kind::Store:
        a.fault = check(s, q.loc, true);
        go(a, [&](ScState& n) {
          if (a.fault == core::Fault::None) write(n, q.loc, q.value);
        });
        break;
      case core::Kind::Rmw: {
        a.fault = check(s, q.loc, true);
        if (a.fault == core::Fault::None) a.value = read(s, q.loc);
        const bool same = a.value.bits == q.expected.bits;
        if (q.waits && !same) break;
        go(a, [&](ScState& n) {
          if (a.fault != core::Fault::None || (q.op == core::RmwOp::Cas && !same)) return;
          if (q.op == core::RmwOp::Cas || q.op == core::RmwOp::Xchg) write(n, q.loc, q.value);
          else write(n, q.loc, core::Value(apply(q, a.value.bits)));
        });
        break;
      }
      case core::Kind::Fence: go(a, plain); break;
      case core::Kind::Choose:
        for (std::uint64_t k = 0; k < q.value.bits; ++k) {
          a.value = core::Value(k);
          go(a, plain);
        }
        break;
      case core::Kind::Alloc:
        a.value = core::Value::address(s.next_object, 0);
        go(a, [&](ScState& n) {
          ScObject o;
          if (q.expected.object() != 0) o = make_global(program_.globals()[q.expected.object() - 1]);
          else o.bytes.resize(q.value.bits);
          o.constant = false;
          o.kind = q.storage;
          n.memory[n.next_object++] = o;
        });
        break;
      case core::Kind::Free: {
        const auto it = s.memory.find(q.value.object());
        if (it == s.memory.end() || q.value.offset() != 0 || it->second.kind == core::AllocKind::Static)
          a.fault = core::Fault::InvalidFree;
        else if (!it->second.live) a.fault = core::Fault::DoubleFree;
        go(a, [&](ScState& n) {
          if (a.fault != core::Fault::None) return;
          n.memory[q.value.object()].live = false;
          n.memory[q.value.object()].bytes.clear();
        });
        break;
      }
      case core::Kind::Spawn:
        a.value = core::Value(s.threads.size());
        go(a, [&](ScState& n) {
          n.threads.emplace_back();
          program_.start(q.entry, q.value, static_cast<core::Tid>(n.threads.size() - 1), n.threads.back());
        });
        break;
      case core::Kind::Join:
        if (q.value.bits < s.threads.size() && ended(program_, s.threads[q.value.bits])) go(a, plain);
        break;
      default: break;
    }
    return result;
  }

  struct Outcome {
    std::set<std::string> failures;    // "kind" of every failure reached
    std::set<std::uint64_t> statuses;  // exit statuses
    std::set<std::string> outputs;
    bool deadlock = false;
    std::size_t states = 0;
    bool complete = true;
    core::Failure first;
    core::Local failed;
  };

  // All interleavings. Atomic steps (joined requests) are not interrupted.
  Outcome explore(std::size_t limit = 200000) const {
    Outcome out;
    std::set<ScState> seen;
    std::vector<ScState> work{initial()};
    while (!work.empty()) {
      ScState s = std::move(work.back());
      work.pop_back();
      if (!seen.insert(s).second) continue;
      if (++out.states > limit) {
        out.complete = false;
        break;
      }
      bool moved = false, all_ended = true, stop = false, blocked = false;
      std::optional<std::size_t> only;
      for (std::size_t t = 0; t < s.threads.size(); ++t)
        if (program_.request(s.threads[t]).joined) only = t;
      for (std::size_t t = 0; t < s.threads.size(); ++t) {
        const auto q = program_.request(s.threads[t]);
        if (q.kind == core::Kind::Failed) {
          const auto f = program_.failure(s.threads[t]);
          if (out.failures.empty()) {
            out.first = f;
            out.failed = s.threads[t];
          }
          out.failures.insert(f.kind);
          stop = true;
        }
        if (q.kind == core::Kind::Exit) {
          out.statuses.insert(q.value.bits);
          out.outputs.insert(s.output);
          stop = true;
        }
        if (q.stands_still()) blocked = true;
        if (q.kind != core::Kind::Ended) all_ended = false;
      }
      if (stop || all_ended) continue;
      for (std::size_t t = 0; t < s.threads.size(); ++t) {
        if (only && *only != t) continue;
        for (auto& n : step(s, t)) {
          moved = true;
          work.push_back(std::move(n));
        }
      }
      if (!moved && !blocked) out.deadlock = true;
    }
    return out;
  }

  // One run, first choices first, threads in turn.
  struct Run {
    std::string failure, message, output;
    core::Failure details;
    core::Local local;
    std::uint64_t status = 0;
    bool exited = false;
    std::uint64_t requests = 0;
  };
  Run run(std::uint64_t limit = 10'000'000) const {
    Run r;
    ScState s = initial();
    while (r.requests < limit) {
      bool moved = false;
      for (std::size_t t = 0; t < s.threads.size(); ++t) {
        for (;;) {
          const auto q = program_.request(s.threads[t]);
          if (q.kind == core::Kind::Failed) {
            r.details = program_.failure(s.threads[t]);
            r.failure = r.details.kind;
            r.message = r.details.message;
            r.local = s.threads[t];
            r.output = s.output;
            return r;
          }
          if (q.kind == core::Kind::Exit) {
            r.exited = true;
            r.status = q.value.bits;
            r.output = s.output;
            return r;
          }
          if (!quick(s, t, q)) break;
          ++r.requests;
          moved = true;
          if (r.requests >= limit) break;
        }
      }
      if (!moved) break;
    }
    r.output = s.output;
    return r;
  }

 private:
  // As step(), in place, for requests with one answer; others go through step().
  bool quick(ScState& s, std::size_t t, const core::Request& q) const {
    core::Answer a;
    if (q.kind == core::Kind::Load && !q.waits && q.output == 0 && q.loc.size != 0) {
      a.fault = check(s, q.loc, false);
      if (a.fault == core::Fault::None) a.value = read(s, q.loc);
    } else if (q.kind == core::Kind::Store) {
      a.fault = check(s, q.loc, true);
      if (a.fault == core::Fault::None) write(s, q.loc, q.value);
    } else {
      auto next = step(s, t);
      if (next.empty()) return false;
      s = std::move(next[0]);
      return true;
    }
    program_.resume(s.threads[t], a);
    return true;
  }

  const core::Program& program_;
};

}  // namespace heddle::tests
