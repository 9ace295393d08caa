// SPDX-License-Identifier: Apache-2.0
// Recordings for C: written by the ranks of a job, and held against a plan.
#include "core/record/recorder.h"

#include "app/abi/border.h"
#include "app/abi/handles.h"
#include "app/abi/rank_recorder.h"
#include "core/base/text.h"
#include "core/collect/job_proof.h"
#include "core/record/frame.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"

#include <limits>
#include <memory>
#include <utility>

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
