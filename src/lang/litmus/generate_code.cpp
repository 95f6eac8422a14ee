// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/generate_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::lang::litmus {

namespace {

std::string location_name(unsigned n) {
  static const char* const first[] = {"x", "y", "z", "a", "b", "c", "d", "e", "f", "g"};
  return n < std::size(first) ? first[n] : fmt::format("v{}", n);
}

struct Written {
  std::vector<std::string> lines;  // of code
  std::vector<std::string> init;   // `0:X1=x`
  std::vector<std::string> reads;  // `1:X0=1`
};

// The code of one thread. A dialect says how each piece is written; the order of pieces is the same for all.
class Writer {
 public:
  Writer(unsigned thread) : thread_(thread) {}
  virtual ~Writer() = default;

  Written run(const std::vector<SkeletonEvent>& events) {
    std::string last_read;
    for (const SkeletonEvent& e : events) {
      const Edge* edge = e.before;
      std::string addr_from, data_from;
      if (edge != nullptr) {
        switch (edge->kind) {
          case Edge::Kind::Fence: fence(edge->fence); break;
          case Edge::Kind::Addr: addr_from = last_read; break;
          case Edge::Kind::Data: data_from = last_read; break;
          case Edge::Kind::Ctrl:
            control(last_read);
            if (!edge->fence.empty()) fence(edge->fence);
            break;
          default: break;
        }
      }
      const std::string where = location_name(e.location);
      if (e.write) {
        write(where, e.value, e.note, addr_from, data_from);
      } else {
        last_read = read(where, e.note, addr_from);
        out_.reads.push_back(fmt::format("{}:{}={}", thread_, last_read, e.value));
      }
    }
    end();
    return std::move(out_);
  }

 protected:
  virtual void write(const std::string& where, unsigned value, const std::string& note, const std::string& addr,
                     const std::string& data) = 0;
  virtual std::string read(const std::string& where, const std::string& note,
                           const std::string& addr) = 0;  // the register
  virtual void fence(const std::string& code) { line(code); }
  virtual void control(const std::string& from) = 0;
  virtual void end() {}

  void line(std::string s) { out_.lines.push_back(std::move(s)); }
  std::string label() { return fmt::format("LC{}{}", thread_, labels_++); }
  // A register that holds the address of a variable.
  std::string address(const std::string& where, const std::string& fresh) {
    const auto [it, is_new] = addresses_.emplace(where, fresh);
    if (is_new) out_.init.push_back(fmt::format("{}:{}={}", thread_, fresh, where));
    return it->second;
  }
  bool has_address(const std::string& where) const { return addresses_.contains(where); }

  unsigned thread_;
  unsigned next_ = 0;
  unsigned labels_ = 0;
  std::map<std::string, std::string> addresses_;
  Written out_;
};

class AArch64Writer final : public Writer {
 public:
  using Writer::Writer;

 private:
  std::string base(const std::string& where) {
    return has_address(where) ? address(where, "") : address(where, fmt::format("X{}", next_++));
  }
  // Ordered accesses have no index register: the address is computed.
  std::string target(const std::string& where, const std::string& addr, bool plain) {
    const std::string b = base(where);
    if (addr.empty()) return fmt::format("[{}]", b);
    const unsigned t = next_++;
    line(fmt::format("EOR W{},W{},W{}", t, addr.substr(1), addr.substr(1)));
    if (plain) return fmt::format("[{},W{},SXTW]", b, t);
    const unsigned sum = next_++;
    line(fmt::format("ADD X{},{},W{},SXTW", sum, b, t));
    return fmt::format("[X{}]", sum);
  }
  void write(const std::string& where, unsigned value, const std::string& note, const std::string& addr,
             const std::string& data) override {
    const std::string to = target(where, addr, note.empty());
    const unsigned r = next_++;
    if (data.empty()) {
      line(fmt::format("MOV W{},#{}", r, value));
    } else {
      line(fmt::format("EOR W{},W{},W{}", r, data.substr(1), data.substr(1)));
      line(fmt::format("ADD W{},W{},#{}", r, r, value));
    }
    line(fmt::format("{} W{},{}", note == "L" ? "STLR" : "STR", r, to));
  }
  std::string read(const std::string& where, const std::string& note, const std::string& addr) override {
    const std::string from = target(where, addr, note.empty());
    const unsigned r = next_++;
    line(fmt::format("{} W{},{}", note == "A" ? "LDAR" : note == "Q" ? "LDAPR" : "LDR", r, from));
    return fmt::format("X{}", r);
  }
  void control(const std::string& from) override {
    const std::string l = label();
    line(fmt::format("CBNZ W{},{}", from.substr(1), l));
    line(l + ":");
  }
};

class RiscvWriter final : public Writer {
 public:
  explicit RiscvWriter(unsigned thread) : Writer(thread) { next_ = 5; }

