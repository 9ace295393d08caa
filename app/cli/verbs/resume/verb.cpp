// SPDX-License-Identifier: Apache-2.0
// shardlens resume SPEC --at STEP | --optimizer-step N --world W [--batch-size B] [--epoch E] [--format text|json]:
// what a restart repeats, skips and loses.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "app/cli/load.h"
#include "core/base/text.h"
#include "core/resume/report.h"
#include "core/sampling/registry.h"
#include "core/spec/edit.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::cli {
namespace {

/// What the verb resume answers.
struct ResumeAnswer {
  PipelineSpec spec;
  ResumePoint point;
  std::vector<JudgedWay> ways;
};

constexpr std::size_t kMostIds = 12;

std::string idsText(const std::vector<SampleIndex>& ids) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(ids.size(), kMostIds); ++i) parts.push_back(std::to_string(ids[i]));
  return join(parts, ", ") + (ids.size() > kMostIds ? ", ..." : "");
}

std::string leftOf(const ResumeOutcome& outcome) {
  return "; " + counted(outcome.steps, "step") + " remaining with " + counted(outcome.items, "sample");
}

std::string skipsOf(const ResumeOutcome& outcome) {
  std::string text = counted(outcome.skipped, "sample");
  if (outcome.skipped_untrained == 0)
    return text + (outcome.skipped == 1 ? ", trained on before" : ", all of them trained on before");
  return text + ", " + grouped(outcome.skipped_untrained) +
         " of them never trained on: " + idsText(outcome.skipped_untrained_ids);
}

void writeOutcome(Output& out, const ResumeOutcome& outcome) {
  if (outcome.skipped > 0) writeLabelled(out, "skips", skipsOf(outcome));
  if (outcome.repeated > 0) writeLabelled(out, "repeats", idsText(outcome.repeated_ids));
  if (outcome.lost > 0) writeLabelled(out, "loses", idsText(outcome.lost_ids));
}

void writeWay(Output& out, const JudgedWay& judged) {
  const ResumeWay& way = judged.way;
  out << "\n" << way.title << "  [" << way.id << "]\n";
  writeLabelled(out, "does", way.rule);
  const bool counts = judged.verdict == ResumeVerdict::Exact || judged.verdict == ResumeVerdict::Differs;
  writeLabelled(out, "outcome", verdictText(judged) + (counts ? leftOf(*judged.outcome) : ""));
  if (counts) writeOutcome(out, *judged.outcome);
  if (const std::string reason = reasonText(judged); !reason.empty()) writeLabelled(out, "because", reason);
  for (const Note& note : way.notes) writeLabelled(out, severityName(note.severity), note.text);
}

std::string worldText(const PipelineSpec::World& world) {
  return counted(world.size(), "rank") + " (" + world.text() + ")";
}

void writeResumeText(Output& out, const ResumeAnswer& answer) {
  const ResumePoint& point = answer.point;
  out << oneLine(answer.spec.name) << " stops in epoch " << point.epoch.value << " after "
      << counted(point.steps, "step") << " on " << worldText(answer.spec.world) << " and restarts with "
      << worldText(point.world);
  if (point.batch_size)
    out << " and batch_size " << *point.batch_size << " instead of " << answer.spec.loader.batch_size;
  out << "\n";
  for (const JudgedWay& way : answer.ways) writeWay(out, way);
}

Json errorJson(const ResumeWay& way) {
  if (!way.error) return nullptr;
  return {{"raised", orNull(way.error->raised)}, {"message", way.error->message}, {"hint", way.error->hint}};
}

Json notesJson(const ResumeWay& way) {
  Json notes = Json::array();
  for (const Note& note : way.notes) notes.push_back({{"severity", severityName(note.severity)}, {"text", note.text}});
  return notes;
}

Json batchesJson(const ResumeOutcome& outcome) {
  Json batches = Json::array();
  for (const ResumedBatch& batch : outcome.first)
    batches.push_back({{"rank", batch.rank.value},
                       {"step", batch.step.value},
                       {"samples", batch.samples},
                       {"repeated", batch.repeated}});
  return batches;
}

