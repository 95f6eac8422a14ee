// What a front end gives: the program, in the one form that its language has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "core/condition.h"
#include "core/program.h"
#include "core/property.h"
#include "drive/formulas.h"
#include "ir/as_threads.h"
#include "ir/program.h"
#include "lang/cubicle/syntax.h"
#include "models/models.h"
#include "repair/ir_places.h"
#include "support/diagnostics.h"

namespace heddle::drive {

// Threads that answer requests (C, LLVM IR). Models that perform loads late run on a translation of its own, which
// tracks registers; each is made when the first model asks for it.
class Threads {
 public:
  struct Translation {
    std::unique_ptr<core::Program> program;
    std::unique_ptr<core::Conditions> conditions;  // of temporal formulas; null: there are none
  };
  using Load = std::function<support::Result<Translation>(bool tracks_registers)>;
  explicit Threads(Load load) : load_(std::move(load)) {}

  support::Result<const core::Program*> prepare(const models::Model& model) {
    Translation& translation = model.needs_dependencies() ? tracking_ : plain_;
    if (translation.program) return translation.program.get();
    auto loaded = load_(model.needs_dependencies());
    if (!loaded) return loaded.error();
    translation = std::move(*loaded);
    return translation.program.get();
  }
  // Require prepare() for this model.
  const core::Program& program(const models::Model& model) const { return *translation(model).program; }
  core::Conditions& conditions(const models::Model& model) const { return *translation(model).conditions; }

 private:
  const Translation& translation(const models::Model& model) const {
    return model.needs_dependencies() ? tracking_ : plain_;
  }

  Load load_;
  Translation plain_, tracking_;
};

// How a model of steps is repaired: what may be added, and how the text is changed.
struct Strengthening {
  repair::IrPlaceKinds kinds = {};
  // What to insert into the text of the file, by offset, for a sync behind the statement at this place, or to make it
  // atomic. Nothing: the place is not found in the text. Empty: a model whose strengthening is a file of its own.
  using Insertions = std::vector<std::pair<std::size_t, std::string>>;
  std::function<std::optional<Insertions>(std::string_view text, const core::SourcePlace&, bool sync)> insert = {};
};

struct Subject {
  std::variant<Threads, ir::Program, cubicle::System> form;
  core::Properties properties;         // that are asked for; propositions by their numbers in the program
  std::vector<Formula> formulas = {};  // that core::Ltl names
  Strengthening strengthening = {};

  Threads* threads() { return std::get_if<Threads>(&form); }
  const Threads* threads() const { return std::get_if<Threads>(&form); }
  const ir::Program* steps() const { return std::get_if<ir::Program>(&form); }
  const cubicle::System* arrays() const { return std::get_if<cubicle::System>(&form); }

  // The program as threads that answer requests. Requires threads(), prepared for the model, or steps() that
  // ir::AsThreads does not refuse.
  const core::Program& program(const models::Model& model) const {
    if (const Threads* given = threads()) return given->program(model);
    auto& adapted = model.machine->has_buffers() ? with_buffers : without_buffers;
    if (!adapted) adapted = std::make_shared<ir::AsThreads>(*steps(), model.machine->has_buffers());
    return *adapted;
  }

  mutable std::shared_ptr<const core::Program> with_buffers = nullptr,
                                               without_buffers = nullptr;  // made when asked for
};

}  // namespace heddle::drive