 private:
  std::string fresh() { return fmt::format("x{}", next_++); }
  std::string target(const std::string& where, const std::string& addr) {
    const std::string b = has_address(where) ? address(where, "") : address(where, fresh());
    if (addr.empty()) return fmt::format("0({})", b);
    const std::string t = fresh(), sum = fresh();
    line(fmt::format("xor {},{},{}", t, addr, addr));
    line(fmt::format("add {},{},{}", sum, b, t));
    return fmt::format("0({})", sum);
  }
  void write(const std::string& where, unsigned value, const std::string& note, const std::string& addr,
             const std::string& data) override {
    const std::string to = target(where, addr);
    const std::string r = fresh();
    if (!data.empty()) line(fmt::format("xor {},{},{}", r, data, data));
    line(fmt::format("ori {},{},{}", r, data.empty() ? "x0" : r, value));
    line(fmt::format("{} {},{}", note == "L" ? "sw.rl" : "sw", r, to));
  }
  std::string read(const std::string& where, const std::string& note, const std::string& addr) override {
    const std::string from = target(where, addr);
    const std::string r = fresh();
    line(fmt::format("{} {},{}", note == "A" ? "lw.aq" : "lw", r, from));
    return r;
  }
  void control(const std::string& from) override {
    const std::string l = label();
    line(fmt::format("bne {},x0,{}", from, l));
    line(l + ":");
  }
};

class PpcWriter final : public Writer {
 public:
  explicit PpcWriter(unsigned thread) : Writer(thread) { next_ = 1; }

 private:
  std::string fresh() { return fmt::format("r{}", next_++); }
  void write(const std::string& where, unsigned value, const std::string&, const std::string& addr,
             const std::string& data) override {
    const std::string b = has_address(where) ? address(where, "") : address(where, fresh());
    std::string index;
    if (!addr.empty()) {
      index = fresh();
      line(fmt::format("xor {},{},{}", index, addr, addr));
    }
    const std::string r = fresh();
    if (data.empty()) {
      line(fmt::format("li {},{}", r, value));
    } else {
      line(fmt::format("xor {},{},{}", r, data, data));
      line(fmt::format("addi {},{},{}", r, r, value));
    }
    line(addr.empty() ? fmt::format("stw {},0({})", r, b) : fmt::format("stwx {},{},{}", r, index, b));
  }
  std::string read(const std::string& where, const std::string&, const std::string& addr) override {
    const std::string b = has_address(where) ? address(where, "") : address(where, fresh());
    if (addr.empty()) {
      const std::string r = fresh();
      line(fmt::format("lwz {},0({})", r, b));
      return r;
    }
    const std::string index = fresh();
    line(fmt::format("xor {},{},{}", index, addr, addr));
    const std::string r = fresh();
    line(fmt::format("lwzx {},{},{}", r, index, b));
    return r;
  }
  void control(const std::string& from) override {
    const std::string l = label();
    line(fmt::format("cmpw {},{}", from, from));
    line(fmt::format("beq {}", l));
    line(l + ":");
  }
};

class X86Writer final : public Writer {
 public:
  X86Writer(unsigned thread, bool att) : Writer(thread), att_(att) {}

