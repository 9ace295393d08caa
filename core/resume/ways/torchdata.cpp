// SPDX-License-Identifier: Apache-2.0
// torchdata 088e434 (stateful_dataloader/sampler.py): each rank's state says how many samples it took, and not of which
// epoch; since b70ecc04 (December 2025) the epoch, too, and load_state_dict() sets it.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"

#include <string>
#include <utility>

namespace shardlens::resumes {
namespace {

ResumeWay loadState(const PipelineSpec& stopped, const ResumePoint& point, bool by_number, const Work& work) {
  ResumeWay way = makeWay(
      stopped, "torchdata", by_number ? "torchdata: set_epoch, load_state_dict" : "torchdata: load_state_dict",
      by_number
          ? worded("resume",
                   "Each rank continues after the samples that its state counts, in the epoch given to set_epoch.")
          : worded("resume", "Each rank continues after the samples that its state counts."));
  const auto divides = dividesAmongRanks(stopped, point, work);
  if (!divides) return failing(std::move(way), divides.error());
  const auto at_end = isAtEnd(stopped, point, work);
  if (!at_end) return failing(std::move(way), at_end.error());
  if (*at_end && point.steps > 0 && !isLast(stopped, point)) {
    way.notes.push_back(
        {Severity::Error,
         worded("resume",
                "The state counts a whole epoch: a script that goes on with the next one skips as much of that, and it "
                "ends without a batch. Save the state after the loop has ended, or do not load it there.")});
  }
  // A sampler without a state is drawn from anew, from the beginning of its stream.
  const bool draws_anew =
      epochOrderOf(stopped, point.epoch) == EpochOrder::ByStream && !stopped.sampler.type.starts_with("torchdata.");
  way = skipping(std::move(way), point, draws_anew ? Epoch{0} : point.epoch, point.steps);
  if (draws_anew) {
    way.notes.push_back(
        {Severity::Error,
         worded("resume", "The sampler has no state of its own: its first order is drawn again, and skipped into.")});
  }
  if (*divides) {
    way.notes.push_back(
        {Severity::Error,
         worded("resume",
                "Another number of ranks is not supported: the counts are per rank, and nothing checks them.")});
  }
  return way;
}

ResumeWay forgottenEpoch(const PipelineSpec& stopped, const ResumePoint& point) {
  ResumeWay way = makeWay(
      stopped, "torchdata-epoch-0", worded("resume", "torchdata: load_state_dict without set_epoch"),
      worded("resume", "Until December 2025 the state holds no epoch: samples are skipped in the order of epoch 0."));
  way.notes.push_back(
      {Severity::Error, worded("resume", "It continues in a different order than it stopped in (pytorch/data#1513).")});
  way = skipping(std::move(way), point, Epoch{0}, point.steps);
  way.goes_on->spec = withoutState(way.goes_on->spec);  // the new state replaces the one that was loaded before
  return way;
}

}  // namespace

std::vector<ResumeWay> torchdata(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const bool by_number = epochOrderOf(stopped, point.epoch) == EpochOrder::ByNumber;
  std::vector<ResumeWay> ways = {loadState(stopped, point, by_number, work)};
  if (by_number) ways.push_back(forgottenEpoch(stopped, point));
  return ways;
}

}  // namespace shardlens::resumes
