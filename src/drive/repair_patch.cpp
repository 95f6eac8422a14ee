// SPDX-License-Identifier: Apache-2.0
#include "drive/repair_patch.h"

#include <fmt/format.h>

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

// All sources side by side, those that are patched as they are then. False if that cannot be done.
bool put_sources(const Task& task, const std::map<std::string, std::string>& texts, const fs::path& folder,
                 core::Budget& budget) {
  std::set<std::string> names;
  std::set<std::string> files(task.files.begin(), task.files.end());
  for (const auto& [file, text] : texts) files.insert(file);
  for (const std::string& file : files) {
    const std::string name = fs::path(file).filename().string();
    if (!names.insert(name).second) return false;
    const auto patched = texts.find(file);
    const auto text = patched != texts.end() ? patched->second : core::read_input(file, &budget);
    if (!text) return false;
    std::ofstream out(folder / name, std::ios::binary);
    out << *text;
    if (!out.flush()) return false;
  }
  return true;
}

// A file by which clang finds the patched texts where the originals are, since sources include headers by any name. Empty
// if it cannot be written.
std::string overlay(const std::map<std::string, std::string>& texts, const fs::path& folder) {
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

// "" if every variant is safe under every model, else what it is.
std::string checked(const Language& language, const OrderSubject& subject,
                    const std::vector<const models::Model*>& models, const std::map<std::string, std::string>& texts,
                    core::Budget& budget) {
  const TemporaryFolder folder;
  for (const auto& original : subject.variants()) {
    Task task = original->task;
    if (folder.path().empty() || !put_sources(task, texts, folder.path(), budget))
      return "its sources cannot be put aside";
    Words includes = *task.include_dirs;
    for (std::string& file : task.files) {
      const fs::path parent = fs::path(file).parent_path();
      includes.push_back(parent.empty() ? "." : parent.string());
      file = (folder.path() / fs::path(file).filename()).string();
    }
    task.include_dirs.set(includes);
    const std::string patched = overlay(texts, folder.path());
    if (patched.empty()) return "its sources cannot be put aside";
    Words flags = *task.cflags;
    flags.insert(flags.end(), {"-ivfsoverlay", patched});
    task.cflags.set(flags);
    auto loaded = load_c(task, budget);
    if (!loaded) return loaded.error().message;
    const OrderVariant variant{original->name, task, std::move(*loaded), {}};
    for (const models::Model* model : models) {
      if (const auto program = const_cast<Subject&>(variant.subject).threads()->prepare(*model); !program)
        return program.error().message;
      const core::Verdict verdict = decide(language, variant, *model, budget).verdict;
      if (verdict.outcome == core::Outcome::Unsafe) return fmt::format("under {}, {}", model->name, verdict.violation);
      if (verdict.outcome == core::Outcome::Unknown) return verdict.reason.text;
    }
  }
  return {};
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
  if (place.kind != Kind::Slot) return edit;
  edit.kind = place.before ? Edit::Before : Edit::After;
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
  std::map<std::string, std::string> texts;
  std::size_t left_out = 0;
  for (const auto& [file, list] : edits) {
    const auto text = core::read_input(file, &budget);
    if (!text) {
      result.notes.push_back(fmt::format("not in the patch: {} cannot be read", file));
      ++left_out;
      continue;
    }
    const repair::PatchedSource patched = repair::patched(*text, list);
    for (const std::string& why : patched.left_out)
      result.notes.push_back(fmt::format("not in the patch: {}:{}", file, why));
    left_out += patched.left_out.size();
    texts[file] = patched.text;
    result.text += repair::unified_diff(fs::path(file).lexically_normal().string(), *text, patched.text);
  }
  if (texts.empty() || left_out > 0) return;
  const std::string why = checked(language, subject, models, texts, budget);
  result.notes.push_back(why.empty() ? "the patched program has been compiled and checked: it is safe"
                                     : "the patched program is not known to be safe: " + why);
}

}  // namespace heddle::drive
