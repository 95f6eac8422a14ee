// Certificates of repairs: what a synthesis has shown, in a form that can be shown again without it.
//
// A proof has the places that may be changed, a set of them, and constraints: runs that still go wrong with all places
// outside a constraint strengthened. It holds if every run replays on the naive machines of check/, if no cheaper set has
// a member of each constraint (check/cheapest_set.h), and if the program is safe with the set. The last is certified where
// the engine has proofs of its own, and searched again where it has none.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/replayed.h"
#include "core/budget.h"
#include "core/property.h"
#include "core/verdict.h"
#include "drive/repair.h"
#include "drive/task.h"
#include "repair/synthesis.h"
#include "report/repair_proof.h"

namespace heddle::drive {

using report::RepairProof;

// By constraint: a run that shows it.
using ShownRuns = std::map<repair::Elements, RepairProof::Constraint>;

// The proof of what was found, with as few constraints as it needs. Nothing if the synthesis did not end, or the time is
// over.
std::optional<RepairProof> prove(std::string model, std::vector<RepairProof::Place>, const repair::Synthesis&,
                                 const ShownRuns&, std::string states, core::Budget&);

// What a proof has to be about, by the kind of subject.
struct ProofQuestion {
  std::vector<RepairProof::Place> places;
  std::string change;    // what a place is called: "atomic write"
  bool priced = false;   // costs are told
  bool weakens = false;  // the places are those of orders that may be weaker
  // Does the run of a constraint go wrong with all places outside of it strengthened? Empty: it does; else why not.
  std::function<std::string(const RepairProof::Constraint&)> objection;
  // The program with the set of the proof, by its certificate or a search.
  std::function<core::Verdict(const RepairProof&)> judge;
  std::function<std::vector<RepairPlace>(const RepairProof::Numbers&)> changes;  // that a set of places means
  std::optional<std::string> not_monotone;  // why a set of this kind need not be cheapest
  std::string proved_by = "states";         // what certifies the set, where something does
};

// What a replayed run of a constraint leaves to be desired: empty if it shows a violation of one of these properties.
std::string objection_to(const check::Replayed&, const core::Properties&);

Repair recheck(const RepairProof&, const ProofQuestion&, core::Budget&);

// The proofs of `--check-certificate`, of the models that were named if some were.
support::Result<std::vector<RepairProof>> read_proofs(const Language&, const RepairOptions&, const Task&,
                                                      core::Budget&);

// Writes the proofs of `--certificate`; `repairs` are told that it is done, or why there is nothing to write.
std::optional<support::Diagnostic> write_proofs(const RepairOptions&, const Task&, const std::vector<RepairProof>&,
                                                std::vector<Repair>&);

using Models = std::vector<const models::Model*>;
std::string names_of(const Models&);  // "tso,pso"
Models models_of(const std::string& names);

// For models: one repair per memory model of the task, or with --together one for all, their proofs written if that is
// asked for; or one per proof of `--check-certificate`.
struct ProvedRepair {
  Repair repair;
  std::optional<RepairProof> proof;
};
struct ModelRepairer {
  std::function<support::Result<ProvedRepair>(const Models&, core::Budget&)> run;
  std::function<support::Result<Repair>(const Models&, const RepairProof&)> check;
};
support::Result<std::vector<Repair>> repair_by_model(const Language&, const Task&, const RepairOptions&,
                                                     const ModelRepairer&, core::Budget&);

}  // namespace heddle::drive