Json outcomeJson(const JudgedWay& judged) {
  if (!judged.outcome) return nullptr;
  const ResumeOutcome& outcome = *judged.outcome;
  return {{"trained", judged.trained},
          {"planned", judged.planned},
          {"steps", outcome.steps},
          {"samples", outcome.items},
          {"repeated", outcome.repeated},
          {"surplus", outcome.surplus},
          {"lost", outcome.lost},
          {"left_out", judged.left_out},
          {"missed", outcome.missed},
          {"added", outcome.added},
          {"skipped", outcome.skipped},
          {"skipped_untrained", outcome.skipped_untrained},
          {"repeated_ids", outcome.repeated_ids},
          {"lost_ids", outcome.lost_ids},
          {"skipped_untrained_ids", outcome.skipped_untrained_ids},
          {"first_batches", batchesJson(outcome)}};
}

Json worldJson(const PipelineSpec::World& world) {
  const IndexList& list = world.ranks_per_node.list();
  const Json ranks = list.empty() ? Json(world.mostRanksOnNode()) : Json(list.items());
  return {{"nodes", world.nodes}, {"ranks_per_node", ranks}};
}

std::string resumeJson(const ResumeAnswer& answer) {
  Json json = {{"name", answer.spec.name},
               {"epoch", answer.point.epoch.value},
               {"at", answer.point.steps},
               {"stopped_world", worldJson(answer.spec.world)},
               {"resumed_world", worldJson(answer.point.world)},
               {"stopped_batch_size", answer.spec.loader.batch_size},
               {"resumed_batch_size", answer.point.batch_size.value_or(answer.spec.loader.batch_size)}};
  json["ways"] = Json::array();
  for (const JudgedWay& judged : answer.ways) {
    const ResumeWay& way = judged.way;
    json["ways"].push_back({{"id", way.id},
                            {"title", way.title},
                            {"rule", way.rule},
                            {"notes", notesJson(way)},
                            {"verdict", resumeVerdictName(judged.verdict)},
                            {"summary", verdictText(judged)},
                            {"error", errorJson(way)},
                            {"outcome", outcomeJson(judged)}});
  }
  return dumped(json, 1) + "\n";
}

constexpr std::int64_t kMostRanks = 1'000'000;

struct ResumeArgs {
  std::string spec;
  std::string loader;
  std::optional<std::int64_t> at;
  std::optional<std::int64_t> optimizer_step;
  std::string world;
  std::int64_t epoch = 0;
  std::optional<std::int64_t> batch_size;
  std::string format = "text";
  bool quiet = false;
};

/// A whole number from 1 on, or nothing.
std::optional<std::int64_t> numberIn(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = code == std::errc() && end == text.data() + text.size();
  return whole && number > 0 && number <= kMostRanks ? std::optional(number) : std::nullopt;
}

/// "2,1": one number for each node.
Result<PipelineSpec::World> listedWorld(const std::string& text, PipelineSpec spec) {
  const Field& field = *findField(spec, sampling::catalogue(), "world.ranks_per_node");
  auto list = parseValue(field, text);
  if (!list) return list.error();
  const Edit edit{field.path, *std::move(list)};
  auto edited = applyEdits(std::move(spec), {&edit, 1}, sampling::catalogue());
  return edited ? Result<PipelineSpec::World>(edited->world) : edited.error();
}

/// "8", "2x4" for nodes and ranks per node, or "2,1" for those of each node; the spec's own world when nothing is asked
/// for.
Result<PipelineSpec::World> worldIn(const std::string& text, const PipelineSpec& spec) {
  if (text.empty()) return spec.world;
  if (text.find(',') != std::string::npos) return listedWorld(text, spec);
  const std::size_t cross = text.find('x');
  const auto first = numberIn(std::string_view(text).substr(0, cross));
  const auto second = cross == std::string::npos ? 1 : numberIn(std::string_view(text).substr(cross + 1));
  if (first && second) return cross == std::string::npos ? worldOf(spec, *first) : PipelineSpec::World{*first, *second};
  return Error::of(ErrorCode::Usage, "'" + text + "' is not a world size.",
                   "give at most " + grouped(kMostRanks) +
                       " ranks: a number, 8, nodes and ranks per node, 2x4, or the ranks of each node, 2,1");
}

