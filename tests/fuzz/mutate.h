// Broken inputs made from good ones, the same for the same seed: tokens deleted, repeated, exchanged or replaced,
// numbers made extreme, brackets nested, texts cut off, spliced, or changed by bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::fuzz {

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, bool binary, std::uint64_t seed)
      : seeds_(std::move(seeds)), binary_(binary), random_(seed) {}

  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    const std::size_t changes = 1 + below(below(4) == 0 ? 12 : 3);
    for (std::size_t i = 0; i < changes && text.size() < largest; ++i)
      if (binary_ || below(12) == 0) change_bytes(text);
      else change_tokens(text);
    return text;
  }

  std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : random_() % n; }

 private:
  static constexpr std::size_t largest = std::size_t{1} << 20;

  // Words, numbers, single signs; white space is part of the token before it.
  static std::vector<std::string_view> tokens_of(std::string_view text) {
    const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::vector<std::string_view> tokens;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + 1;
      if (word(text[at]))
        while (end < text.size() && word(text[end])) ++end;
      while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end]))) ++end;
      tokens.push_back(text.substr(at, end - at));
      at = end;
    }
    return tokens;
  }

  std::string extreme() {
    static constexpr const char* numbers[] = {"0",
                                              "1",
                                              "-1",
                                              "2",
                                              "7",
                                              "31",
                                              "32",
                                              "63",
                                              "64",
                                              "65",
                                              "127",
                                              "128",
                                              "255",
                                              "256",
                                              "32767",
                                              "32768",
                                              "65535",
                                              "65536",
                                              "1000000",
                                              "2147483647",
                                              "-2147483648",
                                              "2147483648",
                                              "4294967295",
                                              "4294967296",
                                              "9223372036854775807",
                                              "-9223372036854775808",
                                              "9223372036854775808",
                                              "18446744073709551615",
                                              "18446744073709551616",
                                              "1000000000000000000000000000000",
                                              "1e308",
                                              "0x7fffffffffffffff",
                                              "1.5"};
    return numbers[below(std::size(numbers))];
  }

  void change_tokens(std::string& text) {
    const std::vector<std::string_view> tokens = tokens_of(text);
    if (tokens.empty()) return change_bytes(text);
    std::vector<std::string> out(tokens.begin(), tokens.end());
    const std::size_t i = below(out.size()), j = below(out.size());
    switch (below(14)) {
      case 0:
      case 1: out[i].clear(); break;
      case 2: out[i] += out[i]; break;
      case 3:
      case 4: std::swap(out[i], out[j]); break;
      case 5:
      case 6: out[i] = out[j]; break;
      case 7: {  // a word of another text
        const auto others = tokens_of(seeds_[below(seeds_.size())]);
        if (!others.empty()) out[i] = others[below(others.size())];
        break;
      }
      case 8:
      case 9: {  // the next number
        for (std::size_t k = 0; k < out.size(); ++k) {
          std::string& token = out[(i + k) % out.size()];
          if (!std::isdigit(static_cast<unsigned char>(token[0]))) continue;
          token = extreme() + " ";
          break;
        }
        break;
      }
      case 10: {  // nesting around a token, or of its operators
        static constexpr std::pair<const char*, const char*> brackets[] = {
            {"(", ")"}, {"[", "]"}, {"{", "}"},   {"-", ""},  {"~", ""},    {"!", ""},
            {"", "*"},  {"", "+"},  {"not ", ""}, {"1+", ""}, {"(*", "*)"}, {"[\"", "\"]"}};
        const auto& [open, close] = brackets[below(std::size(brackets))];
        const std::size_t depth = below(4) == 0 ? 20'000 : 1 + below(300);
        std::string before, behind;
        for (std::size_t k = 0; k < depth; ++k) {
          before += open;
          behind += close;
        }
        out[i] = before + out[i] + behind;
        break;
      }
      case 11: {  // a run of tokens many times
        const std::size_t run = 1 + below(12), times = below(6) == 0 ? 3000 : 1 + below(40);
        std::string piece;
        for (std::size_t k = i; k < std::min(i + run, out.size()); ++k) piece += out[k];
        for (std::size_t k = 0; k < times && out[i].size() < largest; ++k) out[i] += piece;
        break;
      }
      case 12: out.resize(i); break;  // cut off
      case 13: {                      // a run of tokens away
        const std::size_t end = std::min(out.size(), i + below(20));
        for (std::size_t k = i; k < end; ++k) out[k].clear();
        break;
      }
    }
    text.clear();
    for (const std::string& token : out) text += token;
  }

  void change_bytes(std::string& text) {
    if (text.empty()) {
      text.push_back(static_cast<char>(below(256)));
      return;
    }
    const std::size_t at = below(text.size());
    switch (below(8)) {
      case 0:
      case 1: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
      case 2: text[at] = static_cast<char>(below(256)); break;
      case 3: text.insert(at, 1, static_cast<char>(below(256))); break;
      case 4: text.erase(at, 1 + below(8)); break;
      case 5: text.resize(at); break;
      case 6: {  // a stretch of another text
        const std::string& other = seeds_[below(seeds_.size())];
        const std::size_t from = below(other.size());
        text.insert(at, other.substr(from, 1 + below(200)));
        break;
      }
      case 7:
        for (std::size_t k = at; k < std::min(text.size(), at + 1 + below(16)); ++k)
          text[k] = static_cast<char>(below(256));
        break;
    }
  }

  const std::vector<std::string> seeds_;
  const bool binary_;
  std::mt19937_64 random_;
};

}  // namespace heddle::fuzz
