// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/run/run_text.h"

#include "app/cli/progress.h"
#include "app/cli/verbs/verify/proof_text.h"
#include "core/base/text.h"
#include "core/base/work.h"
#include "core/collect/job_proof.h"
#include "core/collect/loader_findings.h"
#include "core/collect/observed_ranks.h"
#include "core/diagnose/counted_samples.h"
#include "core/launch/launch_command.h"
#include "core/report/report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace shardlens::cli {
namespace {

using nlohmann::ordered_json;

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  std::array<char, 512> text{};
  va_list arguments;
  va_start(arguments, pattern);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above
  (void)std::vsnprintf(text.data(), text.size(), pattern, arguments);
  va_end(arguments);
  return text.data();
}

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

bool hasTimes(const RankState& rank) {
  return rank.load_ns + rank.compute_ns + rank.wait_ns + rank.transfer_ns > 0;
}

std::string tableRow(const RunState& state, const RankState& rank) {
  const std::string doing = statusText(state, rank) + (rank.has_gaps ? ", records missing" : "");
  const auto count = [&](std::int64_t number) { return rank.is_measured ? std::to_string(number) : std::string("-"); };
  const auto time = [&](std::int64_t ns) { return hasTimes(rank) ? format("%.3f", seconds(ns)) : std::string("-"); };
  const std::string wrong = rank.matched + rank.mismatched > 0 ? count(rank.mismatched) : "-";
  const std::string samples = countsSamples(rank) ? count(rank.samples) : "-";
  return format("%5lld  %6s  %7s  %9s  %9s  %9s  %9s  %6s  %s\n", static_cast<long long>(rank.rank),
                count(rank.steps_done).c_str(), samples.c_str(), time(rank.load_ns).c_str(),
                time(rank.compute_ns).c_str(), time(rank.wait_ns).c_str(), time(rank.transfer_ns).c_str(),
                wrong.c_str(), doing.c_str());
}

/// Of a rank that tells its operations alone: what it does beside them is not known.
std::string operationsRow(const RunState& state, const RankState& rank) {
  const std::string doing = statusText(state, rank) + (rank.has_gaps ? ", records missing" : "");
  const auto shown = [&](const std::string& text) { return rank.is_measured ? text : std::string("-"); };
  return format("%5lld  %10s  %9s  %9s  %s\n", static_cast<long long>(rank.rank),
                shown(std::to_string(rank.collectives)).c_str(), shown(format("%.3f", seconds(rank.wait_ns))).c_str(),
                shown(format("%.3f", seconds(rank.transfer_ns))).c_str(), doing.c_str());
}

ordered_json operationJson(const RankState& rank) {
  if (!rank.operation) return nullptr;
  const Operation& operation = *rank.operation;
  ordered_json json = {{"op", operationName(operation.op)},
                       {"group", operation.group},
                       {"seq", operation.seq},
                       {"peer", nullptr},
                       {"open", rank.open_operations}};
  if (operation.peer != SL_NO_PEER) json["peer"] = operation.peer;
  return json;
}

ordered_json stackJson(const RankStack& stack) {
  const auto known = [](const auto& number) { return number ? ordered_json(*number) : ordered_json(); };
  ordered_json frames = ordered_json::array();
  for (const StackFrame& frame : stack.frames)
    frames.push_back({{"function", frame.function},
                      {"file", frame.file},
                      {"line", frame.line},
                      {"code", frame.code},
                      {"own", frame.is_own}});
  ordered_json exception;
  if (const auto& handled = stack.exception)
    exception = {{"text", handled->text}, {"file", handled->file}, {"line", handled->line}};
  return {{"pid", stack.pid},
          {"worker", known(stack.worker)},
          {"owed_by", known(stack.owed_by)},
          {"sample", known(stack.sample)},
          {"exception", std::move(exception)},
          {"frames", std::move(frames)}};
}

ordered_json stacksJson(const RankState& rank) {
  ordered_json stacks = ordered_json::array();
  if (rank.stacks)
    for (const RankStack& stack : *rank.stacks) stacks.push_back(stackJson(stack));
  return stacks;
}

ordered_json groupJson(const GroupState& group) {
  ordered_json json = {{"group", group.group}, {"name", group.name}, {"members", nullptr}};
  if (group.members) json["members"] = *group.members;
  return json;
}

