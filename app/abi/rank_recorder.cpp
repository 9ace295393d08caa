// SPDX-License-Identifier: Apache-2.0
#include "app/abi/rank_recorder.h"

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/plan/rank_epoch.h"
#include "core/wire/ring_file.h"

#include <array>
#include <chrono>
#include <span>
#include <unistd.h>
#include <utility>

namespace shardlens::abi {
namespace {

std::int64_t now() {
  return static_cast<std::int64_t>(sl_now());
}

}  // namespace

RankRecorder::RankRecorder(RecordingWriter writer, std::int64_t rank, std::uint32_t world_size)
    : memory_(sl_ring_bytes(SL_RING_CAPACITY) / sizeof(std::uint64_t)),
      ring_(reinterpret_cast<sl_ring_header*>(memory_.data())),
      rank_(rank),
      writer_(std::move(writer)) {
  sl_ring_init(ring_, SL_RING_CAPACITY, static_cast<std::uint32_t>(rank), world_size);
}

Result<std::unique_ptr<RankRecorder>> RankRecorder::open(const std::filesystem::path& folder, std::int64_t rank,
                                                         const RunBegin& begin) {
  auto writer = RecordingWriter::join(folder);
  if (!writer) return writer.error();
  writer->add({now(), begin});
  const auto world = static_cast<std::uint32_t>(begin.world_size);
  std::unique_ptr<RankRecorder> recorder(new RankRecorder(*std::move(writer), rank, world));
  recorder->push(SL_HELLO, static_cast<std::uint64_t>(getpid()), world);
  if (const auto started = recorder->startThread(); !started) return started.error();
  return recorder;
}

RankRecorder::~RankRecorder() {
  thread_ = {};  // ends it
}

Result<void> RankRecorder::startThread() {
  const NoSignals none;
  return guarded([this] { thread_ = std::jthread([this](const std::stop_token& end) { loop(end); }); });
}

void RankRecorder::push(std::uint16_t kind, std::uint64_t a, std::uint64_t b) {
  sl_record record{};
  record.time_ns = sl_now();
  record.kind = kind;
  record.epoch = epoch_;
  record.step = step_;
  record.a = a;
  record.b = b;
  (void)sl_ring_push(ring_, &record);
}

void RankRecorder::endEpoch() {
  if (!in_epoch_) return;
  push(SL_STEP_END);
  push(SL_EPOCH_END, steps_);
  in_epoch_ = false;
}

void RankRecorder::batch(std::int64_t epoch, std::int64_t step, const std::vector<SampleIndex>& ids) {
  if (in_epoch_ && epoch != epoch_) endEpoch();
  if (in_epoch_) push(SL_STEP_END);
  epoch_ = static_cast<std::uint32_t>(epoch);
  step_ = static_cast<std::uint32_t>(step);
  if (!std::exchange(in_epoch_, true)) {
    steps_ = 0;
    push(SL_EPOCH_BEGIN);
  }
  push(SL_STEP_BEGIN);
  push(SL_BATCH, fingerprintOf(ids), ids.size());
  ++steps_;
}

void RankRecorder::drain() {
  std::array<sl_record, 512> records{};
  while (const std::size_t count = sl_ring_pop(ring_, SL_RING_CAPACITY, records.data(), records.size()))
    writer_.add(rank_, std::span(records.data(), count));
  const std::uint64_t dropped = sl_ring_dropped(ring_);
  if (std::exchange(told_dropped_, dropped) != dropped)
    writer_.add({now(), RankDropped{rank_, static_cast<std::int64_t>(dropped)}});
}

void RankRecorder::loop(const std::stop_token& end) {
  constexpr std::chrono::milliseconds kDrainEvery{20};
  constexpr int kDrainsPerTick = 4;
  for (int drains = 0; !end.stop_requested(); ++drains) {
    const auto drained = guarded([this] { drain(); });
    if (!drained) return;
    if (drains % kDrainsPerTick == 0) {
      writer_.add({now(), Tick{}});
      (void)writer_.send();  // what it says is said again when the recorder is closed
    }
    std::this_thread::sleep_for(kDrainEvery);
  }
}

Result<void> RankRecorder::close(const std::string& failure) {
  if (std::exchange(is_closed_, true)) return {};
  endEpoch();
  const int exit_code = failure.empty() ? kFine : kJobFailed;
  push(SL_BYE, static_cast<std::uint64_t>(exit_code));
  thread_ = {};
  drain();
  const JobStatus status = failure.empty() ? JobStatus::Finished : JobStatus::Failed;
  writer_.add({now(), RunEnd{status, exit_code, failure}});
  return writer_.flush();
}

}  // namespace shardlens::abi
