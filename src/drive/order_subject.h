// A C program whose memory orders can be changed: one translation per variant of its options and kind of model, and the
// places that all of them have in common. A change is made in all translations at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/restate.h"
#include "core/budget.h"
#include "core/finding.h"
#include "drive/repair.h"
#include "drive/subject.h"
#include "drive/task.h"
#include "repair/order_costs.h"
#include "repair/order_space.h"
#include "repair/source_patch.h"
#include "vm/order_places.h"

namespace heddle::drive {

// One program with one set of definitions.
struct OrderVariant {
  std::string name;  // as --variant has it; empty: the program as the command line has it
  Task task;
  Subject subject;
  struct Translation {
    vm::VmProgram* program;
    std::vector<vm::OrderPlace> places;  // of this translation
    std::vector<std::uint32_t> numbers;  // of each: its number in the subject, or none
  };
  std::vector<Translation> translations;
};

class OrderSubject {
 public:
  // Prepares all variants for these models.
  static support::Result<std::unique_ptr<OrderSubject>> load(const Language&, const Task&, const RepairOptions&,
                                                             const std::vector<const models::Model*>&, core::Budget&);

  const std::vector<std::unique_ptr<OrderVariant>>& variants() const { return variants_; }
  const repair::OrderSpace& space() const { return space_; }
  const vm::OrderPlace& place(std::uint32_t number) const { return places_[number]; }
  // Places for fences that were left out since no edit of the source puts one there.
  const std::vector<core::SourcePlace>& unwritable() const { return unwritable_; }

  // Gives all places these orders.
  void apply(const repair::Orders&);

  // What is changed, as "load acquire instead of relaxed" and "fence seq_cst behind this store".
  std::string change(std::uint32_t place, core::Order) const;
  core::Order own(std::uint32_t place) const { return places_[place].own; }

 private:
  void number_places(const RepairOptions&, const repair::OrderCosts&, core::Budget&);

  std::vector<std::unique_ptr<OrderVariant>> variants_;
  std::vector<vm::OrderPlace> places_;
  std::vector<core::SourcePlace> unwritable_;
  repair::OrderSpace space_;
  repair::Orders now_;
  bool minimise_ = false;
};

// What the engines say of one variant as it is now, under one model.
struct OrderAnswer {
  core::Verdict verdict;
  std::optional<core::Found> found;  // of an Unsafe verdict
};
OrderAnswer decide(const Language&, const OrderVariant&, const models::Model&, core::Budget&);

// Does the run go through and go wrong with the orders that the program has now?
class OrderRun {
 public:
  // Requires that the program has the orders with which the run was found.
  OrderRun(const OrderVariant&, const models::Model&, core::Found);
  bool goes_wrong() const;
  // The run as the program has it now, if it goes wrong.
  std::optional<core::Found> restated() const;

  const OrderVariant& variant() const { return variant_; }
  const models::Model& model() const { return model_; }

 private:
  const OrderVariant& variant_;
  const models::Model& model_;
  core::Found found_;
  std::optional<check::MoveScript> script_;  // of a run of moves
};

}  // namespace heddle::drive
