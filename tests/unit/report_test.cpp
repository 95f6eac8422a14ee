// Reports of hand-made verdicts: the text as people see it, JSON that reads back to the same verdicts, and the other
// formats as far as their readers depend on them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/drawing.h"
#include "report/html.h"
#include "report/json.h"
#include "report/printable.h"
#include "report/sarif.h"
#include "report/state_graph.h"
#include "report/text.h"

namespace heddle::report {
namespace {

using core::Effect;
using core::Move;
using core::Outcome;

core::SourcePlace at(unsigned line, const char* text) { return {"dir/sb.c", line, 3, "f", text}; }

core::Trace store_buffering() {
  core::Trace trace;
  trace.model = "tso";
  trace.cost = {0, 0, 1};
  trace.closing = "assertion failed: a || b";
  core::TraceStep store;
  store.thread = "P0";
  store.place = at(4, "x = 1;");
  store.action = "store";
  store.effects.push_back({Effect::Kind::Buffered, "x", "1", "", {}});
  store.move = {Move::Kind::Step, 0, 0};
  core::TraceStep load;
  load.thread = "main";
  load.place = at(15, "a = y;");
  load.action = "load";
  load.effects.push_back({Effect::Kind::ReadMemory, "y", "0", "", {}});
  load.effects.push_back({Effect::Kind::Changed, "a", "0", "7", {}});
  load.cost = {0, 0, 1};
  load.move = {Move::Kind::Step, 1, 2, 3, 4, 5};
  core::TraceStep flush;
  flush.thread = "P0";
  flush.action = "flush";
  flush.effects.push_back({Effect::Kind::Flushed, "x", "1", "0", at(4, "x = 1;")});
  flush.move = {Move::Kind::Flush, 0, 0};
  trace.steps = {store, load, flush};
  return trace;
}

Run example() {
  Run run;
  run.files = {"dir/sb.c"};
  core::Verdict safe;
  safe.model = "sc";
  safe.outcome = Outcome::Safe;
  safe.statistics.engine = "explicit";
  safe.statistics.states = 1204331;
  safe.statistics.transitions = 5;
  safe.statistics.seconds = 1.5;
  safe.statistics.more = {{"reduction", "on"}};
  core::Verdict bounded = safe;
  bounded.model = "pso";
  bounded.bounds = {"buffer 5", "loop 10"};
  bounded.notes = {"malloc never fails"};
  bounded.assumptions = {"time stands still"};
  core::Verdict unsafe;
  unsafe.model = "tso";
  unsafe.outcome = Outcome::Unsafe;
  unsafe.violation_kind = "assertion";
  unsafe.violation = "assertion failed: a || b";
  unsafe.trace = store_buffering();
  unsafe.statistics.executions = 1;
  core::Verdict unknown;
  unknown.model = "rc11";
  unknown.outcome = Outcome::Unknown;
  unknown.reason.text = "time limit of 10 s reached";
  run.verdicts = {safe, unsafe, bounded, unknown};
  return run;
}

TEST(Report, numbers_and_sizes_are_grouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(74948667), "74,948,667");
  EXPECT_EQ(grouped(18446744073709551615ull), "18,446,744,073,709,551,615");
  EXPECT_EQ(size_text(1023), "1023 bytes");
  EXPECT_EQ(size_text(1536), "1.5 KB");
}

TEST(Report, a_verdict_is_one_line) {
  const report::Run run = example();
  const TextStyle style{false, 4};
  EXPECT_EQ(verdict_line(run.verdicts[0], style), "sc    SAFE  (1,204,331 states, 1.50 s)");
  EXPECT_EQ(verdict_line(run.verdicts[1], style), "tso   UNSAFE   assertion failed: a || b  (1 execution, 0.00 s)");
  EXPECT_EQ(verdict_line(run.verdicts[2], style), "pso   SAFE up to buffer 5, loop 10  (1,204,331 states, 1.50 s)");
  EXPECT_EQ(verdict_line(run.verdicts[3], style), "rc11  UNKNOWN  time limit of 10 s reached  (0.00 s)");
}

TEST(Report, assumptions_are_told_once_with_their_models) {
  report::Run run = example();
  EXPECT_EQ(report::assumptions_text(run.verdicts), "assumes under pso that time stands still\n");
  EXPECT_NE(report::sarif(run).find("SAFE up to buffer 5, loop 10 under pso assumes that time stands still"),
            std::string::npos);
  EXPECT_NE(report::html(run).find("under pso assumes that time stands still"), std::string::npos);
  for (core::Verdict& verdict : run.verdicts) verdict.assumptions = {"input is empty"};
  EXPECT_EQ(report::assumptions_text(run.verdicts), "assumes that input is empty\n");
}

// That store buffering is possible under tso, as its test asks, is nothing to be called safe.
TEST(Report, litmus_tests_are_told_in_their_own_terms) {
  report::Run run;
  run.files = {"SB.litmus"};
  core::Verdict holds;
  holds.model = "tso";
  holds.outcome = Outcome::Safe;
  core::Verdict fails = holds;
  fails.model = "sc";
  fails.outcome = Outcome::Unsafe;
  run.verdicts = {holds, fails};
  TestAnswer answer;
  answer.name = "SB";
  answer.observation = "Sometimes";
  run.tests = {answer, answer};
  run.tests[1].observation = "Never";
  const std::string page = report::html(run), text = report::json(run);
  EXPECT_NE(page.find("SB: Sometimes (Ok)"), std::string::npos);
  EXPECT_NE(page.find("SB: Never (No)"), std::string::npos);
  EXPECT_EQ(page.find("SAFE"), std::string::npos);
  EXPECT_EQ(page.find("class=\"safe\""), std::string::npos);
  EXPECT_NE(text.find("\"verdict\": \"ok\""), std::string::npos);
  EXPECT_NE(text.find("\"verdict\": \"no\""), std::string::npos);
  EXPECT_EQ(text.find("\"safe\""), std::string::npos);
  const auto again = read_json(text, "report.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->verdicts[0].outcome, Outcome::Safe);
  EXPECT_EQ(again->verdicts[1].outcome, Outcome::Unsafe);
}

TEST(Report, colours_change_nothing_but_escapes) {
  for (const core::Verdict& verdict : example().verdicts) {
    std::string coloured = verdict_line(verdict, {true, 4});
    std::string plain;
    for (std::size_t i = 0; i < coloured.size(); ++i) {
      if (coloured[i] == '\x1b') i = coloured.find('m', i);
      else plain += coloured[i];
    }
    EXPECT_NE(coloured, plain);
    EXPECT_EQ(plain, verdict_line(verdict, {false, 4}));
  }
}

TEST(Report, a_trace_shows_thread_place_text_and_effects) {
  EXPECT_EQ(trace_text(store_buffering(), {}),
            "trace under tso: 3 steps (1 load overtook a store)\n"
            "  1  P0    sb.c:4   x = 1;   [store]\n"
            "           buffers  x = 1\n"
            "  2  main  sb.c:15  a = y;   [load]\n"
            "           reads    y = 0  from memory\n"
            "           sets     a = 0  was 7\n"
            "  3  P0             flush\n"
            "           flushes  x = 1  was 0, stored at sb.c:4\n"
            "  assertion failed: a || b\n");
}

TEST(Report, a_lasso_says_where_it_repeats) {
  core::Trace trace = store_buffering();
  trace.loop_start = 1;
  EXPECT_NE(trace_text(trace, {}).find("x = 1\n  from here on it repeats for ever:\n  2  main"), std::string::npos);
}

TEST(Report, json_reads_back_as_it_was) {
  const report::Run run = example();
  const std::string text = json(run);
  const auto again = read_json(text, "report.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(json(*again), text);
  EXPECT_EQ(again->files, run.files);
  ASSERT_EQ(again->verdicts.size(), run.verdicts.size());
  for (std::size_t i = 0; i < run.verdicts.size(); ++i) {
    const core::Verdict& was = run.verdicts[i];
    const core::Verdict& is = again->verdicts[i];
    EXPECT_EQ(is.model, was.model);
    EXPECT_EQ(is.outcome, was.outcome);
    EXPECT_EQ(is.bounds, was.bounds);
    EXPECT_EQ(is.reason.text, was.reason.text);
    EXPECT_EQ(is.violation_kind, was.violation_kind);
    EXPECT_EQ(is.notes, was.notes);
    EXPECT_EQ(is.assumptions, was.assumptions);
    EXPECT_EQ(is.statistics.states, was.statistics.states);
    EXPECT_EQ(is.statistics.more, was.statistics.more);
    EXPECT_EQ(is.trace.has_value(), was.trace.has_value());
  }
  const core::Trace& trace = *again->verdicts[1].trace;
  EXPECT_EQ(trace.cost, (core::Cost{0, 0, 1}));
  EXPECT_EQ(trace.loop_start, core::Trace::no_loop);
  for (std::size_t i = 0; i < trace.steps.size(); ++i)
    EXPECT_EQ(trace.steps[i].move, run.verdicts[1].trace->steps[i].move);
}

TEST(Report, json_keeps_bytes_that_are_no_text_from_ending_the_run) {
  report::Run run = example();
  run.verdicts[1].violation = "printed \xff\xfe";
  EXPECT_TRUE(read_json(json(run), "report.json"));
}

TEST(Report, a_broken_report_is_a_diagnostic) {
  const auto broken = read_json("{\n  \"schema\": 1,\n  oops\n}", "r.json");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().line, 3u);
  EXPECT_EQ(broken.error().file, "r.json");
  for (const char* text :
       {"", "[]", "{}", "{\"schema\": 99}", "{\"schema\": 1}", "{\"schema\": 1, \"verdicts\": [{}]}",
        "{\"schema\": 1, \"verdicts\": [{\"model\": \"sc\", \"verdict\": \"fine\"}]}",
        "{\"schema\": 1, \"verdicts\": [{\"model\": \"sc\", \"verdict\": \"unsafe\", \"trace\": {\"steps\": [{}]}}]}",
        "{\"schema\": 1, \"verdicts\": 7}", "{\"schema\": 1, \"verdicts\": [{\"model\": 3, \"verdict\": \"safe\"}]}"}) {
    const auto result = read_json(text, "r.json");
    ASSERT_FALSE(result) << text;
    EXPECT_FALSE(result.error().message.empty()) << text;
  }
}

TEST(Report, a_number_beyond_64_bits_is_a_diagnostic) {
  for (const char* number : {"18446744073709551616", "1e300", "1.5", "-9223372036854775809"}) {
    const std::string violation = "{\"kind\": \"assertion\", \"place\": {\"line\": " + std::string(number) + "}}";
    const auto result = read_json(
        "{\"schema\": 1, \"verdicts\": [{\"model\": \"sc\", \"verdict\": \"unsafe\", \"violation\": " + violation +
            "}]}",
        "r.json");
    ASSERT_FALSE(result) << number;
    EXPECT_NE(result.error().message.find("\"line\" has a number that is no integer"), std::string::npos);
  }
}

TEST(Report, sarif_has_one_result_a_violation_with_its_flow) {
  const auto report = nlohmann::json::parse(sarif(example()));
  const auto& run = report["runs"][0];
  ASSERT_EQ(run["results"].size(), 1u);
  const auto& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "assertion");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "dir/sb.c");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 15);
  EXPECT_EQ(result["codeFlows"][0]["threadFlows"][0]["locations"].size(), 3u);
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "assertion");
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);  // one verdict is unknown
}