/// What each rank has finished of the interrupted epoch.
struct Finished {
  std::int64_t batches = 0;
  std::optional<std::int64_t> of_epoch;  ///< batches of the whole epoch, where they had to be counted
};

Result<Finished> finishedIn(const ResumeArgs& options, const Plan& plan) {
  if (options.at.has_value() == options.optimizer_step.has_value())
    return Error::of(ErrorCode::Usage, "where the run stopped must be said in one way.",
                     "give --at with the batches that each rank has finished, or --optimizer-step");
  if (options.at) return Finished{*options.at, {}};
  const auto per_step = batchesPerStep(plan.spec(), options.spec);
  if (!per_step) return per_step.error();
  const std::int64_t step = *options.optimizer_step;
  if (options.epoch < 0 || options.epoch >= plan.epochs()) return Finished{step, {}};  // which is then said
  const auto batches = plan.steps(Epoch{options.epoch});
  if (!batches) return batches.error();
  const std::int64_t rest = *batches % *per_step;
  const bool ends_smaller = rest > 0 && sampling::stepsAtEnd(plan.spec());
  const std::int64_t steps = *batches / *per_step + (ends_smaller ? 1 : 0);
  if (step <= steps) return Finished{std::min(step * *per_step, *batches), *batches};
  const bool leaves_over = rest > 0 && !ends_smaller;
  const std::string left = leaves_over ? ", and " + counted(rest, "batch") + " left over" : "";
  return Error::of(
      ErrorCode::Usage,
      "epoch " + std::to_string(options.epoch) + " has only " + counted(steps, "optimizer step") + left + ".",
      "give --optimizer-step 0 to " + std::to_string(steps) +
          (leaves_over ? ", or --at with the batches that each rank has finished" : ""));
}

int run(const ResumeArgs& options) {
  Progress progress(options.quiet);
  const auto loaded = loadPlan({options.spec, options.loader}, progress.whole());
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(progress, *issues);
  const PipelineSpec& spec = std::get<LoadedPlan>(loaded).plan.spec();
  const auto world = worldIn(options.world, spec);
  if (!world) return fail(progress, world.error());
  const auto finished = finishedIn(options, std::get<LoadedPlan>(loaded).plan);
  if (!finished) return fail(progress, finished.error());
  ResumeAnswer answer{spec, {Epoch{options.epoch}, finished->batches, *world}, {}};
  if (options.batch_size != spec.loader.batch_size) answer.point.batch_size = options.batch_size;
  auto ways = resumeReport(spec, answer.point, {.first_batches = options.format == "json"}, progress.whole(), {},
                           finished->of_epoch);
  progress.clear();
  if (!ways) return fail(progress, std::get<LoadedPlan>(loaded).placed(ways.error()));
  answer.ways = *std::move(ways);
  const auto out = std::make_unique<Output>();
  if (options.format == "json") {
    *out << resumeJson(answer);
  } else {
    writeResumeText(*out, answer);
  }
  return out->finish();
}

}  // namespace

void addResume(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ResumeArgs>();
  Arguments verb(app, "resume", "Shows what a restart in the middle of an epoch repeats, skips and loses");
  verb.add("SPEC", options->spec, "spec file, or a recording").required();
  addLoader(verb, options->loader);
  verb.add("--at", options->at, "steps, of one batch each, that each rank has finished in the epoch");
  verb.add("--optimizer-step", options->optimizer_step,
           "the same in optimizer steps, of loader.gradient_accumulation_steps batches each")
      .notNegative();
  verb.add("--world", options->world,
           "ranks of the resumed run: 8, 2x4 for nodes and ranks per node, or 2,1 for those of each node; default: "
           "the spec's");
  verb.add("--batch-size", options->batch_size, "batch_size of the resumed run; default: the spec's");
  verb.add("--epoch", options->epoch, "epoch that was interrupted");
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
