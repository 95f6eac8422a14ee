// The runner of regression files fails when it should: on wrong, missing and unknown rows.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include "support/places.h"

namespace {

struct Output {
  int code = -1;
  std::string text;
};

Output run_file(const std::string& extension, const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("heddle_header_" + std::to_string(getpid()) + extension);
  std::ofstream(path) << text;
  const std::string command = std::string("'") + heddle::tests::binary_dir() + "/regress_runner' '" +
                              heddle::tests::binary_dir() + "/heddle' '" + path.string() + "' 2>&1";
  Output output;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.text.append(buffer, n);
  const int status = pclose(pipe);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  std::filesystem::remove(path);
  return output;
}

Output run_with_header(const std::string& header) {
  return run_file(
      ".dve",
      header + "byte x = 0;\nprocess P { state a, b; init a; trans a -> b { effect x = 1; }; }\nsystem async;\n");
}

// A system for two engines: any number of processes by cubes, and an instance by explicit states.
Output run_with_two_engines(const std::string& rows) {
  return run_file(".cub", "(* what two engines *)\n(* why  the second one counts *)\n" + rows +
                              "type state = A | B\narray S[proc] : state\ninit (x) { S[x] = A }\n"
                              "unsafe (x y) { S[x] = B && S[y] = B }\n"
                              "transition step (x) requires { S[x] = A && forall_other y. S[y] = A } { S[x] := B }\n");
}

const std::string about = "// what  one step\n// why   the runner must see what is wrong\n";

TEST(RegressRunner, passes_what_is_as_expected) {
  const Output output = run_with_header(about + "// options --por off\n// expect sc holds states 2\n");
  EXPECT_EQ(output.code, 0) << output.text;
}

TEST(RegressRunner, fails_otherwise) {
  const std::pair<std::string, std::string> cases[] = {
      {"// expect sc holds\n", "no row 'what'"},
      {about, "expects nothing"},
      {about + "// expct sc holds\n", "unknown row 'expct'"},
      {about + "// expect sc fine\n", "none of holds, violated, unknown"},
      {about + "// expect sc holds sizes 3\n", "unknown word 'sizes'"},
      {about + "// expect sc holds states\n", "nothing follows 'states'"},
      {about + "// expect sc violated\n", "verdict is holds"},
      {about + "// options --por off\n// expect sc holds states 3\n", "states is 2, expected 3"},
      {about + "// expect sc holds up-to buffer 5\n", "up-to is "},
      {about + "// options --reach x==1\n// expect sc violated kind deadlock\n", "kind is reach"},
      {about + "// options --reach x==1\n// expect sc violated length 7\n", "length is 1"},
      {about + "// options --reach x==1\n// expect sc violated cost 1,0,0\n", "cost is 0,0,0"},
      {about + "// expect nosuch holds\n", "no verdict under nosuch"},
      {about + "// expect sc unknown\n", "'unknown' and no other verdict has a reason"},
      {about + "// expect sc holds reason none\n", "'unknown' and no other verdict has a reason"},
      {about + "// options --memory 1M\n// expect sc unknown reason time limit\n",
       "memory limit of 1 MiB reached, expected time limit"},
      {about + "// assumes the best\n// expect sc holds\n", "assumes is nothing"},
      {about + "// other graph sc refuses\n// expect sc holds\n", "no reason is given"},
      {about + "// other graph sc sleeps well\n// expect sc holds\n", "none of refuses, unknown, holds, violated"},
      {about + "// other cubes sc refuses it\n// expect sc holds\n", "nothing runs cubes under sc"},
      {about + "// expect sc holds\n// outcomes tso { 1 }\n", "no expectation runs tso"},
      {about + "// error 3:1 strange\n", "expected an input error"},
  };
  for (const auto& [header, message] : cases) {
    const Output output = run_with_header(header);
    EXPECT_EQ(output.code, 1) << header << output.text;
    EXPECT_NE(output.text.find(message), std::string::npos) << header << output.text;
  }
}

TEST(RegressRunner, asks_every_engine) {
  const std::string expected = "(* expect sc holds *)\n";
  const std::string refuses = "(* other explicit sc refuses give --procs N *)\n";
  EXPECT_EQ(run_with_two_engines(refuses + expected).code, 0) << run_with_two_engines(refuses + expected).text;
  // a refusal that no row foresees, another one, an answer where a refusal is foreseen, and a row of no use
  const std::pair<std::string, std::string> cases[] = {
      {expected, "explicit: no verdict under sc (exit code 2), expected one"},
      {"(* other explicit sc refuses too early *)\n" + expected, "expected refuses too early"},
      {"(* other explicit sc unknown give --procs N *)\n" + expected, "expected unknown give --procs N"},
      {refuses + "(* other explicit tso refuses give --procs N *)\n" + expected, "nothing runs explicit under tso"},
  };
  for (const auto& [rows, message] : cases) {
    const Output output = run_with_two_engines(rows);
    EXPECT_EQ(output.code, 1) << rows << output.text;
    EXPECT_NE(output.text.find(message), std::string::npos) << rows << output.text;
  }
}

TEST(RegressRunner, fails_on_a_file_of_no_language) {
  const Output output = run_file(".nosuch", about + "// expect sc holds\n");
  EXPECT_EQ(output.code, 1) << output.text;
  EXPECT_NE(output.text.find("no language has this extension"), std::string::npos) << output.text;
}

TEST(RegressRunner, knows_input_errors_by_their_place) {
  const Output output = run_with_header(about + "// options --invariant y==1\n// error 0 y\n");
  EXPECT_EQ(output.code, 1) << output.text;  // the mistake is in the option, not in the file
}

}  // namespace
