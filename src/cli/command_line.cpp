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

#include "cli/models.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "core/input.h"

namespace heddle::cli {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

bool contains(const std::vector<std::string>& list, std::string_view what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

// Refuses all but some words. (CLI11's own validators repeat themselves in the help.)
std::function<std::string(const std::string&)> one_of(std::vector<std::string> words) {
  return [words = std::move(words)](const std::string& text) {
    return contains(words, text) ? std::string() : fmt::format("'{}' is none of {}", text, fmt::join(words, ", "));
  };
}

// The member is written by the call-back, once for every time the option stands on the command line.
CLI::Option* declare(CLI::App& app, const Option& option, const std::shared_ptr<CheckRequest>& request) {
  const std::string name(long_name(option));
  const auto note = [request, name] {
    if (!contains(request->given, name)) request->given.push_back(name);
  };
  CLI::Option* made = std::visit(
      Overloaded{
          [&](const Flag& target) {
            return app.add_flag_callback(
                option.name,
                [=] {
                  note();
                  request.get()->*target.member = true;
                },
                option.help);
          },
          [&](const Switch& target) {
            return app.add_flag(std::string(option.name) + "{on}")
                ->each([=](const std::string& value) {
                  note();
                  request.get()->*target.member = value;
                })
                ->description(option.help)
                ->check(one_of({"on", "off"}));
          },
          [&](const OnOff& target) {
            return app
                .add_option_function<std::string>(
                    option.name,
                    [=](const std::string& value) {
                      note();
                      request.get()->*target.member = value == "on";
                    },
                    option.help)
                ->check(one_of({"on", "off"}));
          },
          [&](const List& target) {
            return app
                .add_option_function<std::vector<std::string>>(
                    option.name,
                    [=](const std::vector<std::string>& value) {
                      note();
                      request.get()->*target.member = value;
                    },
                    option.help)
                ->expected(1)
                ->take_all()
                ->allow_extra_args(false);  // what follows a value is the next option, or the file
          },
          [&](const CommaList& target) {
            return app
                .add_option_function<std::vector<std::string>>(
                    option.name,
                    [=](const std::vector<std::string>& value) {
                      note();
                      auto& list = request.get()->*target.member;
                      for (const std::string& part : value)
                        for (std::string& word : split(part, ',')) list.push_back(std::move(word));
                    },
                    option.help)
                ->check([](const std::string& text) {
                  return split(text, ',').empty() ? "nothing is named" : std::string();
                })
                ->expected(1)
                ->take_all()
                ->allow_extra_args(false);  // what follows a value is the next option, or the file
          },
          [&](const Number& target) {
            return app
                .add_option_function<std::uint64_t>(
                    option.name,
                    [=](std::uint64_t value) {
                      note();
                      request.get()->*target.member = value;
                    },
                    option.help)
                ->check([target](const std::string& text) {
                  std::uint64_t number = 0;
                  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
                  const bool good = error == std::errc() && end == text.data() + text.size() &&
                                    number >= target.least && number <= target.most;
                  return good ? std::string()
                              : fmt::format("'{}' is no whole number from {} to {}", text, target.least, target.most);
                });
          },
          [&](const Seconds& target) {
            return app
                .add_option_function<double>(
                    option.name,
                    [=](double value) {
                      note();
                      request.get()->*target.member = value;
                    },
                    option.help)
                ->check([](const std::string& text) {
                  double number = 0;
                  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
                  const bool good =
                      error == std::errc() && end == text.data() + text.size() && std::isfinite(number) && number > 0;
                  return good ? std::string() : "'" + text + "' is no number above 0";
                });
          },
          [&](const Bytes& target) {
            return app
                .add_option_function<std::string>(
                    option.name,
                    [=](const std::string& value) {
                      note();
                      request.get()->*target.member = parse_bytes(value).value_or(0);
                    },
                    option.help)
                ->check([](const std::string& text) {
                  const auto size = parse_bytes(text);
                  return size && *size > 0 ? std::string() : "'" + text + "' is no size; write it as 512M or 4G";
                });
          },
          [&](const Text& target) {
            return app.add_option_function<std::string>(
                option.name,
                [=](const std::string& value) {
                  note();
                  request.get()->*target.member = value;
                },
                option.help);
          },
          [&](const Choice& target) {
            return app
                .add_option_function<std::string>(
                    option.name,
                    [=](const std::string& value) {
                      note();
                      request.get()->*target.member = value;
                    },
                    option.help)
                ->check(one_of(split(target.choices, ' ')));
          },
      },
      option.target);
  made->group(option.group);
  if (*option.value != '\0')
    made->type_name(*option.shown_default != '\0' ? fmt::format("{} [{}]", option.value, option.shown_default)
                                                  : std::string(option.value));
  return made;
}

// Why a file cannot be read; empty if it can.
std::string unreadable(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return "is a folder without files that can be read from folders (litmus tests)";
  return core::unreadable(file);
}

// Folders are replaced by the files in them, at any depth, of languages that take whole folders.
std::vector<std::string> with_folders_opened(const std::vector<std::string>& files) {
  std::vector<std::string> result;
  for (const std::string& file : files) {
    std::error_code error;
    std::vector<std::string> inside;
    if (std::filesystem::is_directory(file, error))
      for (auto it = std::filesystem::recursive_directory_iterator(file, error);
           !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
        // A link to nothing is kept: it is named when it cannot be read.
        const bool file_or_dangling =
            it->is_regular_file(error) || (it->is_symlink(error) && !std::filesystem::exists(it->path(), error));
        error.clear();
        const Language* language = file_or_dangling ? language_of(it->path().string()) : nullptr;
        if (language != nullptr && language->runner != nullptr) inside.push_back(it->path().string());
      }
    std::sort(inside.begin(), inside.end());
    if (inside.empty()) inside.push_back(file);
    result.insert(result.end(), inside.begin(), inside.end());
  }
  return result;
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

std::shared_ptr<CheckRequest> declare_request(CLI::App& app, const std::vector<std::string>& only) {
  auto request = std::make_shared<CheckRequest>();
  app.add_option_function<std::vector<std::string>>(
         "files", [request](const std::vector<std::string>& files) { request->files = files; },
         "the program; several files if the language has modules")
      ->required()
      ->type_name("FILE");
  for (const Option& option : check_options())
    if (only.empty() || contains(only, long_name(option))) declare(app, option, request);
  return request;
}

support::Result<const Language*> settle(CheckRequest& request) {
  request.files = with_folders_opened(request.files);
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

  const std::vector<std::string> known = split(language->models, ',');
  if (request.models.empty()) request.models = split(language->default_models, ',');
  request.ladder = !contains(request.given, "--model") ||
                   std::ranges::all_of(request.models, [](const std::string& m) { return m == "ladder"; });
  std::vector<std::string> chosen;
  for (const std::string& model : request.models)
    for (const std::string& name : model == "ladder" ? split(language->ladder, ',') : std::vector<std::string>{model})
      if (!contains(chosen, name)) chosen.push_back(name);
  for (const std::string& name : chosen) {
    if (find_model(name) == nullptr)
      return mistake(fmt::format("no memory model '{}'; heddle models lists them", name));
    if (!contains(known, name))
      return mistake(fmt::format("{} is not checked under '{}'", language->name, name),
                     fmt::format("its models are {}", language->models));
  }
  request.models = chosen;
  for (const std::string& name : request.require)
    if (!contains(chosen, name))
      return mistake(fmt::format("--require names '{}', which is not among the models to check", name));

  if (!request.engine.empty() && !contains(split(language->engines, ' '), request.engine))
    return mistake(fmt::format("{} has no engine '{}'", language->name, request.engine),
                   fmt::format("its engines are {}", language->engines));

  const std::vector<std::string> honoured = split(language->options, ' ');
  for (const Option& option : check_options()) {
    const std::string name(long_name(option));
    if (!option.shared && contains(request.given, name) && !contains(honoured, name))
      return mistake(fmt::format("{} does not apply to {}", name, language->name),
                     fmt::format("beside the common ones it has {}", language->options));
  }
  return language;
}

void limit(core::Budget& budget, const CheckRequest& request) {
  if (request.timeout > 0) budget.seconds = request.timeout;
  if (request.memory > 0) budget.bytes = request.memory;
  if (request.max_states > 0) budget.max_states = request.max_states;
  budget.interrupted = watch_interrupts();
  budget.start();
}

}  // namespace heddle::cli
