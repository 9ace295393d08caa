// SPDX-License-Identifier: Apache-2.0
#include "core/collect/run_replay.h"

#include "core/diagnose/proof.h"

#include <algorithm>
#include <utility>

namespace shardlens {

Result<RunReplay> RunReplay::open(const std::filesystem::path& path) {
  auto reader = RecordingReader::open(path);
  if (!reader) return reader.error();
  return RunReplay(*std::move(reader));
}

RunReplay::RunReplay(RecordingReader reader) : reader_(std::move(reader)) {
  makeReducer();
}

void RunReplay::makeReducer() {
  Shared* shared = shared_.get();
  ExpectedBatch expected;
  if (shared->planned.plan()) expected = expectationOf(*shared->planned.plan(), &shared->work);
  reducer_ = std::make_unique<Reducer>(std::move(expected), SpanSink{}, [shared](const BatchCheck& check) {
    shared->proof.add(check.rank, shared->planned.globalStep(check.epoch, check.step), check.matches);
  });
}

void RunReplay::begin(const RunBegin& begin) {
  shared_->planned = PlannedBatches(begin.spec_yaml);
  shared_->proof = ProofRecorder(begin.world_size);
  const PlannedBatches& planned = shared_->planned;
  facts_ = std::make_shared<const RunFacts>(
      RunFacts{planned.spec(), planned.total(), planned.epochStarts(), planned.problem()});
  makeReducer();
}

void RunReplay::apply(const Event& event) {
  if (const auto* first = std::get_if<RunBegin>(&event.what)) begin(*first);
  reducer_->apply(event);
  if (first_ns_ < 0) first_ns_ = event.time_ns;
  now_ns_ = std::max(now_ns_, event.time_ns - first_ns_);
  newest_ns_ = std::max(newest_ns_, now_ns_);
}

bool RunReplay::isAfter(const Event& event, std::int64_t ns) const {
  return ns >= 0 && first_ns_ >= 0 && event.time_ns - first_ns_ > ns;
}

bool RunReplay::applyLater(std::int64_t until_ns) {
  bool applied = false;
  std::deque<Event> still_later;
  for (Event& event : later_) {
    if (isAfter(event, until_ns)) {
      still_later.push_back(std::move(event));
    } else {
      apply(event);
      applied = true;
    }
  }
  later_ = std::move(still_later);
  return applied;
}

bool RunReplay::advance(std::int64_t until_ns, const Work& work) {
  // The recorder drains one rank's ring after the other: events of different ranks come a little out of order.
  constexpr std::int64_t kDisorderNs = 1'000'000'000;
  constexpr std::size_t kLookAtStop = 256;
  shared_->work = work;
  bool applied = applyLater(until_ns);
  if (next_ == events_.size()) {
    events_ = reader_.readMore();
    next_ = 0;
  }
  for (; next_ < events_.size(); ++next_) {
    if (next_ % kLookAtStop == 0 && work.stopped()) break;
    Event& event = events_[next_];
    if (until_ns >= 0 && isAfter(event, until_ns + kDisorderNs)) break;
    if (isAfter(event, until_ns)) {
      later_.push_back(std::move(event));
    } else {
      apply(event);
    }
    applied = true;
  }
  return applied;
}

void RunReplay::markLost() {
  reducer_->apply({first_ns_ < 0 ? 0 : first_ns_ + now_ns_, RecordingLost{reader_.note()}});
}

}  // namespace shardlens
