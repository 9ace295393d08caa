// SPDX-License-Identifier: Apache-2.0
// Lightning 2.5 to 2.6.5 (loops/fit_loop.py, loops/training_epoch_loop.py, loops/fetchers.py).
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/resume/ways/ways.h"

#include <string>
#include <utility>

namespace shardlens::resumes {
namespace {

std::string ruleOf(const ResumePoint& point, bool past_end) {
  if (point.steps == 0) return worded("resume", "The loader and the batch counter start at the beginning.");
  if (past_end)
    return worded("resume", "The batch counter is beyond the end of the shorter epoch, so the epoch starts again.");
  return filled(worded("resume",
                       "The loader starts again while the batch counter continues: the epoch ends %1 early, and its "
                       "last batches are never read."),
                stepsText(point.steps));
}

/// Since 2.1 the loader's iterator is made before set_epoch(); workers draw their order at once (lightning#21938). What
/// follows torch's global stream is not restored at all.
Note firstOrder(const ResumePoint& point, EpochOrder order) {
  const std::string number = std::to_string(point.epoch.value);
  if (order == EpochOrder::ByStream) {
    return {
        Severity::Error,
        worded("resume", "The checkpoint holds no random states: seeded as at the start, it reads epoch 0's order.")};
  }
  return {Severity::Error, filled(worded("resume",
                                         "Since 2.1, a loader with workers draws its order before set_epoch(%1) is "
                                         "called: it reads epoch 0's (lightning#21938)."),
                                  number)};
}

/// An error where overfit_batches ends the epoch of either run before its loader does.
Result<void> checkEnd(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const std::int64_t read = lenses::batchesRead(stopped);
  if (read == 0) return {};
  for (const PipelineSpec& spec : {stopped, resumedSpec(stopped, point)}) {
    const auto steps = stepsOf(spec, point.epoch, work);
    if (!steps) return steps.error();
    if (read < *steps) {
      return Error{
          ErrorCode::Unsupported,
          filled(worded("resume", "overfit_batches ends its epoch after %1: ShardLens does not compute what follows."),
                 batchesText(read)),
          {},
          worded("resume", "leave overfit_batches out")};
    }
  }
  return {};
}

}  // namespace

std::vector<ResumeWay> lightning(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const char* const title = "Lightning: fit(ckpt_path=...)";
  if (auto end = checkEnd(stopped, point, work); !end)
    return {failing(makeWay(stopped, "lightning", title, ruleOf(point, false)), end.error())};
  const auto at_end = isAtEnd(stopped, point, work);
  if (!at_end) return {failing(makeWay(stopped, "lightning", title, ruleOf(point, false)), at_end.error())};
  if (*at_end && point.steps > 0) {
    return {
        reachingEnd(makeWay(stopped, "lightning", title,
                            isLast(stopped, point)
                                ? worded("resume", "The epoch's last batch is marked as done: no epoch is left.")
                                : worded("resume", "The epoch's last batch is marked as done: the next epoch starts.")),
                    point, work)};
  }
  const auto steps = stepsOf(resumedSpec(stopped, point), point.epoch, work);
  if (!steps) return {failing(makeWay(stopped, "lightning", title, ruleOf(point, false)), steps.error())};
  const EpochOrder order = epochOrderOf(stopped, point.epoch);
  const bool is_wrapped = stopped.sampler.type.ends_with("DistributedSamplerWrapper") && followsGlobalStream(stopped);
  if (is_wrapped && stopped.loader.num_workers == 0 && point.epoch.value > 0) {
    return {failing(makeWay(stopped, "lightning", title, ruleOf(point, false)),
                    Error{ErrorCode::Unsupported,
                          worded("resume",
                                 "The inner sampler draws its first pass again, and the wrapper deals it in the order "
                                 "of this epoch: ShardLens does not compute what follows."),
                          {},
                          worded("resume", "save checkpoints at the end of an epoch")})};
  }
  const bool first_order =
      order == EpochOrder::ByStream || (order == EpochOrder::ByNumber && stopped.loader.num_workers > 0);
  // The counts are then set back (2.5).
  const bool past_end = point.steps > 0 && point.steps >= *steps;
  ResumeWay way = makeWay(stopped, "lightning", title, ruleOf(point, past_end));
  way = skipping(std::move(way), point, first_order ? Epoch{0} : point.epoch, 0);
  way.goes_on->counts_on = !past_end;
  if (first_order) way.notes.push_back(firstOrder(point, order));
  if (point.steps > 0) {
    way.notes.push_back({Severity::Info, worded("resume",
                                                "Save checkpoints at the end of an epoch, or use a StatefulDataLoader, "
                                                "which is exact since 2.2 on the same number of ranks.")});
  }
  return {way};
}

}  // namespace shardlens::resumes
