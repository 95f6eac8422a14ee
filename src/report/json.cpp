// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/tags.h"
#include "report/hazards.h"
#include "support/json_text.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;
using core::Effect;
using core::Move;

constexpr int schema = 1;

constexpr std::array effect_names = {"read-memory", "read-buffer", "deferred", "performed", "buffered", "flushed",
                                     "wrote",       "dropped",     "local",    "output",    "note"};
constexpr std::array move_names = {"step", "flush"};
constexpr std::array event_names = {"read", "write", "fence", "choose", "alloc", "free", "spawn", "join", "refused"};
constexpr std::array order_names = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
constexpr std::array outcome_names = {"safe", "unsafe", "unknown"};
constexpr std::array answer_names = {"ok", "no", "unknown"};  // of litmus tests

template <std::size_t N>
std::size_t index_of(const std::array<const char*, N>& names, const std::string& name) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const char* n) { return name == n; });
  if (found == names.end()) throw std::invalid_argument("unknown word \"" + name + "\"");
  return static_cast<std::size_t>(found - names.begin());
}

// Absent rather than empty: a report of a thousand steps stays readable.
void put(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

Json write(const core::SourcePlace& place) {
  Json json = Json::object();
  put(json, "file", place.file);
  if (place.line > 0) json["line"] = place.line;
  if (place.column > 0) json["column"] = place.column;
  put(json, "function", place.function);
  put(json, "text", place.text);
  if (place.library) json["library"] = true;
  return json;
}

Json write(const core::Cost& cost) { return Json::array({cost.r, cost.ww, cost.wr}); }

Json write(const Move& move) {
  Json json = {
      {"kind", move_names[static_cast<std::size_t>(move.kind)]}, {"thread", move.thread}, {"choice", move.choice}};
  if (move.partner != Move::none) json["partner"] = move.partner;
  if (move.partner_choice != Move::none) json["partner_choice"] = move.partner_choice;
  if (move.observer_choice != Move::none) json["observer_choice"] = move.observer_choice;
  return json;
}

Json write(const Effect& effect, const Move& move) {
  Json json = {{"kind", effect_names[static_cast<std::size_t>(effect.kind)]}};
  put(json, "location", effect.location);
  if (effect.loc.size != 0) json["bytes"] = {effect.loc.object, effect.loc.offset, effect.loc.size};
  if (effect.loc.size != 0 && effect.thread != move.thread) json["thread"] = effect.thread;
  put(json, "value", effect.value);
  put(json, "old", effect.old);
  if (Json from = write(effect.from); !from.empty()) json["from"] = std::move(from);
  put(json, "by", effect.by);
  if (effect.missed)
    json["missed"] = {{"value", effect.missed->value}, {"by", effect.missed->by}, {"step", effect.missed->step}};
  return json;
}

Json write(const core::Value& value) { return Json::array({value.bits, value.undefined, value.pointer}); }

Json write(const core::ExecutionWitness& witness) {
  Json json = Json::object();
  if (witness.failed != Move::none) json["failed"] = witness.failed;
  json["threads"] = Json::array();
  for (const auto& t : witness.threads)
    json["threads"].push_back({{"entry", t.entry}, {"argument", write(t.arg)}, {"spawn", t.spawn}});
  json["events"] = Json::array();
  for (const core::WitnessEvent& e : witness.events) {
    Json one = {{"kind", event_names[static_cast<std::size_t>(e.kind)]}, {"thread", e.thread}, {"index", e.index}};
    if (e.loc.size != 0) one["location"] = {e.loc.object, e.loc.offset, e.loc.size};
    one["value"] = write(e.value);
    one["order"] = order_names[static_cast<std::size_t>(e.order)];
    if (e.tag != 0) one["tag"] = std::string(core::tag_name(e.tag));
    if (e.rmw) one["rmw"] = true;
    if (e.spurious) one["spurious"] = true;
    if (e.waits) one["waits"] = true;
    if (e.pieces != 1) one["piece"] = {e.piece, e.pieces};
    if (e.rf != core::WitnessEvent::nothing) one["rf"] = e.rf;
    if (e.co_prev != core::WitnessEvent::nothing) one["co"] = e.co_prev;
    if (e.fault != core::Fault::None) one["fault"] = static_cast<unsigned>(e.fault);
    json["events"].push_back(std::move(one));
  }
  return json;
}

Json write(const Hazard& hazard, const core::Trace& trace) {
  Json json = {{"location", trace.steps[hazard.begin].effects[hazard.effect].location}, {"begin", hazard.begin}};
  if (hazard.end < trace.steps.size()) json["end"] = hazard.end;
  if (hazard.rounds > 0) json["rounds"] = hazard.rounds;
  json["accesses"] = Json::array();
  for (const Hazard::Access& access : hazard.accesses) json["accesses"].push_back(access.step);
  return json;
}

Json write(const core::Trace& trace) {
  Json json = {{"model", trace.model}, {"cost", write(trace.cost)}, {"length", trace.steps.size()}};
  if (trace.loop_start != core::Trace::no_loop) json["loop_start"] = trace.loop_start;
  if (trace.processes != 0) json["processes"] = trace.processes;
  put(json, "closing", trace.closing);
  Json steps = Json::array();
  for (const core::TraceStep& step : trace.steps) {
    Json one = {{"thread", step.thread}};
    put(one, "action", step.action);
    if (Json place = write(step.place); !place.empty()) one["place"] = std::move(place);
    if (Json caller = write(step.caller); !caller.empty()) one["caller"] = std::move(caller);
    Json effects = Json::array();
    for (const Effect& effect : step.effects) effects.push_back(write(effect, step.move));
    if (!effects.empty()) one["effects"] = std::move(effects);
    one["cost"] = write(step.cost);
    one["move"] = write(step.move);
    if (!step.events.empty()) one["events"] = step.events;
    if (!step.parameters.empty()) one["parameters"] = step.parameters;
    if (step.quiet) one["quiet"] = true;
    steps.push_back(std::move(one));
  }
  json["steps"] = std::move(steps);
  for (const Hazard& hazard : hazards(trace)) json["hazards"].push_back(write(hazard, trace));
  if (trace.execution) json["execution"] = write(*trace.execution);
  for (const core::NamedStack& stack : trace.stacks) {
    Json one = {{"title", stack.title}, {"frames", Json::array()}};
    for (const core::SourcePlace& frame : stack.frames) one["frames"].push_back(write(frame));
    json["stacks"].push_back(std::move(one));
  }
  return json;
}

// The members of Statistics that are counts, with their names in the report.
struct Count {
  const char* name;
  std::optional<std::uint64_t> core::Statistics::* member;
};
constexpr std::array counts = {
    Count{"states", &core::Statistics::states},   Count{"transitions", &core::Statistics::transitions},
    Count{"levels", &core::Statistics::levels},   Count{"executions", &core::Statistics::executions},
    Count{"blocked", &core::Statistics::blocked}, Count{"duplicates", &core::Statistics::duplicates},
    Count{"bytes", &core::Statistics::bytes},
};

Json write(const core::Statistics& statistics) {
  Json json = Json::object();
  put(json, "engine", statistics.engine);
  for (const Count& count : counts)
    if (const auto& number = statistics.*count.member) json[count.name] = *number;
  json["seconds"] = statistics.seconds;
  if (!statistics.more.empty()) {
    Json more = Json::array();
    for (const auto& [name, value] : statistics.more) more.push_back({{"name", name}, {"value", value}});
    json["more"] = std::move(more);
  }
  return json;
}

Json write(const core::Verdict& verdict) {
  Json json = {{"model", verdict.model}, {"verdict", outcome_names[static_cast<std::size_t>(verdict.outcome)]}};
  if (verdict.outcome == core::Outcome::Safe) json["bounds"] = verdict.bounds;
  else if (!verdict.bounds.empty()) json["bounds"] = verdict.bounds;
  put(json, "reason", verdict.reason.text);
  if (verdict.outcome == core::Outcome::Unsafe) {
    json["violation"] = {{"kind", verdict.violation_kind}, {"message", verdict.violation}};
    if (Json place = write(verdict.place); !place.empty()) json["violation"]["place"] = std::move(place);
  }
  if (verdict.trace) json["trace"] = write(*verdict.trace);
  if (!verdict.notes.empty()) json["notes"] = verdict.notes;
  if (!verdict.assumptions.empty()) json["assumptions"] = verdict.assumptions;
  json["statistics"] = write(verdict.statistics);
  return json;
}

Json write(const TestAnswer& test) {
  Json json = {{"file", test.file}, {"name", test.name}, {"condition", test.condition}};
  if (test.observation.empty()) return json;
  json["observation"] = test.observation;
  json["witnesses"] = {{"positive", test.positive}, {"negative", test.negative}};
  json["states"] = Json::array();
  for (const TestAnswer::State& state : test.states) {
    Json values = Json::object();
    for (const auto& [name, value] : state.values) values[name] = value;
    json["states"].push_back({{"values", values}, {"executions", state.executions}, {"satisfies", state.satisfies}});
  }
  return json;
}

// Reading. Errors are exceptions inside this file only: nlohmann's own and invalid_argument.

std::string text_of(const Json& json, const char* key) { return json.value(key, std::string()); }

// get() would take another number for one that does not fit.
std::uint32_t number(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("not a report as docs/json.md has it: what should be a number of 32 bits is none");
  return json.get<std::uint32_t>();
}

std::uint32_t number_of(const Json& json, const char* key, std::uint32_t otherwise) {
  return json.contains(key) ? number(json[key]) : otherwise;
}

core::SourcePlace read_place(const Json& json) {
  return {text_of(json, "file"),     json.value("line", 0u), json.value("column", 0u),
          text_of(json, "function"), text_of(json, "text"),  json.value("library", false)};
}

core::Cost read_cost(const Json& json) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>()};
}

