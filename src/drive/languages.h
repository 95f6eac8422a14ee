// The languages that Heddle reads: one row each of the table in languages.cpp, with the loader that makes a Subject.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/budget.h"
#include "drive/subject.h"
#include "drive/task.h"
#include "support/diagnostics.h"

namespace heddle::drive {

struct Language {
  const char* name;
  const char* extensions;      // separated by blanks, each with its dot
  const char* models;          // all that it can be checked under, separated by commas (rows of models/)
  const char* default_models;  // what runs without --model
  const char* ladder;          // what --model ladder means, from the strongest to the weakest
  const char* engines;         // separated by blanks, in the order in which they are tried
  const char* properties;      // of core/property.h, by blanks; the first of those that are always looked for
  const char* options;         // options of `check` it honours beside those that all languages share, by blanks
  const char* description;
  // Reads the files of the task and its properties. Null: tests with answers of their own (drive/litmus.h); such a
  // language also takes whole folders.
  support::Result<Subject> (*load)(const Task&, core::Budget&);
  bool repairs_orders = false;  // `repair` changes memory orders (drive/repair_orders.h)
};

std::span<const Language> languages();

// The language of a file by the longest extension that fits, or null.
const Language* language_of(std::string_view file);

// Folders are replaced by the files in them, at any depth, of languages that take whole folders.
std::vector<std::string> with_folders_opened(const std::vector<std::string>& files);

// The parts of a list like "sc,tso" or ".c .cpp".
std::vector<std::string> split(std::string_view list, char separator);

// What the user asks for by --property, of what the language has; `standard` if nothing was asked for.
support::Result<core::Properties> properties_of(const Task&, const Language&, core::Properties standard);

}  // namespace heddle::drive
