// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/options.h"
#include "core/input.h"
#include "core/interrupt.h"
#include "models/models.h"

namespace heddle::cli {

namespace {

using drive::Language;
using drive::language_of;
using drive::split;

bool contains(const std::vector<std::string>& list, std::string_view what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

std::string one_of(const std::vector<std::string>& words, const std::string& text) {
  return contains(words, text) ? std::string() : fmt::format("'{}' is none of {}", text, fmt::join(words, ", "));
}

template <class T>
std::optional<T> number_of(const std::string& text) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The reason why a text is no value of the option; empty if it is one.
struct Verify {
  std::string operator()(const Flag&, const std::string&) const { return {}; }
  std::string operator()(const List&, const std::string& text) const { return not_empty(text); }
  std::string operator()(const Text&, const std::string& text) const { return not_empty(text); }
  std::string operator()(const Switch&, const std::string& text) const { return one_of({"on", "off"}, text); }
  std::string operator()(const OnOff&, const std::string& text) const { return one_of({"on", "off"}, text); }
  std::string operator()(const Choice& target, const std::string& text) const {
    return one_of(split(target.choices, ' '), text);
  }
  std::string operator()(const CommaList&, const std::string& text) const {
    return split(text, ',').empty() ? not_empty({}) : std::string();
  }
  std::string operator()(const Number& target, const std::string& text) const {
    const auto number = number_of<std::uint64_t>(text);
    const bool good = number && *number >= target.least && *number <= target.most;
    return good ? std::string() : fmt::format("'{}' is no whole number from {} to {}", text, target.least, target.most);
  }
  std::string operator()(const Seconds&, const std::string& text) const {
    const auto number = number_of<double>(text);
    return number && std::isfinite(*number) && *number > 0 ? std::string() : "'" + text + "' is no number above 0";
  }
  std::string operator()(const Bytes&, const std::string& text) const {
    const auto size = parse_bytes(text);
    return size && *size > 0 ? std::string() : "'" + text + "' is no size; write it as 512M or 4G";
  }
};

// Puts a verified value where it belongs, once for every time the option stands on the command line.
struct Store {
  CheckRequest& request;
  const std::string& text;

  void operator()(const Flag& target) const { (request.*target.member).set(true); }
  void operator()(const OnOff& target) const { (request.*target.member).set(text == "on"); }
  void operator()(const Bytes& target) const { (request.*target.member).set(parse_bytes(text).value_or(0)); }
  void operator()(const Number& target) const {
    (request.*target.member).set(number_of<std::uint64_t>(text).value_or(0));
  }
  void operator()(const Seconds& target) const { (request.*target.member).set(number_of<double>(text).value_or(0)); }
  void operator()(const List& target) const { add({text}, request.*target.member); }
  void operator()(const CommaList& target) const { add(split(text, ','), request.*target.member); }
  template <class Target>  // Text, Choice, Switch
  void operator()(const Target& target) const {
    (request.*target.member).set(text);
  }

 private:
  static void add(const drive::Words& words, Setting<drive::Words>& list) {
    drive::Words all = *list;
    all.insert(all.end(), words.begin(), words.end());
    list.set(std::move(all));
  }
};

void declare(CLI::App& app, const Option& option, const std::shared_ptr<CheckRequest>& request) {
  const auto store = [request, &option](const std::string& text) {
    std::visit(Store{*request, text}, option.target);
    const char* const joint = std::holds_alternative<Switch>(option.target) ? "=" : "";
    request->said.emplace_back(std::string(long_name(option)) + joint, text);
  };
  const auto verify = [&option](const std::string& text) {
    return std::visit([&](const auto& target) { return Verify{}(target, text); }, option.target);
  };
  CLI::Option* made = nullptr;
  if (std::holds_alternative<Flag>(option.target)) {
    made = app.add_flag_callback(option.name, [store] { store({}); }, option.help);
  } else if (std::holds_alternative<Switch>(option.target)) {
    made = app.add_flag(std::string(option.name) + "{on}")->each(store)->description(option.help)->check(verify);
  } else if (std::holds_alternative<List>(option.target) || std::holds_alternative<CommaList>(option.target)) {
    made = app.add_option_function<drive::Words>(
        option.name, [store](const drive::Words& words) { std::ranges::for_each(words, store); }, option.help);
    // What follows a value is the next option, or the file.
    made->check(verify)->expected(1)->take_all()->allow_extra_args(false);
  } else {
    made = app.add_option_function<std::string>(option.name, store, option.help)->check(verify);
  }
  made->group(option.group);
  if (*option.value != '\0')
    made->type_name(*option.shown_default != '\0' ? fmt::format("{} [{}]", option.value, option.shown_default)
                                                  : std::string(option.value));
}

// The options whose long names are listed, or all of them if the list is empty.
void declare(CLI::App& app, const std::shared_ptr<CheckRequest>& request, const std::vector<std::string>& only) {
  for (const Option& option : check_options())
    if (only.empty() || contains(only, long_name(option))) declare(app, option, request);
}

// Why a file cannot be read; empty if it can.
std::string unreadable(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return "is a folder without files that can be read from folders (litmus tests)";
  return core::unreadable(file);
}

support::Diagnostic mistake(std::string message, std::string hint = {}) {
  support::Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  return diagnostic;
}

std::string extension_of(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension.empty() ? "files without extension" : extension;
}

}  // namespace

std::string not_empty(const std::string& text) { return text.empty() ? "nothing is named" : std::string(); }

std::shared_ptr<CheckRequest> declare_limits(CLI::App& app) {
  auto request = std::make_shared<CheckRequest>();
  declare(app, request, {"--timeout", "--memory"});
  return request;
}

std::shared_ptr<CheckRequest> declare_request(CLI::App& app, const std::vector<std::string>& only) {
  auto request = std::make_shared<CheckRequest>();
  app.add_option_function<std::vector<std::string>>(
         "files", [request](const std::vector<std::string>& files) { request->files = files; },
         "the program; several files if the language has modules")
      ->required()
      ->type_name("FILE");
  declare(app, request, only);
  return request;
}

namespace {

// Replaces the default and `ladder` by models, and refuses what the language does not have.
std::optional<support::Diagnostic> settle_models(CheckRequest& request, const Language& language) {
  const std::vector<std::string> known = split(language.models, ',');
  const drive::Words named = request.models->empty() ? split(language.default_models, ',') : *request.models;
  request.ladder =
      !request.models.given || std::ranges::all_of(named, [](const std::string& m) { return m == "ladder"; });
  drive::Words chosen;
  for (const std::string& model : named)
    for (const std::string& name : model == "ladder" ? split(language.ladder, ',') : drive::Words{model})
      if (!contains(chosen, name)) chosen.push_back(name);
  for (const std::string& name : chosen) {
    if (models::find(name) == nullptr)
      return mistake(fmt::format("no memory model '{}'; heddle models lists them", name));
    if (!contains(known, name))
      return mistake(fmt::format("{} is not checked under '{}'", language.name, name),
                     fmt::format("its models are {}", language.models));
  }
  request.models.value = chosen;
  for (const std::string& name : *request.require)
    if (!contains(chosen, name))
      return mistake(fmt::format("--require names '{}', which is not among the models to check", name));
  return std::nullopt;
}

}  // namespace

support::Result<const Language*> settle(CheckRequest& request) {
  request.files = drive::with_folders_opened(request.files);
  const Language* language = nullptr;
  for (const std::string& file : request.files) {
    if (const std::string why = unreadable(file); !why.empty()) {
      support::Diagnostic diagnostic = mistake(why);
      diagnostic.file = file;
      return diagnostic;
    }
    const Language* found = language_of(file);
    if (found == nullptr) {
      support::Diagnostic diagnostic =
          mistake(fmt::format("no language for {}; heddle languages lists them", extension_of(file)));
      diagnostic.file = file;
      return diagnostic;
    }
    if (language != nullptr && found != language)
      return mistake(fmt::format("{} is {} and {} is {}: one run checks one language", request.files.front(),
                                 language->name, file, found->name));
    language = found;
  }
  HEDDLE_ASSERT(language != nullptr);

  if (auto wrong = settle_models(request, *language)) return *wrong;
  if (!request.engine->empty() && !contains(split(language->engines, ' '), *request.engine))
    return mistake(fmt::format("{} has no engine '{}'", language->name, *request.engine),
                   fmt::format("its engines are {}", language->engines));
  const std::vector<std::string> honoured = split(language->options, ' ');
  for (const Option& option : check_options())
    if (const std::string name(long_name(option));
        !option.shared && given(request, option) && !contains(honoured, name))
      return mistake(fmt::format("{} does not apply to {}", name, language->name),
                     fmt::format("beside the common ones it has {}", language->options));
  return language;
}

int input_error(const support::Diagnostic& diagnostic) {
  std::fputs(support::render(diagnostic).c_str(), stderr);
  return diagnostic.limit ? drive::exit_unknown : drive::exit_input_error;
}

void limit(core::Budget& budget, const CheckRequest& request) {
  if (*request.timeout > 0) budget.seconds = *request.timeout;
  if (*request.memory > 0) budget.bytes = *request.memory;
  if (*request.max_states > 0) budget.max_states = *request.max_states;
  budget.interrupted = core::watch_interrupts();
  budget.start();
}

}  // namespace heddle::cli
