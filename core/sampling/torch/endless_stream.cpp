// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/endless_stream.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace shardlens::sampling {
namespace {

constexpr std::int64_t kMostSamples = 1'000'000'000;
constexpr std::int64_t kMostPositions = std::int64_t{1} << 53;

/// Positions that all ranks together read in an epoch.
std::int64_t stretch(const PipelineSpec& spec, const EndlessStream& stream) {
  return stream.per_rank * spec.worldSize();
}

/// Where the epoch begins in the stream.
std::int64_t startOf(const PipelineSpec& spec, const EndlessStream& stream, Epoch epoch) {
  return epoch.value * stretch(spec, stream);
}

}  // namespace

Field samplesPerEpochField() {
  return intOrNameField("sampler.samples_per_epoch", "one_pass", 1, kMostSamples, "samples",
                        marked("fields",
                               "Samples of the endless stream that each rank takes per epoch of the plan; one_pass is "
                               "the dataset's size divided by the world size, rounded up."));
}

std::int64_t samplesPerEpoch(const PipelineSpec& spec, const SamplerInfo& info) {
  return intParameterOr(spec, info, "samples_per_epoch",
                        distributedSamples(spec.dataset.size, spec.worldSize(), false));
}

EndlessStream endlessStream(const PipelineSpec& spec, const SamplerInfo& info, const char* seed) {
  return {boolParameter(spec, info, "shuffle"), static_cast<std::uint64_t>(intParameter(spec, info, seed)),
          samplesPerEpoch(spec, info)};
}

Result<void> checkEndless(const PipelineSpec& spec, const EndlessStream& stream) {
  const std::int64_t epochs = std::max<std::int64_t>(spec.epochs, 1);
  if (stream.per_rank <= kMostPositions / spec.worldSize() / epochs) return {};
  return refused(worded("checks", "the plan reads more than 2^53 samples of the stream"), "sampler.samples_per_epoch",
                 worded("checks", "take fewer samples, or plan fewer epochs"));
}

OrderKey endlessKey(const PipelineSpec& spec, const EndlessStream& stream, Epoch epoch) {
  const std::int64_t start = startOf(spec, stream, epoch);
  if (stream.shuffle) return {"endless torch.randperm", stream.seed, static_cast<std::uint64_t>(start)};
  // Epochs that begin at another place of a lap differ, though one 0 .. n-1 serves them all.
  return {kSequential, 0, static_cast<std::uint64_t>(start % std::max<std::int64_t>(spec.dataset.size, 1))};
}

Result<OrderPtr> endlessOrder(const PipelineSpec& spec, const EndlessStream& stream, const OrderKey& key,
                              const Work& work) {
  const std::int64_t size = spec.dataset.size;
  if (!stream.shuffle) return Order::identity(size);
  const std::int64_t count = stretch(spec, stream);
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(count), "an order");
  if (!ids) return ids.error();
  const auto start = static_cast<std::int64_t>(key.skip);
  const auto laps = static_cast<std::uint64_t>(start / size);
  TorchGenerator generator = generatorAt({key.seed, laps * permutationOutputs(spec, size)});
  std::int64_t offset = start % size;
  for (std::int64_t filled = 0; filled < count; offset = 0) {
    const double share = static_cast<double>(filled) / static_cast<double>(count);
    if (work.stopped()) return cancelled();
    work.progress(share);
    auto lap = torchPermutation(spec, size, generator, work.part(share, share));
    if (!lap) return lap.error();
    const std::int64_t taken = std::min(size - offset, count - filled);
    std::copy_n(lap->items().begin() + offset, taken, ids->items().begin() + filled);
    filled += taken;
  }
  return Order::of(std::move(*ids));
}

Slice endlessSlice(const PipelineSpec& spec, const EndlessStream& stream, Epoch epoch, Rank rank, OrderPtr order) {
  const std::int64_t before = stream.shuffle || order->size() == 0 ? 0 : startOf(spec, stream, epoch) % order->size();
  return {std::move(order), before + rank.value, spec.worldSize(), stream.per_rank,
          std::numeric_limits<std::int64_t>::max()};
}

}  // namespace shardlens::sampling
