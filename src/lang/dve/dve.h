// The DVE front end: models (.dve), their m4 sources (.mdve), properties over them, and what comes with them in files
// of their own (.ltl, atomic writes). Everything lowers to ir::Program; mistakes come back as Diagnostics.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "ir/program.h"
#include "support/diagnostics.h"

namespace heddle::dve {

using Defines = std::vector<std::pair<std::string, std::string>>;  // -D NAME=VALUE, for m4

struct Options {
  Defines defines;                         // only for .mdve: given for a .dve it is a mistake
  std::optional<std::string> atomic_file;  // --atomic
  const core::Budget* budget = nullptr;    // of reading and of m4; may be null
};

// The program in a file. Files that end in .mdve go through m4 first. The program is finished (ir::finish).
support::Result<ir::Program> load(const std::string& path, const Options& = {});

// The same from text. `file` is only the name in messages; `atomic` the text of an --atomic file.
support::Result<ir::Program> load_text(std::string text, const std::string& file, std::string_view atomic = {},
                                       const std::string& atomic_file = "atomic");

// The program as DVE text. Requires what a DVE front end can make; the program need not be finished.
std::string print(const ir::Program&);

// Parses a condition over the global scope (shared variables, constants, P.s, P->x) and adds it to the program's
// propositions; returns its number. `place` names it in messages, as in "--invariant".
support::Result<std::uint32_t> add_proposition(ir::Program&, const std::string& text, const std::string& place);

// A property file.
struct PropertyFile {
  struct Line {
    std::string name;
    std::string text;
    unsigned line = 0, column = 0;  // of the text's first character
    std::string source_line;
  };
  std::vector<Line> definitions;  // #define name expression
  std::vector<Line> properties;   // #property formula (no name)
};
support::Result<PropertyFile> parse_properties(std::string_view text, const std::string& file);
support::Result<PropertyFile> load_properties(const std::string& path);

// The text of a file without a byte order mark, or a Diagnostic that says why there is none.
support::Result<std::string> read_text(const std::string& path, const core::Budget* = nullptr);

// What m4 makes of a text, with Heddle's macros (forloop, myloop, default, bool) and -D NAME=VALUE before it. Macros
// that run programs or write files are not available to models. m4 is given 20 seconds, or less if the budget ends.
struct Expanded {
  std::string text;
  std::vector<unsigned> origins;  // of each line of it: the line that it comes from, or that of the macro's call
};
support::Result<Expanded> expand_m4(const std::string& text, const std::string& file, const Defines&,
                                    const core::Budget* = nullptr);

}  // namespace heddle::dve