TEST(Report, html_is_escaped_and_loads_nothing) {
  report::Run run = example();
  run.verdicts[1].trace->steps[0].place.text = "if (a < b && c > \"d\")";
  const std::string page = html(run);
  EXPECT_NE(page.find("if (a &lt; b &amp;&amp; c &gt; &quot;d&quot;)"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("class=\"bounded\">SAFE up to buffer 5, loop 10<"), std::string::npos);
}

TEST(Report, dot_quotes_labels) {
  StateGraph graph;
  const auto a = graph.add_node("x = \"1\"\ny", true);
  const auto b = graph.add_node("end", false, true);
  graph.add_edge(a, b, "step", "dashed");
  EXPECT_EQ(dot(graph, "t"),
            "digraph \"t\" {\n  node [shape=box, fontname=\"monospace\"];\n"
            "  n0 [label=\"x = \\\"1\\\"\\ny\", penwidth=2];\n"
            "  n1 [label=\"end\", color=red, fontcolor=red];\n"
            "  n0 -> n1 [label=\"step\", style=dashed];\n}\n");
}

// Names of files and what a program prints may be any bytes.
TEST(Report, pages_and_drawings_are_text) {
  const std::string bytes = "a\xff\x1b[31m\xed\xa0\x80";
  report::Run run = example();
  run.verdicts[1].trace->steps[0].place.text = bytes;
  run.verdicts[1].trace->steps[0].effects.push_back({Effect::Kind::Output, "", "b\xc2\x9b" + bytes, "", {}});
  std::vector<report::Drawing> drawings(1);
  drawings[0].model = "tso";
  drawings[0].execution.emplace();
  drawings[0].execution->title = bytes;
  for (const std::string& text :
       {html(run), dot(run.verdicts, drawings, bytes), svg(run.verdicts, drawings, bytes), dot(run.verdicts, {}, bytes),
        report::trace_text(*report::printable(run.verdicts[1]).trace, {})}) {
    if (text.find(bytes) != std::string::npos) ADD_FAILURE() << text;
    EXPECT_EQ(text.find("b\xc2\x9b"), std::string::npos);
  }
  EXPECT_NE(html(run).find("a??[31m???"), std::string::npos);
}

TEST(Report, a_trace_is_drawn_as_a_chain_or_a_lasso) {
  core::Trace trace = store_buffering();
  StateGraph chain = trace_graph(trace);
  EXPECT_EQ(chain.nodes.size(), 4u);
  EXPECT_EQ(chain.edges.size(), 3u);
  EXPECT_TRUE(chain.nodes.back().bad);
  trace.loop_start = 1;
  StateGraph lasso = trace_graph(trace);
  EXPECT_EQ(lasso.nodes.size(), 3u);
  EXPECT_EQ(lasso.edges.back().to, 1u);
}

// Two bits that are set in any order, and an error from the state in which both are.
class TwoBits final : public core::TransitionSystem {
 public:
  class None : public Scratch {};
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<None>(); }
  std::size_t fixed_length() const override { return 1; }
  std::vector<std::uint32_t> initial(Scratch&) const override { return {0}; }
  void successors(core::State state, core::Reduction, Scratch&, core::SuccessorSink& sink) const override {
    for (std::uint32_t bit = 0; bit < 2; ++bit) {
      if ((state[0] >> bit & 1) != 0) continue;
      const std::uint32_t next = state[0] | 1u << bit;
      core::Successor successor;
      successor.state = {&next, 1};
      successor.move.thread = bit;
      sink.successor(successor);
    }
    if (state[0] != 3) return;
    core::Successor error;
    error.error = 1;
    sink.successor(error);
  }
  bool has_state_errors() const override { return true; }
  std::uint32_t state_error(core::State state, Scratch&) const override { return state[0] == 2 ? 1 : 0; }
  std::string error_text(std::uint32_t) const override { return "wrong"; }
  std::string error_kind(std::uint32_t) const override { return "error"; }
  bool proper_end(core::State, Scratch&) const override { return true; }
  bool holds(std::uint32_t, core::State, Scratch&, std::uint32_t&) const override { return false; }
  bool accepting(core::State, Scratch&) const override { return false; }
  std::string show(core::State state, Scratch&) const override { return std::to_string(state[0]); }
  std::vector<std::string> bounds_reached() const override { return {}; }
  std::uint64_t bytes() const override { return 0; }
};

TEST(Report, a_state_space_is_drawn_up_to_its_limit) {
  const MoveText words = [](core::State state, const core::Move& move) {
    return std::to_string(state[0]) + " by " + std::to_string(move.thread);
  };
  const StateGraph whole = state_graph(TwoBits(), words);
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.nodes.size(), 5u);  // four states and the error
  EXPECT_EQ(whole.edges.size(), 5u);
  EXPECT_TRUE(whole.nodes[0].initial);
  EXPECT_TRUE(whole.nodes[2].bad);
  EXPECT_EQ(whole.nodes[4].label, "wrong");
  EXPECT_EQ(whole.edges[1].label, "0 by 1");
  const StateGraph part = state_graph(TwoBits(), words, 2);
  EXPECT_FALSE(part.complete);
  EXPECT_EQ(part.nodes.size(), 2u);
  EXPECT_EQ(part.edges.size(), 1u);
}

}  // namespace
}  // namespace heddle::report
