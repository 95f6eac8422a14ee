// The tables of the command line agree with each other and with the models that exist; requests that no run could
// honour are refused before anything runs.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>

#include "axioms/models.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "cli/run.h"
#include "drive/ladder.h"
#include "drive/languages.h"
#include "models/models.h"
#include "report/progress.h"
#include "support/own_folder.h"
#include "support/places.h"

namespace heddle::cli {
namespace {

using drive::Language;
using drive::languages;
using drive::split;
using report::progress_text;

std::set<std::string> set_of(std::string_view list, char separator) {
  const std::vector<std::string> parts = split(list, separator);
  return {parts.begin(), parts.end()};
}

TEST(Cli, sizes_are_read_with_their_units) {
  EXPECT_EQ(parse_bytes("17"), 17u);
  EXPECT_EQ(parse_bytes("4K"), 4096u);
  EXPECT_EQ(parse_bytes("512M"), 512ull << 20);
  EXPECT_EQ(parse_bytes("2GiB"), 2ull << 30);
  EXPECT_EQ(parse_bytes("1t"), 1ull << 40);
  for (const char* text : {"", "M", "-1", "1.5G", "4X", "4MM", "99999999999999999999", "18446744073709551615K"})
    EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(Cli, option_names_are_unique_and_each_has_help) {
  std::set<std::string> names;
  for (const Option& option : check_options()) {
    for (const std::string& name : split(option.name, ',')) EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_GT(std::string(option.help).size(), 5u) << option.name;
  }
}

// A value that differs from the default, and whether the member that the row names took it.
struct Sample {
  std::string value;
  bool (*changed)(const CheckRequest&, const Target&);
};

template <class T>
bool differs(const CheckRequest& request, const Target& target) {
  const auto member = std::get<T>(target).member;
  return *(request.*member) != *(CheckRequest().*member);
}

Sample sample(const Target& target) {
  if (std::holds_alternative<Bytes>(target)) return {"3M", differs<Bytes>};
  if (std::holds_alternative<OnOff>(target)) return {"off", differs<OnOff>};
  if (std::holds_alternative<Flag>(target)) return {"", differs<Flag>};
  if (std::holds_alternative<Switch>(target)) return {"", differs<Switch>};
  if (std::holds_alternative<List>(target)) return {"a=b", differs<List>};
  if (std::holds_alternative<CommaList>(target)) return {"a,b", differs<CommaList>};
  if (std::holds_alternative<Number>(target)) return {"17", differs<Number>};
  if (std::holds_alternative<Seconds>(target)) return {"1.5", differs<Seconds>};
  if (std::holds_alternative<Text>(target)) return {"word", differs<Text>};
  return {split(std::get<Choice>(target).choices, ' ').back(), differs<Choice>};
}

TEST(Cli, every_option_reaches_its_member_and_no_other_before_and_behind_the_file) {
  for (const Option& option : check_options())
    for (const bool before : {false, true}) {
      CLI::App app;
      const auto request = declare_request(app);
      const Sample given = sample(option.target);
      std::vector<std::string> reversed;  // as CLI11 takes arguments
      if (before) reversed.emplace_back("file.x");
      if (!given.value.empty()) reversed.push_back(given.value);
      reversed.emplace_back(long_name(option));
      if (!before) reversed.emplace_back("file.x");
      app.parse(reversed);
      EXPECT_EQ(request->files, std::vector<std::string>{"file.x"}) << option.name;
      for (const Option& other : check_options())
        EXPECT_EQ(cli::given(*request, other), &other == &option) << option.name << " and " << other.name;
      for (const Option& other : check_options())
        EXPECT_EQ(sample(other.target).changed(*request, other.target), &other == &option)
            << option.name << " and " << other.name;
    }
}

TEST(Cli, an_option_that_may_be_repeated_takes_one_value_at_a_time) {
  CLI::App app;
  const auto request = declare_request(app);
  std::vector<std::string> reversed = {"leak", "--property", "file.x", "B", "-D", "A", "-D", "sc", "-m"};
  app.parse(reversed);
  EXPECT_EQ(request->files, std::vector<std::string>{"file.x"});
  EXPECT_EQ(*request->defines, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(*request->properties, std::vector<std::string>{"leak"});
}

TEST(Cli, values_that_an_option_cannot_have_are_refused) {
  const std::pair<const char*, const char*> wrong[] = {
      {"--buffer", "-1"},   {"--buffer", "two"},     {"--por", "maybe"},         {"--timeout", "0"},
      {"--timeout", "nan"}, {"--memory", "lots"},    {"--search", "best"},       {"--workers", "1e3"},
      {"--workers", "0"},   {"--workers", "100000"}, {"--max-states", "0"},      {"--timeout", "0x10"},
      {"--model", ""},      {"--model", ","},        {"--replay", ""},           {"--engine", ""},
      {"--automaton", ""},  {"--json", ""},          {"--check-certificate", ""}};
  for (const auto& [option, value] : wrong) {
    CLI::App app;
    const auto request = declare_request(app);
    std::vector<std::string> reversed = {value, option, "file.x"};
    EXPECT_THROW(app.parse(reversed), CLI::ParseError) << option << " " << value;
  }
}

TEST(Cli, languages_name_only_models_and_options_that_exist) {
  std::set<std::string> options;
  for (const Option& option : check_options()) options.insert(std::string(long_name(option)));
  std::set<std::string> extensions;
  for (const Language& language : languages()) {
    const std::set<std::string> known = set_of(language.models, ',');
    for (const std::string& model : known) EXPECT_NE(models::find(model), nullptr) << language.name << ": " << model;
    for (const std::string& model : set_of(language.ladder, ','))
      EXPECT_TRUE(known.count(model)) << language.name << ": " << model;
    for (const std::string& model : set_of(language.default_models, ',')) EXPECT_TRUE(known.count(model)) << model;
    for (const std::string& option : set_of(language.options, ' '))
      EXPECT_TRUE(options.count(option)) << language.name << ": " << option;
    for (const std::string& extension : split(language.extensions, ' ')) {
      EXPECT_TRUE(extension.starts_with('.')) << extension;
      EXPECT_TRUE(extensions.insert(extension).second) << extension << " belongs to two languages";
    }
    EXPECT_FALSE(split(language.engines, ' ').empty()) << language.name;
    for (const std::string& property : split(language.properties, ' '))
      EXPECT_NE(core::find_property(property), nullptr) << language.name << ": " << property;
  }
}

TEST(Cli, the_table_of_models_has_every_machine_and_all_axioms_under_their_own_names) {
  for (const models::Model& row : models::all()) {
    EXPECT_TRUE(row.machine != nullptr || row.axioms != nullptr) << row.name;
    if (row.machine != nullptr) {
      EXPECT_EQ(row.machine->name(), row.name);
    }
    EXPECT_EQ(row.axioms, axioms::find_model(row.name)) << row.name;
    for (const std::string& other : split(row.contains, ',')) EXPECT_NE(models::find(other), nullptr) << other;
  }
  for (const axioms::Model& model : axioms::models()) EXPECT_NE(models::find(model.name), nullptr) << model.name;
}

TEST(Cli, lists_split_without_empty_parts) {
  EXPECT_EQ(split("a,b,,c,", ','), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(split("", ',').empty());
}

class Requests : public testing::Test {
 protected:
  std::string file(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / ("heddle_cli_" + name);
    std::ofstream(path) << "text\n";
    return path.string();
  }
  std::string refusal(CheckRequest request) {
    const auto result = settle(request);
    return result ? "" : result.error().message;
  }
};

TEST_F(Requests, files_that_cannot_be_read_are_refused) {
  CheckRequest request;
  request.files = {"/no/such/file.dve"};
  EXPECT_NE(refusal(request).find("cannot be read"), std::string::npos);
  const std::filesystem::path empty = std::filesystem::path(testing::TempDir()) / "heddle_cli_empty";
  std::filesystem::create_directories(empty);
  request.files = {empty.string()};
  EXPECT_NE(refusal(request).find("is a folder"), std::string::npos);
}

TEST_F(Requests, an_unknown_extension_is_refused_with_a_way_on) {
  CheckRequest request;
  request.files = {file("a.xyz")};
  EXPECT_EQ(refusal(request), "no language for .xyz; heddle languages lists them");
}

TEST_F(Requests, each_language_settles_its_defaults_and_refuses_what_it_has_not) {
  for (const Language& language : languages()) {
    CheckRequest request;
    request.files = {file("a" + split(language.extensions, ' ').front())};
    CheckRequest plain = request;
    ASSERT_TRUE(settle(plain)) << language.name;
    EXPECT_EQ(*plain.models, split(language.default_models, ','));
    CheckRequest ladder = request;
    ladder.models.set({"ladder", "sc"});
    if (set_of(language.ladder, ',').count("sc")) {
      ASSERT_TRUE(settle(ladder));
      EXPECT_EQ(*ladder.models, split(language.ladder, ','));  // sc only once
    }
    CheckRequest wrong = request;
    wrong.models.set({"nosuch"});
    EXPECT_NE(refusal(wrong).find("no memory model 'nosuch'"), std::string::npos);
    wrong = request;
    wrong.engine.set("steam");
    EXPECT_NE(refusal(wrong).find("no engine 'steam'"), std::string::npos);
    wrong = request;
    wrong.require.set({"nosuch"});
    EXPECT_NE(refusal(wrong).find("--require"), std::string::npos);
    const std::set<std::string> honoured = set_of(language.options, ' ');
    for (const Option& option : check_options()) {
      CheckRequest given = request;
      std::visit([&](const auto& target) { (given.*target.member).given = true; }, option.target);
      EXPECT_EQ(refusal(given).empty(), option.shared || honoured.count(std::string(long_name(option))) > 0)
          << language.name << " " << option.name;
    }
  }
}

TEST(Cli, the_progress_line_says_rate_depth_memory_and_rest) {
  core::Progress progress;
  progress.states = 1204331;
  progress.depth = 41;
  progress.estimated_rest = 12;
  EXPECT_EQ(progress_text(progress, 2, 3 << 20), "1,204,331 states  602k states/s  depth 41  3.0 MB  about 12 s left");
  progress.subject = "tso, explicit";
  EXPECT_EQ(progress_text(progress, 200, 0, 60), "tso, explicit: 1,204,331 states  6,022 states/s  depth 41  ");
  EXPECT_EQ(progress_text(progress, 2, 3 << 20, 30), "tso, explicit: 1,204,331 stat");
  progress.subject = {};
  progress.estimated_rest = -1;
  progress.depth = 0;
  EXPECT_EQ(progress_text(progress, 0.1, 0), "1,204,331 states");
  progress.estimated_total = 5432100;
  progress.estimated_rest = 7300;
  EXPECT_EQ(progress_text(progress, 0.1, 0), "1,204,331 of about 5,400,000 states  about 2 h left");
}

TEST(Cli, a_report_does_not_take_the_place_of_what_is_checked) {
  const std::string model = testing::TempDir() + "heddle_report_place.dve";
  std::ofstream(model) << "system async;\n";
  const Member<std::string> reports[] = {&CheckRequest::json, &CheckRequest::dot, &CheckRequest::html,
                                         &CheckRequest::certificate};
  for (const Member<std::string> report : reports) {
    CheckRequest request;
    request.files = {model};
    request.*report = testing::TempDir() + "./heddle_report_place.dve";
    EXPECT_TRUE(refuse_reports(request));
    request.files = {testing::TempDir() + "heddle_another.dve"};
    request.atomic_file = model;
    EXPECT_TRUE(refuse_reports(request));
    request.atomic_file = std::string();
    request.replay = model;
    EXPECT_TRUE(refuse_reports(request));
    request.replay = std::string();
    EXPECT_FALSE(refuse_reports(request));
  }
  CheckRequest both;
  both.json = model;
  both.certificate = testing::TempDir() + "./heddle_report_place.dve";
  EXPECT_TRUE(refuse_reports(both));
  std::filesystem::remove(model);
  both.json = std::string("heddle_not_there.json");
  both.certificate = std::string("./heddle_not_there.json");
  EXPECT_TRUE(refuse_reports(both));
}

TEST(Cli, a_litmus_report_has_files_states_and_pictures) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / ("heddle_litmus_" + std::to_string(getpid()));
  fs::create_directories(folder);
  const auto text = [](const fs::path& file) {
    std::ifstream stream(file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  for (const char* name : {"a.litmus", "b.litmus"})
    std::ofstream(folder / name)
        << "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"
           "exists (0:EAX=0 /\\ 1:EAX=0)\n";
  CheckRequest request;
  request.files = {folder.string()};
  ASSERT_TRUE(settle(request));
  EXPECT_EQ(request.files.size(), 2u);
  const auto check = [&](const char* states) {
    const std::string json = (folder / "r.json").string(), html = (folder / "r.html").string();
    const std::array words = {"heddle",     "check",  folder.c_str(), "--quiet",      "--json",
                              json.c_str(), "--html", html.c_str(),   "--max-states", states};
    return run(static_cast<int>(words.size()), words.data(), "test");
  };
  EXPECT_EQ(check("1000"), exit_safe);
  const std::string json = text(folder / "r.json"), html = text(folder / "r.html");
  for (const char* part : {"a.litmus\"", "b.litmus\"", "\"observation\": \"Sometimes\"", "\"positive\": 1",
                           "\"negative\": 3", "\"0:EAX\": \"0\"", "\"satisfies\": true"})
    EXPECT_NE(json.find(part), std::string::npos) << part;
  for (const char* part : {"<svg", "Sometimes", "SB: allowed under tso"})
    EXPECT_NE(html.find(part), std::string::npos) << part;

  EXPECT_EQ(check("2"), exit_unknown);

  fs::create_symlink(folder / "nothing", folder / "c.litmus");
  CheckRequest broken;
  broken.files = {folder.string()};
  const auto refused = settle(broken);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().file.find("c.litmus"), std::string::npos);
  fs::remove_all(folder);
}

TEST(Cli, sub_commands_are_unique) {
  std::set<std::string> names;
  for (const Command& command : commands()) EXPECT_TRUE(names.insert(command.name).second) << command.name;
}

int run_command(std::string_view name, const std::vector<std::string>& words) {
  CLI::App app;
  const auto row = std::ranges::find(commands(), name, &Command::name);
  const Action action = row->declare(app);
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  return action();
}
int repair(const std::vector<std::string>& words) { return run_command("repair", words); }
int check(const std::vector<std::string>& words) { return run_command("check", words); }

TEST(Cli, an_option_of_another_command_names_something_too) {
  const std::string model = tests::source_dir() + "/examples/peterson.dve";
  for (const auto& [command, option] :
       {std::pair{"repair", "--start"}, {"repair", "--check-certificate"}, {"repair", "-o"}, {"relax", "-o"}})
    EXPECT_THROW(run_command(command, {model, option, ""}), CLI::ParseError) << command << " " << option;
}

TEST(Cli, byte_order_marks_and_other_ends_of_lines_are_no_text) {
  const std::string examples = tests::source_dir() + "/examples/";
  for (const std::string& good : {examples + "peterson.dve", examples + "peterson.pml", examples + "spinlock.cub",
                                  examples + "litmus/SB.litmus", tests::source_dir() + "/tests/regress/rmm/lock.rmm"}) {
    std::ifstream in(good, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {}), other_ends;
    for (const char c : text) other_ends += c == '\n' ? "\r\n" : std::string(1, c);
    const std::string file = (tests::own_folder() / "text").string() + std::filesystem::path(good).extension().string();
    for (const std::string& variant : {"\xef\xbb\xbf" + text, other_ends}) {
      std::ofstream(file, std::ios::binary) << variant;
      EXPECT_EQ(check({file, "-q"}), exit_safe) << good;
    }
    std::filesystem::remove(file);
  }
}

TEST(Cli, what_a_repair_can_write) {
  const std::string file = (tests::own_folder() / "repaired").string(), examples = tests::source_dir() + "/examples/";
  EXPECT_EQ(repair({examples + "mailbox.c", "--model", "rc11", "-q", "-o", file}), 2);
  EXPECT_EQ(repair({examples + "peterson.dve", "--model", "tso,sb1", "-q", "-o", file}), 2);
  EXPECT_FALSE(std::filesystem::exists(file));
  testing::internal::CaptureStdout();
  EXPECT_EQ(repair({examples + "peterson.dve", "--model", "tso,sb1", "-q", "--together", "-o", file}), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "flag P_0.1");
}

TEST(Cli, a_repair_does_not_take_the_place_of_its_source) {
  const std::string file = (tests::own_folder() / "peterson.dve").string();
  std::filesystem::copy_file(tests::source_dir() + "/examples/peterson.dve", file,
                             std::filesystem::copy_options::overwrite_existing);
  const auto size = std::filesystem::file_size(file);
  for (const char* option : {"-o", "--json", "--certificate"})
    EXPECT_EQ(repair({file, "--model", "tso", "-q", option, file}), 2) << option;
  EXPECT_EQ(std::filesystem::file_size(file), size);
}

TEST(Cli, what_is_written_does_not_take_the_place_of_what_is_read) {
  const std::filesystem::path folder = tests::own_folder();
  const std::string model = (folder / "peterson.dve").string(), test = (folder / "SB.litmus").string();
  constexpr auto overwrite = std::filesystem::copy_options::overwrite_existing;
  std::filesystem::copy_file(tests::source_dir() + "/examples/peterson.dve", model, overwrite);
  std::filesystem::copy_file(tests::source_dir() + "/examples/litmus/SB.litmus", test, overwrite);
  const auto sizes = [&] { return std::pair{std::filesystem::file_size(model), std::filesystem::file_size(test)}; };
  const auto before = sizes();
  EXPECT_EQ(run_command("relax", {model, "-o", model}), 2);
  EXPECT_EQ(run_command("hardware", {test, "--rounds", "1", "--json", test}), 2);
  EXPECT_EQ(sizes(), before);
}

// Whether a report can be written is asked before the run, and leaves nothing behind.
TEST(Cli, looking_for_a_place_leaves_no_traces) {
  const std::filesystem::path folder = tests::own_folder();
  const std::string report = (folder / "report.json").string(), link = (folder / "link.json").string();
  EXPECT_EQ(check({(folder / "none.dve").string(), "--json", report}), 2);
  EXPECT_FALSE(std::filesystem::exists(report));
  std::filesystem::remove(link);
  std::filesystem::create_symlink("report.json", link);
  EXPECT_FALSE(refuse_places({}, {link}));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_FALSE(std::filesystem::exists(report));
  EXPECT_TRUE(refuse_places({}, {folder.string()}));
  CheckRequest request;
  request.certificate = (folder / "no such folder" / "proof").string();
  EXPECT_TRUE(refuse_reports(request));
}

// Whoever reads from it would have seen the end of the report.
TEST(Cli, a_pipe_is_opened_for_the_report_only) {
  const std::string pipe = (tests::own_folder() / "pipe").string();
  ::unlink(pipe.c_str());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  pollfd reader{::open(pipe.c_str(), O_RDONLY | O_NONBLOCK), POLLIN, 0};
  EXPECT_FALSE(refuse_places({}, {pipe}));
  EXPECT_EQ(::poll(&reader, 1, 0), 0) << "it was opened and closed again";
  ::close(reader.fd);
}

TEST(Cli, the_name_of_a_file_is_no_option_of_the_compiler) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(tests::own_folder());
  for (const std::string name : {"-x.c", "@x.c", "-x.pml", "@x.pml"}) {
    std::ofstream(name) << (name.ends_with(".c") ? "int main(void) { return 0; }\n"
                                                 : "#define X 1\nactive proctype p() { assert(X == 1) }\n");
    EXPECT_EQ(check({"--model", "sc", "-q", "--", name}), 0) << name;
  }
  // clang's driver tells the last part of a name to itself.
  std::filesystem::create_directory("folder");
  std::ofstream("y.c") << "y.c -DNDEBUG\n";
  std::ofstream("folder/three.h") << "enum { three = 3 };\n";
  for (const std::string name : {"@y.c", "folder/@y.c"}) {
    std::ofstream(name) << "#include <assert.h>\n"
                        << (name[0] == '@' ? "enum { three = 3 };\n" : "#include \"three.h\"\n")
                        << "int main(void) { assert(three == 4); return 0; }\n";
    EXPECT_EQ(check({"--model", "sc", "-q", "--", name}), 1) << name;
  }
  std::filesystem::current_path(before);
}

TEST(Cli, a_test_that_cannot_be_written_is_told) {
  const std::string folder = (tests::own_folder() / "full").string();
  std::filesystem::create_directories(folder);
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  std::filesystem::remove(folder + "/SB.litmus");
  std::filesystem::create_symlink("/dev/full", folder + "/SB.litmus");
  EXPECT_EQ(run_command("generate", {"-d", "X86", "PodWR", "Fre", "PodWR", "Fre", "-n", "SB", "-o", folder}), 2);
}

TEST(Cli, what_an_engine_does_not_have_is_refused) {
  const std::string model = tests::source_dir() + "/examples/peterson.dve";
  EXPECT_EQ(check({model, "-q", "--engine", "explicit"}), 0);
  EXPECT_EQ(check({model, "-q", "--engine", "explicit", "--loop-bound", "2"}), 2);
  EXPECT_EQ(check({model, "-q", "--loop-bound", "2"}), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(check({model, "-q", "--engine", "ltl", "--ltl", "G (flag[0] >= 0)"}), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("about single states"), std::string::npos);
}

TEST(Cli, a_search_that_did_not_end_has_decided_nothing) {
  const std::string source = (tests::own_folder() / "two.c").string();
  std::ofstream(source) << "_Atomic int x; int main(void) { x = 1; x = 2; return x - 2; }\n";
  testing::internal::CaptureStdout();
  EXPECT_EQ(check({source, "--model", "tso", "--engine", "drf", "--max-states", "1"}), 3);
  EXPECT_EQ(testing::internal::GetCapturedStdout().find("decided"), std::string::npos);
}

TEST(Cli, what_was_required_and_not_checked_is_unknown) {
  drive::Task task;
  task.models.set({"sc", "tso", "pso"});
  std::vector<core::Verdict> verdicts(1);
  verdicts[0].model = "tso";
  verdicts[0].outcome = core::Outcome::Safe;
  EXPECT_EQ(drive::exit_code(task, verdicts), 0);
  task.require.set({"tso"});
  EXPECT_EQ(drive::exit_code(task, verdicts), 0);
  task.require.set({"pso"});
  EXPECT_EQ(drive::exit_code(task, verdicts), 3);
  // Each model has its own name, whichever of them were decided before.
  drive::add_unknowns(verdicts, task, {core::Reason::Kind::TimeLimit, "time"});
  ASSERT_EQ(verdicts.size(), 3U);
  EXPECT_EQ(verdicts[1].model, "sc");
  EXPECT_EQ(verdicts[2].model, "pso");
}

TEST(Cli, a_model_that_is_required_is_not_left_out) {
  const std::string model = (tests::own_folder() / "one.dve").string(),
                    proof = (tests::own_folder() / "proof").string();
  std::ofstream(model)
      << "int x = 0;\nprocess P { state a, b; init a; trans a -> b { effect x = 1; }; }\nsystem async;\n";
  EXPECT_EQ(check({model, "-q", "--model", "ladder", "--engine", "buffers", "--require", "sb1"}), 2);
  EXPECT_EQ(check({model, "-q", "--model", "tso", "--certificate", proof}), 0);
  EXPECT_EQ(check({model, "-q", "--model", "tso", "--check-certificate", proof}), 0);
  EXPECT_EQ(check({model, "-q", "--model", "tso,pso", "--require", "pso", "--check-certificate", proof}), 3);
  EXPECT_EQ(check({model, "-q", "--model", "tso", "--check-certificate", proof, "--certificate", proof + "2"}), 2);
  // A litmus test without --model has a verdict under the model of its dialect alone.
  const std::string test = (tests::own_folder() / "none.litmus").string();
  std::ofstream(test) << "C none\n{}\nP0(atomic_int *x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n"
                         "exists (x=1)\n";
  EXPECT_EQ(check({test, "-q", "--require", "tso"}), 3);
  EXPECT_EQ(check({test, "-q", "--require", "rc11"}), 0);
}

TEST(Cli, a_row_of_dashes_is_no_answer) {
  const std::string test = tests::source_dir() + "/examples/litmus/SB.litmus";  // X86
  EXPECT_EQ(check({test, "-q", "--table", "--model", "tso,armv8"}), 0);
  EXPECT_EQ(check({test, "-q", "--table", "--model", "armv8"}), 3);
  EXPECT_EQ(check({test, "-q", "--model", "armv8"}), 3);
}

}  // namespace
}  // namespace heddle::cli
