// The Promela front end: models (.pml, .pm) with store, load and sync for memory models beside SPIN's language.
// Everything lowers to ir::Program; mistakes come back as Diagnostics.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "core/source.h"
#include "ir/program.h"
#include "support/diagnostics.h"

namespace heddle::promela {

struct Tables;  // names and places of the model (lang/promela/tables.h)

struct Options {
  std::vector<std::pair<std::string, std::string>> defines;  // -D NAME=VALUE, for the preprocessor
  // Texts that will be asked of the model beside its own: a jump with a label has a state if one of them has P@label.
  std::vector<std::string> conditions;
  const core::Budget* budget = nullptr;  // of reading and of the preprocessor; may be null
};

// An `ltl name { formula }` block; its text is Promela's, names of it are conditions over the model.
struct LtlBlock {
  std::string name, text;
  unsigned line = 0;
};

struct Loaded {
  ir::Program program;  // finished (ir::finish)
  std::shared_ptr<const Tables> tables;
  std::vector<LtlBlock> ltl;
};

// Does a line begin with `#`, so that there is something to do for the preprocessor?
bool needs_preprocessor(std::string_view text);

// The model in a file. A text with `#` lines, or with defines, goes through the C preprocessor first.
support::Result<Loaded> load(const std::string& path, const Options& = {});

// The same from text that needs no preprocessor. `file` is only the name in messages.
support::Result<Loaded> load_text(std::string text, const std::string& file, const Options& = {});

// Parses a condition over the globals (P[i]@label and P[i]:x too) and adds it to the program's propositions; returns
// its number. `place` names it in messages, as in "--invariant". The label of a jump must be in Options::conditions.
support::Result<std::uint32_t> add_proposition(Loaded&, const std::string& text, const std::string& place);

// What to insert into the text of a model, by offset, for a sync behind the statement at this place (a site of the
// program), or for an atomic block around it. Nothing: the statement does not stand there, since a macro made it,
// or it is not known which of several it is.
std::optional<std::vector<std::pair<std::size_t, std::string>>> strengthen(std::string_view text,
                                                                           const core::SourcePlace&, bool sync);

}  // namespace heddle::promela
