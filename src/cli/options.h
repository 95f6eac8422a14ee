// The options of `heddle check`, one row each; the command line, the help and the refusal of options that a language
// does not know are all made from the table in options.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/request.h"

namespace heddle::cli {

template <class T>
using Member = Setting<T> CheckRequest::*;

struct Bytes {
  Member<std::uint64_t> member;
};  // a number with an optional K, M, G or T
struct OnOff {
  Member<bool> member;
};  // on or off
struct Flag {
  Member<bool> member;
};  // no value: sets it
struct Switch {
  Member<std::string> member;
};  // without a value: "on"; or --name=on, --name=off
struct List {
  Member<drive::Words> member;
};  // may be repeated
struct CommaList {
  Member<drive::Words> member;
};  // a,b,c; may be repeated
struct Number {
  Member<std::uint64_t> member;
  std::uint64_t least = 0, most = 1000000000000000000;
};
struct Seconds {
  Member<double> member;
};
struct Text {
  Member<std::string> member;
};
struct Choice {
  Member<std::string> member;
  const char* choices;
};  // one of the words

using Target = std::variant<Bytes, OnOff, Flag, Switch, List, CommaList, Number, Seconds, Text, Choice>;

struct Option {
  const char* name;           // with its dashes; a short form may stand before it: "-D,--define"
  const char* value;          // what the value is called in the help; "" for a flag
  const char* shown_default;  // "" if there is nothing to say
  Target target;
  bool shared;        // every language honours it; others are named in the language's row
  const char* group;  // heading in the help
  const char* help;
};

std::span<const Option> check_options();

// Whether the user gave it.
bool given(const CheckRequest&, const Option&);

// The long name of an option: "--define" of "-D,--define".
std::string_view long_name(const Option&);

// "512M" -> 536870912; nothing if it is no size.
std::optional<std::uint64_t> parse_bytes(std::string_view);

}  // namespace heddle::cli
