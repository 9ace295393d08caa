// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/plan/plan.h"
#include "core/resume/ways/ways.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::resumes {

// MosaicML Streaming 89e7bb9 (dataset.py, state_dict and _resume): a state holds the epoch, the samples that all ranks
// saw of it, the nodes of the first run and the canonical nodes that follow from them.

namespace {

/// StreamingDataLoader counts the samples of its own batches, and state_dict() takes rank 0's count for every rank's;
/// ranks that read the same count once (0.7.5). In the epoch that was resumed before, what was seen until then is
/// added.
Result<std::int64_t> seenIn(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const auto plan = Plan::make(stopped);
  if (!plan) return plan.error();
  const auto rank = plan->rankEpoch(point.epoch, Rank{0}, work);
  if (!rank) return rank.error();
  std::int64_t seen = 0;
  const std::int64_t steps = std::min(point.steps, rank->batches());
  for (Step step{0}; step.value < steps; ++step) seen += rank->batch(step).size();
  const bool was_resumed = point.epoch.value == numberGiven(stopped, "epoch", 0);
  return seen * stopped.worldSize() / numberGiven(stopped, "replication", 1) +
         (was_resumed ? numberGiven(stopped, "sample_in_epoch", 0) : 0);
}

/// The state that a first run saves, whose parameters are part of the sampler's.
PipelineSpec loaded(const PipelineSpec& stopped, const ResumePoint& point, std::int64_t sample_in_epoch) {
  PipelineSpec spec = resumedSpec(stopped, point);
  auto& parameters = spec.sampler.parameters;
  parameters["epoch"] = point.epoch.value;
  parameters["sample_in_epoch"] = sample_in_epoch;
  parameters.try_emplace("initial_physical_nodes", stopped.world.nodes);
  return spec;
}

}  // namespace

std::vector<ResumeWay> streaming(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const auto seen = seenIn(stopped, point, work);
  ResumeWay way = makeWay(stopped, "streaming", "Streaming: load_state_dict", "");
  if (!seen) {
    way.rule =
        worded("resume", "The epoch is rebuilt from its seed for the new ranks, without the samples already seen.");
    way.error = seen.error();
    return {way};
  }
  way.rule =
      *seen == 0
          ? worded("resume", "The epoch is rebuilt from its seed for the new ranks.")
          : filled(worded("resume", "The epoch is rebuilt from its seed for the new ranks, without %1 already seen."),
                   wordedCount(*seen, "sample"));
  way.goes_on = Continuation{loaded(stopped, point, *seen), point.epoch, 0, false, loaded(stopped, point, 0)};
  const PipelineSpec resumed = resumedSpec(stopped, point);
  if (resumed.worldSize() != stopped.worldSize() || resumed.loader.batch_size != stopped.loader.batch_size) {
    way.notes.push_back({Severity::Info, filled(worded("resume",
                                                       "Its batches stay the same only if batch_size times the number "
                                                       "of ranks stays the same: here it is %1 before and %2 after."),
                                                std::to_string(stopped.loader.batch_size * stopped.worldSize()),
                                                std::to_string(resumed.loader.batch_size * resumed.worldSize()))});
  }
  return {way};
}

// WebDataset e0953f9: no part of it has a state.

std::vector<ResumeWay> webDataset(const PipelineSpec& stopped, const ResumePoint& point, const Work& /*work*/) {
  ResumeWay way =
      makeWay(stopped, "webdataset", worded("resume", "WebDataset: restarted"),
              worded("resume", "It saves nothing: every rank starts its shards again, in the order of epoch 0."));
  way.notes.push_back(
      {Severity::Info,
       worded("resume", "The object counts its epochs, so a new process always starts at the first one.")});
  if (stopped.worldSize() == 1 && resumedSpec(stopped, point).worldSize() > 1) {
    way.notes.push_back(
        {Severity::Warning,
         worded("resume",
                "It refuses more than one rank without a nodesplitter; this shows it with wds.split_by_node.")});
  }
  return {skipping(std::move(way), point, Epoch{0}, 0)};
}

// torchdata 088e434 (stateful_dataloader/sampler.py): each rank's state says how many samples it took, and not of which
// epoch. Since b70ecc04 (December 2025) that of a StatefulDistributedSampler holds the epoch, too. A StatefulDataLoader
// loads the state when its next iteration begins, which is after the script's set_epoch.

