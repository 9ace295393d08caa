// SPDX-License-Identifier: Apache-2.0
// Recordings for C: written by the ranks of a job, and held against a plan.
#include "core/record/recorder.h"

#include "app/abi/border.h"
#include "core/base/ids.h"
#include "core/base/process.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/collect/job_proof.h"
#include "core/plan/rank_epoch.h"
#include "core/record/event.h"
#include "core/record/frame.h"
#include "core/record/recording_writer.h"
#include "core/sampling/registry.h"
#include "core/wire/ring.h"
#include "core/wire/ring_file.h"
#include "core/yaml/spec_writer.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace shardlens::abi {

/// Records what one rank consumes, in a segment of its own. The training thread puts records into a ring and goes on; a
/// thread of this object takes them out and writes them. Readers may follow the recording while it grows.
class RankRecorder {
 public:
  /// Begins a segment in `folder`, which exists. `begin` says which job it is, the same on all ranks.
  static Result<std::unique_ptr<RankRecorder>> open(const std::filesystem::path& folder, std::int64_t rank,
                                                    const RunBegin& begin);
  ~RankRecorder();
  RankRecorder(const RankRecorder&) = delete;
  RankRecorder& operator=(const RankRecorder&) = delete;

  /// Never waits: where the ring is full, the records are left out and counted.
  void batch(std::int64_t epoch, std::int64_t step, const std::vector<SampleIndex>& ids);
  /// Returns when the operating system has everything, or says why it does not.
  Result<void> close(const std::string& failure);

 private:
  RankRecorder(RecordingWriter writer, std::int64_t rank, std::uint32_t world_size);
  Result<void> startThread();
  void push(std::uint16_t kind, std::uint64_t a = 0, std::uint64_t b = 0);
  void endEpoch();
  void loop(const std::stop_token& end);
  void drain();

  std::vector<std::uint64_t> memory_;  ///< of the ring
  sl_ring_header* ring_;
  std::int64_t rank_;
  // Of the training thread.
  std::uint32_t epoch_ = 0;
  std::uint32_t step_ = 0;
  std::uint64_t steps_ = 0;  ///< in this epoch
  bool in_epoch_ = false;
  bool is_closed_ = false;
  // Of the thread that writes, and of close() once that thread has ended.
  RecordingWriter writer_;
  std::uint64_t told_dropped_ = 0;
  std::jthread thread_;  ///< last: it uses all of the above
};

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

using namespace shardlens;

// NOLINTNEXTLINE(readability-identifier-naming): what the C header calls it.
struct shardlens_recorder {
  std::unique_ptr<abi::RankRecorder> recorder;
  std::vector<SampleIndex> ids;  ///< of the last batch; kept for its memory
};

namespace {

RunBegin beginOf(const char* job_id, const char* command, std::int64_t world_size, const shardlens_plan* plan) {
  RunBegin begin = beginHere();
  begin.name = plan != nullptr ? plan->plan.spec().name : "job";
  if (plan != nullptr) begin.spec_yaml = yaml::writeSpec(plan->plan.spec(), sampling::catalogue());
  if (plan != nullptr) begin.nodes = plan->plan.spec().world.nodes;
  begin.job_id = job_id;
  begin.command = command;
  begin.world_size = world_size;
  begin.ends_job = false;  // a signal to this process is no request to end the job
  begin.reports = false;   // until it does: it is a program of the user's
  return begin;
}

std::string proofText(const JobProof& proved) {
  const Proof& proof = proved.proof;
  std::string text;
  if (proof.result == ProofResult::Match)
    text = proved.sentence.empty() ? grouped(proof.checked_batches) + " batches, all as planned." : proved.sentence;
  else
    text = proof.what;
  if (!proof.explanation.empty()) text += "\n" + proof.explanation;
  for (const std::string& note : proof.notes) text += "\n" + note;
  return text;
}

std::int32_t resultOf(ProofResult result) {
  if (result == ProofResult::Match) return SHARDLENS_MATCH;
  return result == ProofResult::Mismatch ? SHARDLENS_MISMATCH : SHARDLENS_INCOMPLETE;
}

}  // namespace

int32_t shardlens_recorder_open(const char* folder, const char* job_id, const char* command, int64_t rank,
                                int64_t world_size, const shardlens_plan* plan, shardlens_recorder** out) {
  return abi::status([&]() -> Result<void> {
    if (world_size < 1 || world_size > frame::kMostRanks || rank < 0 || rank >= world_size)
      return abi::wrongArgument("rank " + std::to_string(rank) + " of " + std::to_string(world_size) +
                                " cannot be recorded.");
    auto recorder = abi::RankRecorder::open(folder, rank, beginOf(job_id, command, world_size, plan));
    if (!recorder) return recorder.error();
    *out = std::make_unique<shardlens_recorder>(shardlens_recorder{*std::move(recorder), {}}).release();
    return {};
  });
}

int32_t shardlens_recorder_batch(shardlens_recorder* recorder, int64_t epoch, int64_t step, const int64_t* ids,
                                 int64_t count) {
  return abi::status([&]() -> Result<void> {
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (epoch < 0 || epoch > kMost || step < 0 || step > kMost || count < 0)
      return abi::wrongArgument("epoch " + std::to_string(epoch) + ", step " + std::to_string(step) +
                                " cannot be recorded: both count from 0.");
    recorder->ids.assign(ids, ids + count);
    recorder->recorder->batch(epoch, step, recorder->ids);
    return {};
  });
}

int32_t shardlens_recorder_close(shardlens_recorder* recorder, const char* failure) {
  const std::unique_ptr<shardlens_recorder> owned(recorder);
  return abi::status([&]() -> Result<void> { return owned->recorder->close(failure); });
}

int32_t shardlens_prove(const shardlens_plan* plan, const char* recording, const char* loader, int32_t* result,
                        const char** out) {
  return abi::status([&]() -> Result<void> {
    const auto proved = proveJob(plan->plan, recording, loader);
    if (!proved) return plan->placed(proved.error());
    *result = resultOf(proved->proof.result);
    *out = abi::lent(proofText(*proved));
    return {};
  });
}
