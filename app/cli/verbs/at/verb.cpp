// SPDX-License-Identifier: Apache-2.0
// shardlens at RUN --step N [--rank R] [--loader NAME] [--format text|json]: the samples of one optimizer step of a
// recorded run.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/loader_spec.h"
#include "core/capture/optimizer_steps.h"
#include "core/collect/job_proof.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

using capture::JobLoader;
using capture::RankStep;
using capture::RecordedJob;
using capture::StepBatch;
using capture::StepSamples;
using capture::StepsGap;
using capture::StepsKnown;

struct AtArgs {
  std::string recording;
  std::string loader;
  std::int64_t step = 0;
  std::optional<std::int64_t> rank;
  std::string format = "text";
  bool quiet = false;
};

struct AtAnswer {
  const JobLoader& loader;
  StepSamples samples;
  std::optional<std::int64_t> per_step;  ///< as a spec says it
  std::vector<std::string> notes;
};

const char* whyUnknown(StepBatch::Samples known) {
  if (known == StepBatch::Samples::Known) return "";
  if (known == StepBatch::Samples::NoNumbers) return "not known: its items are no whole numbers";
  if (known == StepBatch::Samples::Stream) return "not known: the dataset is a stream, of which no indices are drawn";
  if (known == StepBatch::Samples::Dispatched)
    return "not known: rank 0 reads for all ranks, and the parts that it sent are not recorded";
  if (known == StepBatch::Samples::NotInOrder)
    return "not known: the loader hands out batches as soon as workers have them ready (in_order=False)";
  return "not known: this batch is not in the recording, or damaged there";
}

const char* knownName(StepsKnown known) {
  if (known == StepsKnown::Recorded) return "recorded";
  return known == StepsKnown::BySpec ? "spec" : "not known";
}

const char* whyNotRecorded(StepsGap::Reason reason) {
  switch (reason) {
    case StepsGap::Reason::NotTrained:
      return "the job was not seen to train on this loader";
    case StepsGap::Reason::Damage:
      return "the recording of rank %1 is damaged, so steps may be missing";
    case StepsGap::Reason::NoSteps:
      return "no step of an optimizer of torch was recorded on rank %1";
    case StepsGap::Reason::Uneven:
      return "in pass %2 of rank %1, the number of backward passes differs from batch to batch";
    case StepsGap::Reason::Cleared:
      return "in pass %2 of rank %1, gradients were cleared (zero_grad) right before an optimizer stepped";
    case StepsGap::Reason::Carried:
      return "a step may have taken gradients of pass %2 of rank %1 together with those of another loader's batches";
  }
  return "";
}

/// What a step is, and how it is known.
std::string meaning(const AtAnswer& answer) {
  const bool trains = answer.loader.purpose != capture::Purpose::Validation;
  if (answer.samples.known == StepsKnown::Recorded)
    return "Steps are those of the optimizer, as they were recorded, from 0 on over all training passes of this run.";
  if (answer.samples.known == StepsKnown::BySpec)
    return "Steps are those of the optimizer, from 0 on over the passes of this run: a spec says that each "
           "takes " +
           counted(answer.per_step.value_or(1), "batch") + " of the loader.";
  if (!trains)
    return "No backward pass follows on the batches of this loader: steps are its batches, from 0 on over all passes.";
  const std::string passes = answer.loader.purpose == capture::Purpose::Train ? "training passes" : "passes";
  const StepsGap gap = answer.samples.gap.value_or(StepsGap{});
  return filled(
      "Steps are batches of the loader (micro steps), from 0 on over all its %1: each is taken as one step. "
      "Which of them an optimizer step took is not known: %2.",
      passes, filled(whyNotRecorded(gap.reason), std::to_string(gap.rank), std::to_string(gap.pass)));
}

std::string stepsText(std::int64_t steps) {
  return steps == 0 ? "no step" : steps == 1 ? "step 0" : "steps 0 to " + std::to_string(steps - 1);
}

/// "steps 0 to 319", or rank by rank where they have different numbers of them.
std::string stepsThere(const std::vector<RankStep>& ranks) {
  std::map<std::int64_t, std::vector<std::int64_t>> by_steps;
  for (const RankStep& rank : ranks) by_steps[rank.steps].push_back(rank.rank);
  if (by_steps.size() == 1) return stepsText(by_steps.begin()->first);
  std::vector<std::string> texts;
  for (const auto& [steps, of] : by_steps) texts.push_back(listedRanks(of) + ": " + stepsText(steps));
  return join(texts, "; ");
}

Error noSuchRank(const JobLoader& loader, const AtArgs& options) {
  std::vector<std::int64_t> ranks;
  for (const auto& rank : loader.ranks) ranks.push_back(rank.rank);
  return {ErrorCode::Usage,
          "rank " + std::to_string(*options.rank) + " was not seen to read " + words::loaderText(loader) + ".",
          {options.recording, 0, 0, "--rank"},
          "recorded: " + listedRanks(ranks)};
}

void writeBatch(Output& out, std::int64_t rank, const StepBatch& batch) {
  out << "rank " << rank << "  pass " << static_cast<std::int64_t>(batch.pass);
  if (batch.epoch) out << " (epoch " << *batch.epoch << " of the sampler)";
  out << "  batch " << batch.step << ": ";
  if (batch.known != StepBatch::Samples::Known) out << whyUnknown(batch.known);
  for (std::size_t i = 0; i < batch.samples.size(); ++i) out << (i == 0 ? "" : " ") << batch.samples[i];
  out << "\n";
}

