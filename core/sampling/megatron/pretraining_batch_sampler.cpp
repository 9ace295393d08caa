// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/megatron/consumed.h"
#include "core/sampling/megatron/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace megatron_pretraining_batch_sampler {
namespace {

const std::string kInOrder = "megatron_bridge batches in order";
const std::string kShuffled = "megatron_bridge batches";
const std::string kOverflow = "megatron_bridge seed beyond 2^64";

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "megatron_bridge.MegatronPretrainingBatchSampler",
      marked("samplers",
             "Deals whole global batches for fine-tuning: sample by sample to the ranks in turn, all micro batches of "
             "a rank at once."),
      {megatronConsumedField(),
       intOrNameField("sampler.global_batch_size", "one micro batch a rank", 1, INT64_MAX / 2, "samples",
                      marked("fields", "Samples that all ranks together take in one step.")),
       megatronDropLastField(),
       boolField("sampler.pad_samples_to_global_batch_size", false,
                 marked("fields",
                        "With drop_last off, fill the last global batch with -1, which stands for no sample; the plan "
                        "shows the samples only.")),
       boolField("sampler.shuffle", true, marked("fields", "Permute the dataset in every epoch.")),
       seedOrNameField("sampler.seed", "none", INT64_MIN, INT64_MAX,
                       marked("fields",
                              "Seed of the permutation; the epoch is added. none is what the process handed to "
                              "torch.manual_seed before."))},
      {marked("samplers",
              "Without a seed, processes that seed torch apart (pipeline stages of different models) permute "
              "differently, and ranks read shares of different orders."),
       marked("samplers",
              "With drop_last the epochs are counted in whole global batches: consumed_samples of another global batch "
              "size begins in the middle of one, and may read into the tail that is dropped otherwise."),
       marked("samplers",
              "With drop_last and padding off, a last global batch smaller than the number of ranks leaves the last "
              "ranks an empty batch."),
       marked("samplers", "Before PR 4601 the offset of a resumed run was applied again in every later epoch.")},
  };
  return kInfo;
}

bool flag(const PipelineSpec& spec, const char* key) {
  return boolParameter(spec, info(), key);
}

std::int64_t globalBatch(const PipelineSpec& spec) {
  const Value value = parameter(spec, info(), "global_batch_size");
  const auto* given = std::get_if<std::int64_t>(&value);
  return given == nullptr ? megatronStepSamples(spec) : *given;
}

bool pads(const PipelineSpec& spec) {
  return !flag(spec, "drop_last") && flag(spec, "pad_samples_to_global_batch_size");
}

/// By how much consumed_samples grows in a whole epoch.
std::int64_t epochSamples(const PipelineSpec& spec) {
  const std::int64_t batch = globalBatch(spec);
  if (flag(spec, "drop_last")) return spec.dataset.size / batch * batch;
  return pads(spec) ? distributedSamples(spec.dataset.size, batch, false) * batch : spec.dataset.size;
}

/// A pass: the epoch that seeds it, where it begins, and what it hands out. With drop_last it reads on behind the
/// epoch's last whole batch if it began in the middle of one.
struct Pass {
  std::int64_t epoch = 0;
  std::int64_t first = 0;
  std::int64_t whole = 0;  ///< global batches
  std::int64_t rest = 0;   ///< samples of a last one
};

Pass passFrom(const PipelineSpec& spec, std::int64_t consumed) {
  const std::int64_t batch = globalBatch(spec);
  const std::int64_t first = consumed % epochSamples(spec);
  const std::int64_t left = std::max<std::int64_t>(0, spec.dataset.size - first);
  return {consumed / epochSamples(spec), first, left / batch, flag(spec, "drop_last") ? 0 : left % batch};
}

std::int64_t consumedAfter(const PipelineSpec& spec, std::int64_t consumed) {
  const Pass pass = passFrom(spec, consumed);
  const std::int64_t last = pass.rest > 0 && pads(spec) ? globalBatch(spec) : pass.rest;
  return consumed + pass.whole * globalBatch(spec) + last;
}

Pass passOf(const PipelineSpec& spec, Epoch epoch) {
  return passFrom(spec, megatronBridgeConsumed(spec, epoch));
}

