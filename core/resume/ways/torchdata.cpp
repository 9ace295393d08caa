// SPDX-License-Identifier: Apache-2.0
// torchdata 088e434 (stateful_dataloader/sampler.py): each rank's state says how many samples it took, and not of which
// epoch. Since b70ecc04 (December 2025) that of a StatefulDistributedSampler holds the epoch, too. A StatefulDataLoader
// loads the state when its next iteration begins, which is after the script's set_epoch.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"

#include <string>
#include <utility>

namespace shardlens::resumes {
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

}  // namespace shardlens::resumes