 private:
  void write(const std::string& where, unsigned value, const std::string&, const std::string&,
             const std::string&) override {
    line(att_ ? fmt::format("movl ${},({})", value, where) : fmt::format("MOV [{}],${}", where, value));
  }
  std::string read(const std::string& where, const std::string&, const std::string&) override {
    static const char* const names[] = {"EAX", "EBX", "ECX", "EDX", "ESI", "EDI"};
    const std::string r = next_ < std::size(names) ? names[next_] : fmt::format("R{}", next_ + 2);
    ++next_;
    if (!att_) line(fmt::format("MOV {},[{}]", r, where));
    else {
      std::string small = r;
      for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      line(fmt::format("movl ({}),%{}", where, r[0] == 'R' ? small + "d" : small));
    }
    return r;
  }
  void control(const std::string&) override {}
  bool att_;
};

class CWriter final : public Writer {
 public:
  using Writer::Writer;

 private:
  static const char* order(const std::string& note, bool) {
    static const std::map<std::string_view, const char*> orders = {
        {"Acq", "memory_order_acquire"}, {"Rel", "memory_order_release"}, {"Sc", "memory_order_seq_cst"}};
    const auto found = orders.find(note);
    return found == orders.end() ? "memory_order_relaxed" : found->second;
  }
  std::string pointer(const std::string& where, const std::string& addr) {
    address(where, where);
    return addr.empty() ? where : fmt::format("{} + ({} ^ {})", where, addr, addr);
  }
  void put(const std::string& s) { line(std::string(2 + 2 * open_, ' ') + s); }
  void write(const std::string& where, unsigned value, const std::string& note, const std::string& addr,
             const std::string& data) override {
    const std::string v = data.empty() ? std::to_string(value) : fmt::format("{} + ({} ^ {})", value, data, data);
    const std::string p = pointer(where, addr);
    if (note == "Na") put(fmt::format("*{} = {};", addr.empty() ? p : "(" + p + ")", v));
    else put(fmt::format("atomic_store_explicit({}, {}, {});", p, v, order(note, true)));
  }
  std::string read(const std::string& where, const std::string& note, const std::string& addr) override {
    const std::string r = fmt::format("r{}", next_++);
    const std::string p = pointer(where, addr);
    if (note == "Na") put(fmt::format("int {} = *{};", r, addr.empty() ? p : "(" + p + ")"));
    else put(fmt::format("int {} = atomic_load_explicit({}, {});", r, p, order(note, false)));
    return r;
  }
  void fence(const std::string& code) override { put(fmt::format("atomic_thread_fence({});", code)); }
  void control(const std::string& from) override {
    put(fmt::format("if ({} == {}) {{", from, from));
    ++open_;
  }
  void end() override {
    while (open_ > 0) {
      --open_;
      put("}");
    }
  }
  unsigned open_ = 0;
};

Written write_thread(const std::vector<SkeletonEvent>& events, Dialect d, unsigned thread) {
  switch (d) {
    case Dialect::AArch64: return AArch64Writer(thread).run(events);
    case Dialect::RISCV: return RiscvWriter(thread).run(events);
    case Dialect::PPC: return PpcWriter(thread).run(events);
    case Dialect::X86: return X86Writer(thread, false).run(events);
    case Dialect::X86_64: return X86Writer(thread, true).run(events);
    case Dialect::C: return CWriter(thread).run(events);
  }
  return {};
}

std::string join(const std::vector<std::string>& parts, const char* separator) {
  std::string s;
  for (const std::string& p : parts) s += (s.empty() ? "" : separator) + p;
  return s;
}

}  // namespace