/// Counts are null where the rank never reported, times also where it reported none: 0 would be a measurement.
/// A job without steps tells none of what is counted in them.
ordered_json rankJson(const RankState& rank, bool reports, bool has_steps) {
  const bool measured = reports && rank.is_measured;
  const bool is_timed = measured && hasTimes(rank);
  const auto number = [](bool is_known, std::int64_t value) { return is_known ? ordered_json(value) : ordered_json(); };
  const auto count = [&](std::int64_t value) { return number(measured && has_steps, value); };
  const auto time = [&](std::int64_t ns) { return is_timed ? ordered_json(seconds(ns)) : ordered_json(nullptr); };
  const auto work = [&](std::int64_t ns) { return has_steps ? time(ns) : ordered_json(nullptr); };
  return {{"rank", rank.rank},
          {"host", rank.host},
          {"pid", rank.pid},
          {"state", statusText(rank)},
          {"operation", operationJson(rank)},
          {"measured", measured},
          {"epoch", count(rank.epoch)},
          {"step", count(rank.step)},
          {"steps", count(rank.steps_done)},
          {"samples", countsSamples(rank) ? count(rank.samples) : ordered_json(nullptr)},
          {"collectives", number(measured, rank.collectives)},
          {"load_s", work(rank.load_ns)},
          {"compute_s", work(rank.compute_ns)},
          {"wait_s", time(rank.wait_ns)},
          {"transfer_s", time(rank.transfer_ns)},
          {"matched", count(rank.matched)},
          {"mismatched", count(rank.mismatched)},
          {"dropped", rank.dropped},
          {"records_missing", rank.has_gaps},
          {"stacks", stacksJson(rank)}};
}

ordered_json verdictJson(const Verdict& verdict) {
  ordered_json json = {{"kind", verdictName(verdict.kind)},
                       {"rank", verdict.rank},
                       {"ranks", verdict.ranks},
                       {"from_s", nullptr},
                       {"to_s", nullptr},
                       {"lost_s", verdict.lost_s},
                       {"gain_s", verdict.gain_s},
                       {"gain_alone_s", verdict.gain_alone_s},
                       {"confidence", verdict.confidence},
                       {"title", verdict.title},
                       {"message", verdict.message},
                       {"evidence", verdict.evidence},
                       {"next", verdict.next},
                       {"cost", verdict.cost}};
  if (verdict.from_ns) json["from_s"] = seconds(*verdict.from_ns);
  if (verdict.to_ns) json["to_s"] = seconds(*verdict.to_ns);
  return json;
}

ordered_json arrivalJson(const Arrival& arrival) {
  const auto late = [&](double ms) { return arrival.collectives > 0 ? ordered_json(ms) : ordered_json(nullptr); };
  return {{"rank", arrival.rank},           {"collectives", arrival.collectives},
          {"last_in", arrival.last_in},     {"median_ms", late(arrival.median_ms)},
          {"p05_ms", late(arrival.p05_ms)}, {"p95_ms", late(arrival.p95_ms)}};
}

ordered_json unreadJson(const Unread& unread) {
  return {{"damaged_bytes", unread.damaged_bytes},
          {"damaged_places", unread.damaged_places},
          {"unknown_frames", unread.unknown_frames},
          {"unknown_records", unread.unknown_records}};
}

}  // namespace

std::string rankTable(const RunState& state, std::size_t most) {
  if (state.ranks.empty()) return {};
  const bool has_steps = !state.reports || state.hasSteps();
  std::string text = has_steps ? " rank   steps  samples     load_s  compute_s     wait_s  transfer_s  wrong  state\n"
                               : " rank  operations     wait_s  transfer_s  state\n";
  for (std::size_t i = 0; i < std::min(most, state.ranks.size()); ++i)
    text += has_steps ? tableRow(state, state.ranks[i]) : operationsRow(state, state.ranks[i]);
  if (state.ranks.size() > most)
    text += "  ... and " + counted(std::int64_t(state.ranks.size() - most), "rank") + " more\n";
  return text;
}

std::string verdictText(const RunState& state) {
  std::string text;
  for (const Verdict& verdict : state.verdicts) {
    text += verdict.title + "\n  " + verdict.message + "\n";
    if (!verdict.evidence.empty()) text += "  Evidence: " + verdict.evidence + "\n";
    if (!verdict.next.empty()) text += "  Next: " + verdict.next + "\n";
  }
  return text;
}