core::TraceStep read_step(const Json& json) {
  core::TraceStep step;
  step.thread = text_of(json, "thread");
  step.action = text_of(json, "action");
  if (json.contains("place")) step.place = read_place(json["place"]);
  if (json.contains("caller")) step.caller = read_place(json["caller"]);
  if (json.contains("cost")) step.cost = read_cost(json["cost"]);
  const Json& move = json.at("move");
  step.move.kind = static_cast<Move::Kind>(index_of(move_names, move.at("kind").get<std::string>()));
  step.move.thread = number(move.at("thread"));
  step.move.choice = number(move.at("choice"));
  step.move.partner = number_of(move, "partner", Move::none);
  step.move.partner_choice = number_of(move, "partner_choice", Move::none);
  step.move.observer_choice = number_of(move, "observer_choice", Move::none);
  step.events = json.value("events", std::vector<std::size_t>());
  step.quiet = json.value("quiet", false);
  for (const Json& parameter : json.value("parameters", Json::array())) step.parameters.push_back(number(parameter));
  if (!json.contains("effects")) return step;
  for (const Json& one : json["effects"]) {
    Effect effect;
    effect.kind = static_cast<Effect::Kind>(index_of(effect_names, one.at("kind").get<std::string>()));
    effect.location = text_of(one, "location");
    if (one.contains("bytes")) {
      effect.loc = {one["bytes"].at(0).get<std::uint32_t>(), one["bytes"].at(1).get<std::uint32_t>(),
                    one["bytes"].at(2).get<std::uint32_t>()};
      effect.thread = one.value("thread", step.move.thread);
    }
    effect.value = text_of(one, "value");
    effect.old = text_of(one, "old");
    if (one.contains("from")) effect.from = read_place(one["from"]);
    effect.by = text_of(one, "by");
    if (one.contains("missed"))
      effect.missed = {text_of(one["missed"], "value"), text_of(one["missed"], "by"),
                       one["missed"].at("step").get<std::size_t>()};
    step.effects.push_back(std::move(effect));
  }
  return step;
}