void writeText(Output& out, const AtAnswer& answer, const AtArgs& options) {
  std::set<std::size_t> sizes;
  for (const RankStep& rank : answer.samples.ranks) {
    if (!rank.batches.empty()) sizes.insert(rank.batches.size());
  }
  out << "Step " << options.step << " of " << words::loaderText(answer.loader) << ": ";
  if (sizes.size() > 1) out << static_cast<std::int64_t>(*sizes.begin()) << " to ";
  out << counted(static_cast<std::int64_t>(*sizes.rbegin()), "micro batch");
  out << (answer.samples.ranks.size() > 1 ? " a rank\n" : "\n") << meaning(answer) << "\n";
  for (const RankStep& rank : answer.samples.ranks) {
    for (const StepBatch& batch : rank.batches) writeBatch(out, rank.rank, batch);
    if (rank.batches.empty())
      out << "rank " << rank.rank << "  not read: recorded are " << stepsText(rank.steps) << "\n";
  }
  for (const RankStep& rank : answer.samples.ranks) {
    if (rank.discarded == 0) continue;
    out << "rank " << rank.rank << "  in no step: " << counted(rank.discarded, "batch")
        << " of this run, whose gradients were cleared (zero_grad) before an optimizer stepped\n";
  }
  for (const std::string& note : answer.notes) out << note << "\n";
}

Json jsonOf(const StepBatch& batch) {
  const bool is_known = batch.known == StepBatch::Samples::Known;
  return {{"pass", batch.pass},
          {"sampler_epoch", orNull(batch.epoch)},
          {"batch", batch.step},
          {"samples", is_known ? Json(batch.samples) : Json(nullptr)},
          {"why", is_known ? Json(nullptr) : Json(whyUnknown(batch.known))}};
}

Json jsonOf(const AtAnswer& answer, const AtArgs& options) {
  const bool is_optimizers = answer.samples.known != StepsKnown::No;
  Json json = {{"step", options.step},
               {"numbering", is_optimizers ? "optimizer step" : "micro step"},
               {"known_by", knownName(answer.samples.known)},
               {"meaning", meaning(answer)},
               {"loader", {{"name", answer.loader.name}, {"site", answer.loader.own_site}}},
               {"world_size", answer.loader.world_size},
               {"ranks", Json::array()},
               {"notes", answer.notes}};
  for (const RankStep& rank : answer.samples.ranks) {
    Json batches = Json::array();
    for (const StepBatch& batch : rank.batches) batches.push_back(jsonOf(batch));
    json["ranks"].push_back({{"rank", rank.rank},
                             {"steps", rank.steps},
                             {"discarded", rank.discarded},
                             {"micro_batches", std::move(batches)}});
  }
  return json;
}

/// What the captured spec says of accumulation, or the design that the run was recorded with.
std::optional<std::int64_t> perStep(const RecordedJob& job, const JobLoader& loader, const std::string& recording) {
  if (loader.purpose == capture::Purpose::Validation) return std::nullopt;
  const capture::LoaderSpec spec = capture::specOf(loader, job.processes);
  const auto said = spec.problems.empty() ? sampling::batchesPerStep(spec.spec) : std::nullopt;
  const auto text = said ? Result<std::string>(std::string()) : designOf(recording);
  if (said || !text || text->empty()) return said;
  const yaml::ReadSpec read = yaml::readSpec(*text, sampling::catalogue());
  return read.issues.empty() ? sampling::batchesPerStep(read.spec) : std::nullopt;
}

std::vector<std::string> notesOf(const RecordedJob& job, const JobLoader& loader) {
  std::vector<std::string> notes = loader.remarks;
  if (loader.lacksRanks()) notes.push_back(words::ranksMissing(loader));
  notes.insert(notes.end(), job.notes.begin(), job.notes.end());
  return notes;
}

int run(const AtArgs& options) {
  Progress progress(options.quiet);
  const auto job = capture::skimJob(options.recording, progress.whole());
  if (!job) return fail(progress, job.error());
  if (job->loaders.empty()) return fail(progress, words::noLoaders(options.recording, job->files.size()));
  const auto index = capture::loaderMeant(job->loaders, options.loader);
  if (!index) return fail(progress, index.error());
  const JobLoader& loader = job->loaders[*index];
  if (options.rank && loader.rankLoader(*options.rank) == nullptr) return fail(progress, noSuchRank(loader, options));
  const auto per_step = perStep(*job, loader, options.recording);
  auto samples = capture::samplesOfStep(*job, *index, options.step, options.rank, per_step, progress.whole());
  if (!samples) return fail(progress, samples.error());
  const AtAnswer answer{loader, *std::move(samples), per_step, notesOf(*job, loader)};
  const auto is_read = [](const RankStep& rank) { return !rank.batches.empty(); };
  if (std::ranges::none_of(answer.samples.ranks, is_read))
    return fail(progress, Error{ErrorCode::Usage,
                                "no rank read step " + std::to_string(options.step) + " of " +
                                    words::loaderText(answer.loader) + ".",
                                {options.recording, 0, 0, "--step"},
                                "recorded: " + stepsThere(answer.samples.ranks)});
  const auto out = std::make_unique<Output>(progress);
  if (options.format == "json") {
    *out << dumped(jsonOf(answer, options), 1) << "\n";
  } else {
    writeText(*out, answer, options);
  }
  return out->finish();
}

}  // namespace

void addAt(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<AtArgs>();
  Arguments verb(app, "at", "Lists the samples of one optimizer step of a recorded run");
  verb.add("RUN", options->recording, "recording of run [SPEC] -- COMMAND: a folder or a packed file").required();
  verb.add("--step", options->step, "optimizer step, from 0 on over all training passes of the run")
      .required()
      .notNegative();
  verb.add("--rank", options->rank, "only this rank; default: all ranks");
  verb.add("--loader", options->loader, "which loader of the job; default: the only one of its training");
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