namespace {

bool isItsOwn(const PipelineSpec& spec) {
  return spec.sampler.type == "torchdata.StatefulDistributedSampler";
}

bool holdsEpoch(const PipelineSpec& spec) {
  return isItsOwn(spec) && spec.framework.torchdata != "0.11";
}

std::string ruleOf(const PipelineSpec& stopped, bool by_number) {
  if (!by_number) return worded("resume", "Each rank continues after the samples that its state counts.");
  return holdsEpoch(stopped)
             ? worded("resume",
                      "Each rank continues after the samples that its state counts, in the epoch that the state holds.")
             : worded("resume",
                      "Each rank continues after the samples that its state counts, in the epoch given to set_epoch.");
}

/// A count of a whole epoch, with which a script goes on in the next one: it skips all `steps` that there are.
Result<void> noteEnd(ResumeWay& way, const PipelineSpec& stopped, const ResumePoint& point, std::int64_t steps,
                     const Work& work) {
  const auto at_end = isAtEnd(stopped, point, work);
  if (!at_end) return at_end.error();
  const auto all = stepsOf(resumedSpec(stopped, point), point.epoch, work);
  if (!all) return all.error();
  if (!*at_end || point.steps == 0 || steps < *all || isLast(stopped, point)) return {};
  way.notes.push_back(
      {Severity::Error,
       worded(
           "resume",
           "The state counts a whole epoch: a script that continues with the next one skips that many samples of it, "
           "and that epoch ends without a batch. Save the state after the loop has ended, or do not load it there.")});
  return {};
}

ResumeWay loadState(const PipelineSpec& stopped, const ResumePoint& point, bool by_number, const Work& work) {
  const bool is_told = by_number && !holdsEpoch(stopped);
  ResumeWay way =
      makeWay(stopped, "torchdata", is_told ? "torchdata: set_epoch, load_state_dict" : "torchdata: load_state_dict",
              ruleOf(stopped, by_number));
  const auto divides = dividesAmongRanks(stopped, point, work);
  if (!divides) return failing(std::move(way), divides.error());
  const auto steps = stepsOfSamples(stopped, point, false, work);
  if (!steps) return failing(std::move(way), steps.error());
  if (auto noted = noteEnd(way, stopped, point, *steps, work); !noted) return failing(std::move(way), noted.error());
  // A sampler without a state is drawn from anew, from the beginning of its stream.
  const bool draws_anew =
      epochOrderOf(stopped, point.epoch) == EpochOrder::ByStream && !stopped.sampler.type.starts_with("torchdata.");
  way = skipping(std::move(way), point, draws_anew ? Epoch{0} : point.epoch, *steps);
  if (draws_anew) {
    way.notes.push_back(
        {Severity::Error,
         worded("resume", "The sampler has no state of its own: its first order is drawn again, and skipped into.")});
  }
  if (holdsEpoch(stopped)) {
    way.notes.push_back(
        {Severity::Info,
         worded("resume", "A state that torchdata 0.11 saved is refused: ValueError, Invalid state_dict.")});
  }
  if (*divides && point.steps > 0) {
    way.notes.push_back(
        {Severity::Error,
         worded("resume",
                "Another number of ranks is not supported: the counts are per rank, and nothing checks them.")});
  }
  return way;
}

ResumeWay forgottenEpoch(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  ResumeWay way = makeWay(
      stopped, "torchdata-epoch-0", worded("resume", "torchdata: load_state_dict without set_epoch"),
      isItsOwn(stopped)
          ? worded("resume",
                   "Up to torchdata 0.11 the state holds no epoch: samples are skipped in the order of epoch 0.")
          : worded("resume", "The state holds no epoch: samples are skipped in the order of epoch 0."));
  const auto steps = stepsOfSamples(stopped, point, false, work);
  if (!steps) return failing(std::move(way), steps.error());
  if (auto noted = noteEnd(way, stopped, point, *steps, work); !noted) return failing(std::move(way), noted.error());
  way.notes.push_back(
      point.steps > 0
          ? Note{Severity::Error,
                 worded("resume", "It continues in a different order than it stopped in (pytorch/data#1513).")}
          : Note{Severity::Warning, worded("resume", "This epoch gets the order of epoch 0 again.")});
  way = skipping(std::move(way), point, Epoch{0}, *steps);
  way.goes_on->spec = withoutState(way.goes_on->spec);  // the new state replaces the one that was loaded before
  return way;
}

}  // namespace

std::vector<ResumeWay> torchdata(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const bool by_number = epochOrderOf(stopped, point.epoch) == EpochOrder::ByNumber;
  std::vector<ResumeWay> ways = {loadState(stopped, point, by_number, work)};
  if (by_number && !holdsEpoch(stopped)) ways.push_back(forgottenEpoch(stopped, point, work));
  return ways;
}

// Grain f5dd0d8 (data_loader.py, samplers.py): each process saves the index of its last record, and the text of its
// sampler, which names its shard.

std::vector<ResumeWay> grain(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  ResumeWay way = makeWay(stopped, "grain", "Grain: set_state",
                          worded("resume", "Each process continues after the last record in its state."));
  if (resumedSpec(stopped, point).worldSize() == stopped.worldSize()) {
    const auto steps = stepsOfSamples(stopped, point, true, work);
    if (!steps) return {failing(std::move(way), steps.error())};
    return {skipping(std::move(way), point, point.epoch, *steps)};
  }
  way.refuses = true;
  way.error = Error{
      ErrorCode::Unsupported,
      worded("resume",
             "set_state() refuses it with a ValueError: the state belongs to a sampler with another shard count."),
      {},
      worded("resume", "resume on the same number of processes, or use Grain's ElasticIterator")};
  return {way};
}

}  // namespace shardlens::resumes