core::Value read_value(const Json& json) {
  core::Value value(json.at(0).get<std::uint64_t>());
  value.undefined = json.at(1).get<std::uint64_t>();
  value.pointer = json.at(2).get<bool>();
  return value;
}

core::ExecutionWitness read_execution(const Json& json, const std::string& model) {
  core::ExecutionWitness witness;
  witness.model = model;
  witness.failed = json.value("failed", Move::none);
  for (const Json& t : json.at("threads"))
    witness.threads.push_back(
        {t.at("entry").get<std::uint32_t>(), read_value(t.at("argument")), t.at("spawn").get<std::int32_t>()});
  const auto count = static_cast<std::int32_t>(json.at("events").size());
  for (const Json& one : json.at("events")) {
    core::WitnessEvent e;
    e.kind = static_cast<core::WitnessEvent::Kind>(index_of(event_names, one.at("kind").get<std::string>()));
    e.thread = one.at("thread").get<std::uint32_t>();
    e.index = one.at("index").get<std::uint32_t>();
    if (one.contains("location"))
      e.loc = {one["location"].at(0).get<std::uint32_t>(), one["location"].at(1).get<std::uint32_t>(),
               one["location"].at(2).get<std::uint32_t>()};
    e.value = read_value(one.at("value"));
    e.order = static_cast<core::Order>(index_of(order_names, one.at("order").get<std::string>()));
    if (one.contains("tag")) e.tag = core::tag(one["tag"].get<std::string>());
    e.rmw = one.value("rmw", false);
    e.spurious = one.value("spurious", false);
    e.waits = one.value("waits", false);
    if (one.contains("piece")) {
      e.piece = one["piece"].at(0).get<std::uint8_t>();
      e.pieces = one["piece"].at(1).get<std::uint8_t>();
    }
    e.rf = one.value("rf", core::WitnessEvent::nothing);
    e.co_prev = one.value("co", core::WitnessEvent::nothing);
    e.fault = static_cast<core::Fault>(one.value("fault", 0u));
    if (e.thread >= witness.threads.size() || e.rf >= count || e.co_prev >= count)
      throw std::invalid_argument("an execution that refers to events it does not have");
    witness.events.push_back(std::move(e));
  }
  return witness;
}

