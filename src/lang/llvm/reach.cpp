// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/reach.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <vector>

namespace heddle::lang::llvm_ir {
namespace {

support::Diagnostic no_such_place(const std::string& message, const std::string& hint) {
  return {"", 0, 0, message, "", hint};
}

// Edits that turn one name into the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string list_of(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text;
}

void fail_before(llvm::Module& module, llvm::Instruction* at, const std::string& message) {
  llvm::IRBuilder<> b(at);
  if (!at->getDebugLoc()) {
    if (auto* scope = at->getFunction()->getSubprogram())
      b.SetCurrentDebugLocation(llvm::DILocation::get(module.getContext(), scope->getLine(), 0, scope));
  }
  auto* pointer = b.getPtrTy();
  const auto fail =
      module.getOrInsertFunction("__heddle_fail", llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer}, false));
  b.CreateCall(fail, {b.CreateGlobalString("reach"), b.CreateGlobalString(message)});
}

bool own(const llvm::Function& f, const std::set<std::string>& library) {
  return !f.isDeclaration() && !library.contains(f.getName().str());
}

std::optional<support::Diagnostic> forbid_function(llvm::Module& module, const std::set<std::string>& library,
                                                   const std::string& name) {
  std::vector<std::string> names;
  for (llvm::Function& f : module) {
    if (!own(f, library)) continue;
    if (f.getName() == name) {
      auto& entry = f.getEntryBlock();
      auto at = entry.getFirstNonPHIOrDbgOrAlloca();
      fail_before(module, &*at, fmt::format("'function:{}' is reachable", name));
      return std::nullopt;
    }
    if (!f.getName().starts_with("__heddle") && f.getSubprogram() != nullptr) names.push_back(f.getName().str());
  }
  std::ranges::sort(names, {}, [&](const std::string& other) { return std::pair(distance(name, other), other); });
  return no_such_place(fmt::format("--reach: the program has no function '{}'", name),
                       names.empty() ? "" : fmt::format("it has {}", list_of(names, 5)));
}

// Does the path end in these components?
bool ends_in(llvm::StringRef path, llvm::StringRef end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/' || end.starts_with("/"));
}

std::optional<support::Diagnostic> forbid_line(llvm::Module& module, const std::set<std::string>& library,
                                               std::string file, unsigned line) {
  while (file.starts_with("./")) file.erase(0, 2);
  std::set<std::string> files;
  std::set<unsigned> lines;  // of the file that have code
  std::vector<llvm::Instruction*> places;
  for (llvm::Function& f : module) {
    if (!own(f, library)) continue;
    for (llvm::BasicBlock& block : f) {
      bool before = false;  // the instruction before this one is of the line
      for (llvm::Instruction& i : block) {
        const llvm::DILocation* loc = i.getDebugLoc();
        if (loc == nullptr || llvm::isa<llvm::DbgInfoIntrinsic>(i) || llvm::isa<llvm::PHINode>(i)) continue;
        const auto whole = (loc->getDirectory() + "/" + loc->getFilename()).str();
        files.insert(loc->getFilename().str());
        const bool here = ends_in(loc->getFilename(), file) || ends_in(whole, file);
        if (here && loc->getLine() != 0) lines.insert(loc->getLine());
        const bool hit = here && loc->getLine() == line;
        if (hit && !before) places.push_back(&i);
        before = hit;
      }
    }
  }
  for (llvm::Instruction* i : places) fail_before(module, i, fmt::format("'{}:{}' is reachable", file, line));
  if (!places.empty()) return std::nullopt;
  if (lines.empty()) {
    std::vector<std::string> names(files.begin(), files.end());
    std::ranges::sort(names, {}, [&](const std::string& other) { return std::pair(distance(file, other), other); });
    return no_such_place(fmt::format("--reach: no code of the program comes from a file '{}'", file),
                         names.empty() ? "" : fmt::format("there are {}", list_of(names, 5)));
  }
  std::vector<unsigned> near(lines.begin(), lines.end());
  std::ranges::sort(near, {}, [&](unsigned other) {
    return std::pair(std::abs(static_cast<long>(other) - static_cast<long>(line)), other);
  });
  near.resize(std::min<std::size_t>(near.size(), 3));
  std::ranges::sort(near);
  std::vector<std::string> words;
  for (const unsigned other : near) words.push_back(std::to_string(other));
  return no_such_place(fmt::format("--reach: there is no code at {}:{}", file, line),
                       fmt::format("the nearest lines that have some are {}", list_of(words, 3)));
}

}  // namespace

std::optional<support::Diagnostic> forbid(llvm::Module& module, const std::set<std::string>& library,
                                          const std::string& goal) {
  const std::size_t colon = goal.rfind(':');
  if (goal.starts_with("function:")) return forbid_function(module, library, goal.substr(9));
  unsigned line = 0;
  if (colon != std::string::npos && colon != 0) {
    const auto [end, error] = std::from_chars(goal.data() + colon + 1, goal.data() + goal.size(), line);
    if (error == std::errc() && end == goal.data() + goal.size() && line != 0)
      return forbid_line(module, library, goal.substr(0, colon), line);
  }
  return no_such_place(fmt::format("--reach takes a place of a C program, not '{}'", goal),
                       "as --reach function:NAME or --reach FILE:LINE");
}

}  // namespace heddle::lang::llvm_ir
