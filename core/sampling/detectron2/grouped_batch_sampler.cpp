// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/detectron2/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/endless_stream.h"

#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace detectron2_grouped_batch_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.GroupedBatchSampler",
      marked(
          "samplers",
          "Batches of samples of one group (wide or tall images), in the order in which a TrainingSampler fills them."),
      {boolField("sampler.shuffle", true, marked("fields", "Whether the TrainingSampler inside permutes.")),
       seedField("sampler.seed", 0, INT64_MIN, INT64_MAX, marked("fields", "Seed of the TrainingSampler inside.")),
       samplesPerEpochField()},
      {marked("samplers", "Samples that do not fill a batch wait in a buffer of their group, even across epochs."),
       marked("samplers",
              "Ranks fill batches at different times: their numbers of batches in an epoch of the plan differ.")},
      {"dataset.labels"},
  };
  return kInfo;
}

EndlessStream streamOf(const PipelineSpec& spec) {
  return endlessStream(spec, info());
}

Result<void> check(const PipelineSpec& spec) {
  if (spec.dataset.size == 0) {
    return raised("ValueError", "TrainingSampler(size=) expects a positive int. Got 0.", "dataset.size");
  }
  if (static_cast<std::int64_t>(spec.dataset.labels.size()) != spec.dataset.size) {
    return Error{ErrorCode::BadInput,
                 filled(worded("checks", "There are %1 groups for %2."), std::to_string(spec.dataset.labels.size()),
                        wordedCount(spec.dataset.size, "sample")),
                 {{}, 0, 0, "dataset.labels"},
                 worded("checks", "give the group of every sample")};
  }
  return checkEndless(spec, streamOf(spec));
}

/// The epoch's number: what waits in the buffers comes from all epochs before.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, streamOf(spec).seed, static_cast<std::uint64_t>(epoch.value)};
}

/// The buffers of one rank.
class Buffers {
 public:
  explicit Buffers(const PipelineSpec& spec)
      : labels_(spec.dataset.labels), batch_size_(static_cast<std::size_t>(spec.loader.batch_size)) {}

  /// The batch that this sample fills; null when it fills none. Taken over by the next call.
  std::vector<std::int64_t>* push(SampleIndex sample) {
    if (full_ != nullptr) full_->clear();
    full_ = nullptr;
    auto& buffer = groups_[labels_[static_cast<std::size_t>(sample)]];
    buffer.push_back(sample);
    if (buffer.size() == batch_size_) full_ = &buffer;
    return full_;
  }

  /// Adds the samples that fill no batch yet.
  void addWaiting(std::vector<std::int64_t>& samples) const {
    for (const auto& [label, buffer] : groups_) {
      if (&buffer != full_) samples.insert(samples.end(), buffer.begin(), buffer.end());
    }
  }

 private:
  const std::vector<std::int64_t>& labels_;
  std::size_t batch_size_;
  std::map<std::int64_t, std::vector<std::int64_t>> groups_;
  std::vector<std::int64_t>* full_ = nullptr;
};

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const EndlessStream stream = streamOf(spec);
  const auto last = static_cast<std::int64_t>(key.skip);
  std::vector<Buffers> buffers(static_cast<std::size_t>(spec.worldSize()), Buffers(spec));
  std::vector<std::vector<std::int64_t>> ids(buffers.size());
  std::vector<std::vector<std::int64_t>> ends(buffers.size());
  for (Epoch epoch{0}; epoch.value <= last; ++epoch) {
    auto drawn = endlessOrder(spec, stream, endlessKey(spec, stream, epoch), {work.stop, {}});
    if (!drawn) return drawn;
    work.progress(static_cast<double>(epoch.value) / static_cast<double>(last + 1));
    for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
      if (work.stopped()) return cancelled();
      const auto r = static_cast<std::size_t>(rank.value);
      const Slice slice = endlessSlice(spec, stream, epoch, rank, *drawn);
      for (std::int64_t k = 0; k < slice.size(); ++k) {
        const auto* batch = buffers[r].push(slice.sample(k));
        if (batch == nullptr || epoch.value < last) continue;
        ids[r].insert(ids[r].end(), batch->begin(), batch->end());
        ends[r].push_back(static_cast<std::int64_t>(ids[r].size()));
      }
    }
  }
  Deal deal;
  deal.lists_batches = true;
  std::vector<std::int64_t> all;
  for (std::size_t r = 0; r < ids.size(); ++r) {
    deal.shares.push_back({static_cast<std::int64_t>(all.size()), static_cast<std::int64_t>(ids[r].size()), 0,
                           deal.batch_ends.size(), static_cast<std::int64_t>(ends[r].size())});
    for (const std::int64_t end : ends[r]) deal.batch_ends.push_back(deal.shares.back().first + end);
    all.insert(all.end(), ids[r].begin(), ids[r].end());
    buffers[r].addWaiting(deal.left_over);
  }
  return Order::dealt(Order::of(std::move(all)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::AnotherPass, .across_shares = RepeatCause::AnotherPass};
}

}  // namespace
}  // namespace detectron2_grouped_batch_sampler

SamplerRule detectron2GroupedBatchSampler() {
  using namespace detectron2_grouped_batch_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
          .claims = claims,
          .unread = always<MissingCause::WaitingInBuffer>,
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