core::Trace read_trace(const Json& json) {
  core::Trace trace;
  trace.model = text_of(json, "model");
  if (json.contains("cost")) trace.cost = read_cost(json["cost"]);
  trace.loop_start = json.value("loop_start", core::Trace::no_loop);
  trace.processes = number_of(json, "processes", 0);
  trace.closing = text_of(json, "closing");
  for (const Json& step : json.at("steps")) trace.steps.push_back(read_step(step));
  if (json.contains("execution")) trace.execution = read_execution(json["execution"], trace.model);
  for (const Json& stack : json.value("stacks", Json::array())) {
    trace.stacks.push_back({text_of(stack, "title"), {}});
    for (const Json& frame : stack.at("frames")) trace.stacks.back().frames.push_back(read_place(frame));
  }
  return trace;
}

core::Verdict read_verdict(const Json& json) {
  core::Verdict verdict;
  verdict.model = json.at("model").get<std::string>();
  verdict.outcome = static_cast<core::Outcome>(
      index_of(json.contains("test") ? answer_names : outcome_names, json.at("verdict").get<std::string>()));
  verdict.bounds = json.value("bounds", std::vector<std::string>());
  verdict.reason.text = text_of(json, "reason");
  if (json.contains("violation")) {
    verdict.violation_kind = text_of(json["violation"], "kind");
    verdict.violation = text_of(json["violation"], "message");
    if (json["violation"].contains("place")) verdict.place = read_place(json["violation"]["place"]);
  }
  if (json.contains("trace")) verdict.trace = read_trace(json["trace"]);
  verdict.notes = json.value("notes", std::vector<std::string>());
  verdict.assumptions = json.value("assumptions", std::vector<std::string>());
  if (json.contains("statistics")) {
    const Json& statistics = json["statistics"];
    verdict.statistics.engine = text_of(statistics, "engine");
    for (const Count& count : counts)
      if (statistics.contains(count.name))
        verdict.statistics.*count.member = statistics[count.name].get<std::uint64_t>();
    verdict.statistics.seconds = statistics.value("seconds", 0.0);
    if (statistics.contains("more"))
      for (const Json& one : statistics["more"])
        verdict.statistics.more.emplace_back(text_of(one, "name"), text_of(one, "value"));
  }
  return verdict;
}

}  // namespace

std::string json(const Run& run) {
  Json json = {{"schema", schema}, {"files", run.files}, {"verdicts", Json::array()}};
  for (std::size_t i = 0; i < run.verdicts.size(); ++i) {
    json["verdicts"].push_back(write(run.verdicts[i]));
    if (i >= run.tests.size()) continue;
    Json& verdict = json["verdicts"].back();
    verdict["test"] = write(run.tests[i]);
    // What herd7 says: whether the condition, which may ask for a state to be reachable, holds. Nothing is safe by
    // that.
    verdict["verdict"] = answer_names[static_cast<std::size_t>(run.verdicts[i].outcome)];
  }
  // A program may print bytes that are no UTF-8; they become U+FFFD rather than end the run.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

support::Result<Run> read_json(const std::string& text, const std::string& file) {
  support::Diagnostic diagnostic;
  diagnostic.file = file;
  try {
    const Json json = support::parse_json<Json>(text);
    if (!json.is_object() || !json.contains("schema"))
      throw std::invalid_argument("no report of heddle: it has no \"schema\"");
    if (json["schema"] != schema)
      throw std::invalid_argument("a report of another schema than " + std::to_string(schema));
    Run run;
    run.files = json.value("files", std::vector<std::string>());
    for (const Json& verdict : json.at("verdicts")) run.verdicts.push_back(read_verdict(verdict));
    return run;
  } catch (const Json::parse_error& error) {
    const std::size_t end = std::min(error.byte, text.size());
    diagnostic.line =
        1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    diagnostic.message = "this is no JSON";
    diagnostic.source_line = std::string(support::line_of(text, diagnostic.line).substr(0, 200));
  } catch (const Json::exception& error) {
    // "[json.exception.out_of_range.403] key 'move' not found" -> what comes behind the bracket
    const std::string_view what = error.what();
    diagnostic.message = "not a report as docs/json.md has it: " + std::string(what.substr(what.find(']') + 2));
  } catch (const std::invalid_argument& error) {
    diagnostic.message = error.what();
  }
  return diagnostic;
}

}  // namespace heddle::report
