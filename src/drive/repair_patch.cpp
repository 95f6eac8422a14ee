// SPDX-License-Identifier: Apache-2.0
#include "drive/repair_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "core/input.h"
#include "drive/load.h"
#include "drive/temporary_folder.h"

namespace heddle::drive {

namespace {

namespace fs = std::filesystem;

using Patched = std::map<std::string, repair::PatchedSource>;  // by file

// All sources side by side, those that are patched as they are then. False if that cannot be done.
bool put_sources(const Task& task, const Patched& texts, const fs::path& folder, core::Budget& budget) {
  std::set<std::string> names;
  std::set<std::string> files(task.files.begin(), task.files.end());
  for (const auto& [file, text] : texts) files.insert(file);
  for (const std::string& file : files) {
    const std::string name = fs::path(file).filename().string();
    if (!names.insert(name).second) return false;
    const auto patched = texts.find(file);
    const auto text = patched != texts.end() ? patched->second.text : core::read_input(file, &budget);
    if (!text) return false;
    std::ofstream out(folder / name, std::ios::binary);
    out << *text;
    if (!out.flush()) return false;
  }
  return true;
}

// A file by which clang finds the patched texts where the originals are, since sources include headers by any name. Empty
// if it cannot be written.
std::string overlay(const Patched& texts, const fs::path& folder) {
  const auto quoted = [](const fs::path& path) {
    std::string text = "'";
    for (const char c : path.lexically_normal().string()) text += c == '\'' ? std::string("''") : std::string(1, c);
    return text + "'";
  };
  std::string roots;
  for (const auto& [file, text] : texts)
    roots += fmt::format("{{type: file, name: {}, external-contents: {}}},\n", quoted(fs::absolute(file)),
                         quoted(folder / fs::path(file).filename()));
  const std::string name = (folder / "overlay.yaml").string();
  std::ofstream out(name, std::ios::binary);
  out << fmt::format("{{version: 0, roots: [\n{}]}}\n", roots);
  return out.flush() ? name : "";
}

// Gives a place of --reach the file and the line that it has in the patched sources, which lie in `folder`: lines move,
// and what is asked about must not. Returns why that cannot be done, "" if it can.
std::string move_goal(std::string& goal, const OrderVariant& original, const Patched& texts, const fs::path& folder) {
  const std::size_t colon = goal.rfind(':');
  unsigned line = 0;
  if (goal.starts_with("function:") || colon == std::string::npos) return {};
  std::from_chars(goal.data() + colon + 1, goal.data() + goal.size(), line);
  std::string wanted = "/" + goal.substr(0, colon);
  while (wanted.starts_with("/./")) wanted.erase(0, 2);
  if (wanted.starts_with("//")) wanted.erase(0, 1);
  const auto normal = [](const std::string& file) { return fs::absolute(file).lexically_normal().string(); };
  std::set<std::string> moved, named;  // files that are put aside; those with code that the place may be of
  for (const std::string& file : original.task.files) moved.insert(normal(file));
  for (const auto& [file, patched] : texts) moved.insert(normal(file));
  for (const auto& translation : original.translations)
    for (const vm::SiteInfo& site : translation.program->module().sites)
      if (const std::string& file = translation.program->module().strings[site.file];
          !file.empty() && (("/" + file).ends_with(wanted) || normal(file).ends_with(wanted)))
        named.insert(normal(file));
  if (std::ranges::none_of(named, [&](const std::string& file) { return moved.contains(file); })) return {};
  if (named.size() > 1) return fmt::format("'{}' is a place of several files", goal);
  const std::string& file = *named.begin();
  for (const auto& [name, patched] : texts)
    if (normal(name) == file) line = line < patched.lines.size() ? patched.lines[line] : 0;
  if (line == 0) return fmt::format("'{}' is not in the patched text any more", goal);
  goal = fmt::format("{}:{}", (folder / fs::path(file).filename()).string(), line);
  return {};
}

struct Recheck {
  core::Outcome outcome = core::Outcome::Unknown;
  std::string why;
};

// Safe if every variant is safe under every model.
Recheck checked(const Language& language, const OrderSubject& subject, const std::vector<const models::Model*>& models,
                const Patched& texts, core::Budget& budget) {
  const auto unknown = [](std::string why) { return Recheck{core::Outcome::Unknown, std::move(why)}; };
  const TemporaryFolder folder;
  for (const auto& original : subject.variants()) {
    Task task = original->task;
    if (folder.path().empty() || !put_sources(task, texts, folder.path(), budget))
      return unknown("its sources cannot be put aside");
    Words goals = *task.reach;
    for (std::string& goal : goals)
      if (std::string why = move_goal(goal, *original, texts, folder.path()); !why.empty()) return unknown(why);
    if (task.reach.given) task.reach.set(goals);
    Words includes = *task.include_dirs;
    for (std::string& file : task.files) {
      const fs::path parent = fs::path(file).parent_path();
      includes.push_back(parent.empty() ? "." : parent.string());
      file = (folder.path() / fs::path(file).filename()).string();
    }
    task.include_dirs.set(includes);
    const std::string patched = overlay(texts, folder.path());
    if (patched.empty()) return unknown("its sources cannot be put aside");
    Words flags = *task.cflags;
    flags.insert(flags.end(), {"-ivfsoverlay", patched});
    task.cflags.set(flags);
    auto loaded = load_c(task, budget);
    if (!loaded) return unknown(loaded.error().message);
    const OrderVariant variant{original->name, task, std::move(*loaded), {}};
    for (const models::Model* model : models) {
      if (const auto program = const_cast<Subject&>(variant.subject).threads()->prepare(*model); !program)
        return unknown(program.error().message);
      const core::Verdict verdict = decide(language, variant, *model, budget).verdict;
      if (verdict.outcome == core::Outcome::Unsafe)
        return {verdict.outcome, fmt::format("under {}, {}", model->name, verdict.violation)};
      if (verdict.outcome == core::Outcome::Unknown) return unknown(verdict.reason.text);
    }
  }
  return {core::Outcome::Safe, {}};
}

}  // namespace

repair::SourceEdit edit_of(const vm::OrderPlace& place, core::Order order) {
  using Kind = vm::OrderPlace::Kind;
  using Edit = repair::SourceEdit::Kind;
  repair::SourceEdit edit{Edit::Order, place.source.line, place.source.column, order};
  if (place.kind == Kind::Failure) edit.kind = Edit::Failure;
  if (place.kind == Kind::Load) edit.access = repair::SourceEdit::Access::Load;
  if (place.kind == Kind::Store) edit.access = repair::SourceEdit::Access::Store;
  edit.plain = place.own == core::Order::Plain;
  edit.at_least = place.own != place.most;
  if (place.kind != Kind::Slot) return edit;
  edit.kind = place.before ? Edit::Before : Edit::After;
  for (const core::SourcePlace& other : place.around)
    if (other.file == place.source.file) edit.around.emplace_back(other.line, other.column);
  if (place.next.file == place.source.file) {
    edit.next_line = place.next.line;
    edit.next_column = place.next.column;
  }
  return edit;
}

void write_patch(const Language& language, const OrderSubject& subject, const repair::Orders& orders,
                 const std::vector<const models::Model*>& models, core::Budget& budget, Repair& result) {
  std::map<std::string, std::vector<repair::SourceEdit>> edits;
  for (std::uint32_t p = 0; p < orders.size(); ++p)
    if (orders[p] != subject.own(p))
      edits[subject.place(p).source.file].push_back(edit_of(subject.place(p), orders[p]));
  Patched texts;
  std::size_t left_out = 0;
  for (const auto& [file, list] : edits) {
    const auto text = core::read_input(file, &budget);
    if (!text) {
      result.notes.push_back(fmt::format("not in the patch: {} cannot be read", file));
      ++left_out;
      continue;
    }
    const repair::PatchedSource& patched = texts[file] = repair::patched(*text, list);
    for (const std::string& why : patched.left_out)
      result.notes.push_back(fmt::format("not in the patch: {}:{}", file, why));
    left_out += patched.left_out.size();
    result.text += repair::unified_diff(fs::path(file).lexically_normal().string(), *text, patched.text);
  }
  if (texts.empty() || left_out > 0) return;
  const Recheck again = checked(language, subject, models, texts, budget);
  if (again.outcome == core::Outcome::Unsafe) result.no_text = "the patched program is not safe: " + again.why;
  else
    result.notes.push_back(again.outcome == core::Outcome::Safe
                               ? "the patched program has been compiled and checked: it is safe"
                               : "the patched program is not known to be safe: " + again.why);
}

}  // namespace heddle::drive
