// SPDX-License-Identifier: Apache-2.0
#include "core/resume/report.h"

#include "core/base/large_array.h"

#include <utility>

namespace shardlens {
namespace {

/// Trouble of the question, not of a way. (What this machine cannot hold of one way, it may of the others.)
bool endsAll(const Error& error) {
  return error.code == ErrorCode::Cancelled || error.code == ErrorCode::Usage;
}

/// Ways with one stopped run in common are judged against one copy of its epoch.
class Judge {
 public:
  Judge(ResumePoint point, std::int64_t pieces) : point_(point), pieces_(pieces) {}

  /// The way judged, or the error of the question.
  Result<JudgedWay> operator()(ResumeWay way, const Work& work) {
    JudgedWay judged;
    judged.way = std::move(way);
    if (!judged.way.goes_on) return judged;
    if (auto ready = prepare(judged.way.stopped, work.part(0, 0.4)); !ready) return failed(judged, ready.error());
    judged.trained = stopped_->trained_items;
    judged.planned = stopped_->planned_items;
    auto outcome = resumeOutcome(*stopped_, *judged.way.goes_on, pieces_, plans_, work.part(0.4, 1));
    if (!outcome) return failed(judged, outcome.error());
    judged.outcome = *std::move(outcome);
    return judged;
  }

 private:
  Result<void> prepare(const PipelineSpec& spec, const Work& work) {
    if (stopped_ && spec_ == spec) return {};
    stopped_.reset();
    auto epoch = stoppedEpoch(spec, point_, plans_, work);
    if (!epoch) return epoch.error();
    stopped_ = *std::move(epoch);
    spec_ = spec;
    return {};
  }

  static Result<JudgedWay> failed(JudgedWay& judged, Error error) {
    if (endsAll(error)) return error;
    judged.way.goes_on.reset();
    judged.way.error = std::move(error);
    return std::move(judged);
  }

  ResumePoint point_;
  std::int64_t pieces_;
  EpochPlans plans_;
  PipelineSpec spec_;
  std::optional<StoppedEpoch> stopped_;
};

/// Memory is promised array by array, and missed only where it is written: so it is asked for as a whole.
Result<void> checkRoom(std::int64_t samples) {
  constexpr std::int64_t kBytesOfSample = 9 + 4;  // four counts of two bytes, a mark, and an order
  if (samples <= availableMemory() / kBytesOfSample) return {};
  return detail::noMemoryFor(static_cast<std::size_t>(samples * kBytesOfSample), "the counts of samples");
}

}  // namespace

Result<std::vector<JudgedWay>> resumeReport(const PipelineSpec& spec, const ResumePoint& point, std::int64_t pieces,
                                            const Work& work, const std::function<void(const JudgedWay&)>& on_way) {
  if (auto inside = checkResumePoint(spec, point); !inside) return inside.error();
  if (auto room = checkRoom(spec.dataset.size); !room) return room.error();
  std::vector<ResumeWay> ways = resumeWays(spec, point, work);
  if (work.stopped()) return cancelled();
  const auto count = static_cast<double>(ways.size());
  Judge judge(point, pieces);
  std::vector<JudgedWay> report;
  for (ResumeWay& way : ways) {
    const auto done = static_cast<double>(report.size());
    auto judged = judge(std::move(way), work.part(done / count, (done + 1) / count));
    if (!judged) return judged.error();
    report.push_back(*std::move(judged));
    if (on_way) on_way(report.back());
  }
  return report;
}

}  // namespace shardlens
