// What follows the threads of a litmus test: `locations`, `filter`, and the condition, with its old form
// `final (…) ; with tso: ~exists; default: exists;`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "lang/litmus/lexer.h"
#include "lang/litmus/test.h"

namespace heddle::lang::litmus {

// Whether one of the words that open the final part stands at this place.
bool begins_final_part(std::string_view text, std::size_t at);

struct FoundRegister {
  Register reg = no_register;
  Type type;
  std::string shown;  // how it is named in answers
};
using FindRegister = std::function<std::optional<FoundRegister>(int thread, const Token& name)>;

// Reads from `at` to the end of the text. `find_register` knows the threads' registers and their types.
void parse_final_part(Test&, std::string_view text, std::size_t at, const FindRegister& find_register);

}  // namespace heddle::lang::litmus