Skeleton make_skeleton(const std::vector<Edge>& cycle) {
  Skeleton s;
  s.cycle = cycle;
  const std::size_t n = cycle.size();
  const auto changes =
      static_cast<unsigned>(std::count_if(cycle.begin(), cycle.end(), [](const Edge& e) { return e.different; }));
  const unsigned locations = std::max(1u, changes);

  // Locations change at the edges that say so; the last change leads back to the first location. Along a location the
  // writes follow each other in coherence order, and a read sees the last write that was passed.
  std::vector<SkeletonEvent> events(n);
  unsigned location = 0;
  for (std::size_t i = 0; i < n; ++i) {
    events[i].write = cycle[i].from_write;
    events[i].note = cycle[i].from_note;
    events[i].location = location;
    if (cycle[i].different) location = (location + 1) % locations;
  }
  // A location's stretch may begin before the first event and go on from the end of the cycle: start at a change.
  std::size_t start = 0;
  if (changes > 0)
    for (std::size_t i = 0; i < n; ++i)
      if (cycle[i].different) start = (i + 1) % n;
  s.writes.assign(locations, 0);
  for (std::size_t k = 0; k < n; ++k) {
    SkeletonEvent& e = events[(start + k) % n];
    if (e.write) e.value = ++s.writes[e.location];
    else e.value = s.writes[e.location];
  }
  // On a single location the closing Fre makes its read older than the first write.
  if (changes == 0) events[n - 1].value = events[0].value - 1;

  s.threads.emplace_back();
  for (std::size_t i = 0; i < n; ++i) {
    events[i].before = s.threads.back().empty() ? nullptr : &s.cycle[i - 1];
    s.threads.back().push_back(events[i]);
    if (cycle[i].external && i + 1 < n) s.threads.emplace_back();
  }
  // Three or more writes to a location: the final value alone does not give their order, so a thread looks on.
  for (unsigned l = 0; l < locations; ++l) {
    if (s.writes[l] < 3) continue;
    s.threads.emplace_back();
    for (unsigned v = 1; v < s.writes[l]; ++v) {
      SkeletonEvent e;
      e.location = l;
      e.value = v;
      s.threads.back().push_back(e);
    }
  }
  return s;
}

std::string write_test(const Skeleton& s, Dialect dialect, const std::string& name, const std::string& orig) {
  std::vector<Written> threads;
  for (std::size_t t = 0; t < s.threads.size(); ++t)
    threads.push_back(write_thread(s.threads[t], dialect, static_cast<unsigned>(t)));

  std::vector<std::string> wanted;
  for (const Written& w : threads) wanted.insert(wanted.end(), w.reads.begin(), w.reads.end());
  for (unsigned l = 0; l < s.writes.size(); ++l)
    if (s.writes[l] >= 2) wanted.push_back(fmt::format("{}={}", location_name(l), s.writes[l]));

  std::string out = fmt::format("{} {}\n", dialect_name(dialect), name);
  if (dialect != Dialect::C) out += fmt::format("\"{}\"\nOrig={}\n", orig, orig);
  if (dialect == Dialect::C) {
    out += "{}\n";
    for (std::size_t t = 0; t < threads.size(); ++t) {
      std::vector<std::string> params;
      std::vector<bool> seen(s.writes.size());
      std::vector<bool> plain(s.writes.size());
      for (const auto& thread : s.threads)
        for (const SkeletonEvent& e : thread)
          if (e.note == "Na") plain[e.location] = true;
      for (const SkeletonEvent& e : s.threads[t])
        if (!seen[e.location]) {
          seen[e.location] = true;
          params.push_back((plain[e.location] ? "volatile int* " : "atomic_int* ") + location_name(e.location));
        }
      out += fmt::format("\nP{} ({}) {{\n", t, join(params, ", "));
      for (const std::string& l : threads[t].lines) out += l + "\n";
      out += "}\n";
    }
    out += "\n";
  } else {
    out += "{\n";
    for (const Written& w : threads)
      if (!w.init.empty()) out += join(w.init, "; ") + ";\n";
    out += "}\n";
    std::size_t rows = 0;
    std::vector<std::size_t> widths;
    for (std::size_t t = 0; t < threads.size(); ++t) {
      rows = std::max(rows, threads[t].lines.size());
      std::size_t width = fmt::format("P{}", t).size();
      for (const std::string& l : threads[t].lines) width = std::max(width, l.size());
      widths.push_back(width);
    }
    const auto row = [&](auto&& cell) {
      for (std::size_t t = 0; t < threads.size(); ++t)
        out += fmt::format("{} {:<{}} ", t == 0 ? "" : "|", cell(t), widths[t]);
      out += ";\n";
    };
    row([](std::size_t t) { return fmt::format("P{}", t); });
    for (std::size_t r = 0; r < rows; ++r)
      row([&](std::size_t t) { return r < threads[t].lines.size() ? threads[t].lines[r] : std::string(); });
  }
  out += fmt::format("exists ({})\n", wanted.empty() ? "true" : join(wanted, " /\\ "));
  return out;
}

}  // namespace heddle::lang::litmus