Result<void> check(const PipelineSpec& spec) {
  if (auto dataset = checkMegatronDataset(spec); !dataset) return dataset;
  const std::int64_t batch = globalBatch(spec);
  if (batch % megatronStepSamples(spec) != 0) {
    return raised("RuntimeError",
                  "`global_batch_size` (" + std::to_string(batch) + ") is not divisible by `micro_batch_size (" +
                      std::to_string(spec.loader.batch_size) + ") x data_parallel_size (" +
                      std::to_string(spec.world.dataParallelSize()) + ")`",
                  "sampler.global_batch_size", worded("checks", "take a multiple of that product"));
  }
  if (epochSamples(spec) > 0) return {};
  return raised("AssertionError",
                "drop_last=True requires at least one full global batch; got total_samples=" +
                    std::to_string(spec.dataset.size) + ", global_batch_size=" + std::to_string(batch),
                "sampler.global_batch_size", worded("checks", "lower it, or switch sampler.drop_last off"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const Pass pass = passOf(spec, epoch);
  const auto first = static_cast<std::uint64_t>(pass.first);
  if (!flag(spec, "shuffle")) return {kInOrder, 0, first};
  const Value given = parameter(spec, info(), "seed");
  const auto* seed = std::get_if<std::int64_t>(&given);
  const std::uint64_t base = seed != nullptr ? static_cast<std::uint64_t>(*seed) : scriptSeed(spec, Epoch{0}, rank);
  // torch.initial_seed() of a negative seed is 2^64 less it, to which Python adds without wrapping.
  const bool wraps = seed == nullptr && base + static_cast<std::uint64_t>(pass.epoch) < base;
  return {wraps ? kOverflow : kShuffled, base + static_cast<std::uint64_t>(pass.epoch), first};
}

Result<OrderPtr> permuted(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe == kInOrder) return Order::identity(spec.dataset.size);
  if (key.recipe == kShuffled) return torchOrder(spec, {kRandperm, key.seed, 0}, work);
  return seedOverflow(spec.framework.torch, "sampler.seed",
                      worded("checks", "give a seed: the epoch is added to torch's own, which is close to 2^64"));
}

/// Of each global batch, a data-parallel rank's positions are its own number and every data-parallel-size-th after it.
Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  auto drawn = permuted(spec, key, work.part(0, 0.5));
  if (!drawn) return drawn;
  const auto first = static_cast<std::int64_t>(key.skip);
  const Pass pass = passFrom(spec, first);
  const std::int64_t batch = globalBatch(spec);
  const std::int64_t end = first + pass.whole * batch + pass.rest;
  const std::int64_t batches = pass.whole + (pass.rest > 0 ? 1 : 0);
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(end - first), "an order");
  if (!ids) return ids.error();
  Deal deal;
  deal.lists_batches = true;
  std::vector<Deal::Share> replicas;
  std::int64_t at = 0;
  for (std::int64_t replica = 0; replica < spec.world.dataParallelSize(); ++replica) {
    if (work.stopped()) return cancelled();
    replicas.push_back({at, 0, 0, deal.batch_ends.size(), batches});
    for (std::int64_t k = 0; k < batches; ++k) {
      const std::int64_t until = std::min(end, first + (k + 1) * batch);
      for (std::int64_t place = first + k * batch + replica; place < until; place += spec.world.dataParallelSize())
        ids->items()[static_cast<std::size_t>(at++)] = static_cast<std::uint32_t>((**drawn)[place]);
      deal.batch_ends.push_back(at);
    }
    replicas.back().count = at - replicas.back().first;
  }
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank)
    deal.shares.push_back(replicas[static_cast<std::size_t>(spec.world.dataParallelRankOf(rank))]);
  const std::int64_t before = std::min(first, spec.dataset.size);  // what was consumed may end in the padding
  for (std::int64_t place = 0; place < before; ++place) deal.left_over.push_back((**drawn)[place]);
  for (std::int64_t place = end; place < spec.dataset.size; ++place) deal.left_over.push_back((**drawn)[place]);
  return Order::dealt(Order::of(std::move(*ids)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& spec) {
  const Value seed = parameter(spec, info(), "seed");
  const bool given = std::holds_alternative<std::int64_t>(seed) || !flag(spec, "shuffle");
  return {.divides = true, .needs_equal_seeds = !given, .has_empty_batches = true};
}

UnreadCause unread(const PipelineSpec& spec, Epoch epoch) {
  return [first = passOf(spec, epoch).first, skipped = megatronSkipped(epoch)](std::int64_t place) {
    return place < first ? skipped : MissingCause::CutBySampler;
  };
}

}  // namespace
}  // namespace megatron_pretraining_batch_sampler

std::int64_t megatronBridgeConsumed(const PipelineSpec& spec, Epoch pass) {
  using namespace megatron_pretraining_batch_sampler;
  std::int64_t consumed = megatronConsumed(spec);
  for (std::int64_t left = pass.value; left > 0; --left) {
    const std::int64_t after = consumedAfter(spec, consumed);
    const std::int64_t grown = after - consumed;
    // A pass that begins where the one before began reads as much as it, and so do all that follow.
    if (after % epochSamples(spec) == consumed % epochSamples(spec)) return consumed + left * grown;
    consumed = after;
  }
  return consumed;
}

std::int64_t megatronBridgeLength(const PipelineSpec& spec, Epoch pass) {
  using namespace megatron_pretraining_batch_sampler;
  const std::int64_t left = epochSamples(spec) - megatronBridgeConsumed(spec, pass) % epochSamples(spec);
  return distributedSamples(left, globalBatch(spec), flag(spec, "drop_last"));
}

SamplerRule megatronBridgePretrainingBatchSampler() {
  using namespace megatron_pretraining_batch_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .drop_last = "drop_last",
                     .consumed = "consumed_samples",
                     .global_batch = "global_batch_size",
                     .knows_peers = true},
          .claims = claims,
          .unread = unread,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