std::string findingsText(const std::vector<LoaderFinding>& findings) {
  std::string text = findings.empty() ? "" : "What its loaders read:\n";
  for (const LoaderFinding& finding : findings) text += "  " + finding.loader + ": " + finding.text + "\n";
  return text;
}

ordered_json runJson(const RunState& state) {
  ordered_json json = {{"name", state.name},
                       {"status", statusName(state.status)},
                       {"exit_code", state.exit_code},
                       {"failure", state.failure},
                       {"command", state.command.text()},
                       {"host", state.host},
                       {"world_size", state.world_size},
                       {"cores", state.cores},
                       {"oversubscribed", state.oversubscribed()},
                       {"elapsed_s", seconds(state.elapsed_ns)},
                       {"planned_steps", state.planned_steps},
                       {"planned_batches", state.planned_batches},
                       {"ranks", ordered_json::array()},
                       {"verdicts", ordered_json::array()},
                       {"arrivals", ordered_json::array()},
                       {"first_difference", nullptr},
                       {"dropped", state.dropped},
                       {"unread", unreadJson(state.unread)},
                       {"clock_error_us", nullptr},
                       {"groups", ordered_json::array()}};
  if (state.clock_error_us) json["clock_error_us"] = *state.clock_error_us;
  for (const GroupState& group : state.groups) json["groups"].push_back(groupJson(group));
  for (const RankState& rank : state.ranks) json["ranks"].push_back(rankJson(rank, state.reports, state.hasSteps()));
  for (const Verdict& verdict : state.verdicts) json["verdicts"].push_back(verdictJson(verdict));
  for (const Arrival& arrival : state.arrivals) json["arrivals"].push_back(arrivalJson(arrival));
  if (const auto& first = state.first_difference) {
    json["first_difference"] = {{"rank", first->rank}, {"epoch", first->epoch}, {"step", first->step}};
  }
  return json;
}

namespace {

/// A program that a launcher started has a spec for the sake of its ranks, too: only what it read counts.
Obeyed obeyed(const Plan& design, const std::string& run_file, bool must_read, const Work& work) {
  const auto proved = proveJob(design, run_file, {}, work);
  if (!proved) return {"incomplete: " + proved.error().text() + "\n", kFindings};
  const bool is_proven = proved->proof.result == ProofResult::Match;
  const bool counts = must_read || proved->proof.checked_batches > 0;
  return {proofText(*proved, proved->differing), is_proven || !counts ? kFine : kFindings};
}

}  // namespace

std::string closingText(const RunState& state, const std::string& run_file, const std::string& spec, bool is_whole) {
  RunState seen = state;
  if (seen.world_size == 0) addObserved(observedRanks(run_file), seen);
  std::string text = outcomeText(seen) + "\n";
  const std::string verdicts = verdictText(state);
  if (verdicts.find(state.failure) == std::string::npos) text += state.failure + "\n";
  const std::string quoted = shellQuoted(run_file);
  text += verdicts;
  if (is_whole) {
    // Ranks that tell operations and no steps are not of a program whose loaders the probe knows.
    const bool has_loaders = !state.reports || state.hasSteps();
    const std::string further = !spec.empty() ? "verify " + shellQuoted(spec) + " " + quoted
                                : has_loaders ? "capture " + quoted
                                              : "report " + quoted + " -o report.html";
    text += "Recorded in " + run_file + ". Next:\n  shardlens replay " + quoted + "\n  shardlens " + further + "\n";
  } else {
    text += "The recording " + run_file + " is incomplete.\n";
  }
  return printable(text);
}

void tellFindings(const std::string& run_file, bool is_quiet, Screen& screen) {
  Progress progress(is_quiet);
  const std::string text = findingsText(loaderFindings(run_file, progress.whole()));
  progress.clear();
  if (text.empty()) return;
  screen.put(STDOUT_FILENO, printable(text + "  More: shardlens audit " + shellQuoted(run_file) + "\n"));
  screen.finish();
}

Obeyed tellObeyed(const Plan& design, const std::string& run_file, bool must_read, bool is_quiet, Screen& screen) {
  Progress progress(is_quiet);
  Obeyed proof = obeyed(design, run_file, must_read, progress.whole());
  progress.clear();
  screen.put(STDOUT_FILENO, printable(proof.text));
  screen.finish();
  return proof;
}

}  // namespace shardlens::cli
