// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/trl/samplers.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>

namespace shardlens::sampling {
namespace trl_repeat_sampler {
namespace {

constexpr std::int64_t kMostRepeats = 10'000;
constexpr std::int64_t kMostBatch = 1'000'000'000;
/// What a new torch.Generator is seeded with.
constexpr std::uint64_t kTorchDefaultSeed = 67280421310721;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "trl.RepeatSampler",
      marked("samplers",
             "Repeats chunks of a permutation, and each sample in them, so that GRPO compares several generations of "
             "one prompt."),
      {
          intField("sampler.mini_repeat_count", 2, -kMostRepeats, kMostRepeats, "",
                   marked("fields", "How often each sample comes in a row: the generations of a prompt.")),
          intField("sampler.batch_size", 1, 0, kMostBatch, "samples",
                   marked("fields", "Different samples in a chunk; a last chunk with fewer is dropped.")),
          intField("sampler.repeat_count", 1, -kMostRepeats, kMostRepeats, "",
                   marked("fields", "How often each chunk is handed out before the next one.")),
          boolField("sampler.shuffle", true, marked("fields", "Permute the dataset in every pass.")),
          seedOrNameField(
              "sampler.seed", "none", INT64_MIN, INT64_MAX,
              marked("fields",
                     "Seed of its own generator, set once; none is the fixed seed of a new torch.Generator, "
                     "not a random one.")),
      },
      {marked(
           "samplers",
           "Every rank gets the same list: the Trainer relies on Accelerate to divide its batches among the ranks, as "
           "accelerate.DataLoaderShard with this inner sampler shows."),
       marked("samplers",
              "The loader's batch is per_device_train_batch_size times steps_per_generation, so a whole generation "
              "batch is repeated, not new prompts (trl#3675, #4531, #4271)."),
       marked("samplers", "A last chunk of fewer than batch_size samples is dropped in each pass."),
       marked("samplers",
              "It has no set_epoch, and its generator is not saved: after a restart the first pass has the order of "
              "pass 0 again.")},
  };
  return kInfo;
}

/// Samples in whole chunks.
std::int64_t chunked(const PipelineSpec& spec) {
  const std::int64_t batch = intParameter(spec, info(), "batch_size");
  return spec.dataset.size / batch * batch;
}

/// How often each of them is handed out.
std::int64_t timesEach(const PipelineSpec& spec) {
  const auto positive = [&](const char* key) { return std::max<std::int64_t>(0, intParameter(spec, info(), key)); };
  return positive("mini_repeat_count") * positive("repeat_count");
}

std::int64_t countOf(const PipelineSpec& spec) {
  return chunked(spec) * timesEach(spec);
}

Result<void> check(const PipelineSpec& spec) {
  if (intParameter(spec, info(), "batch_size") == 0) {
    return raised("ZeroDivisionError", "integer division or modulo by zero", "sampler.batch_size",
                  worded("checks", "take 1 or more"));
  }
  const bool shortens =
      (intParameter(spec, info(), "mini_repeat_count") < 0) != (intParameter(spec, info(), "repeat_count") < 0);
  const bool none =
      intParameter(spec, info(), "mini_repeat_count") == 0 || intParameter(spec, info(), "repeat_count") == 0;
  if (!shortens || none || chunked(spec) == 0) return {};
  const bool mini = intParameter(spec, info(), "mini_repeat_count") < 0;
  return raised("ValueError", "__len__() should return >= 0",
                mini ? "sampler.mini_repeat_count" : "sampler.repeat_count", worded("checks", "take 0 or more"));
}

/// Passes draw from one generator, one after the other.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!boolParameter(spec, info(), "shuffle")) return {info().type + " in order", 0, 0};
  const auto seed = intIfGiven(spec, info(), "seed");
  return {info().type, seed ? static_cast<std::uint64_t>(*seed) : kTorchDefaultSeed,
          static_cast<std::uint64_t>(epoch.value)};
}

/// The dataset in the order of this pass.
Result<OrderPtr> passOf(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::int64_t size = spec.dataset.size;
  if (key.recipe != info().type) return Order::identity(size);
  return torchOrder(spec, {kRandperm, key.seed, key.skip * permutationOutputs(spec, size)}, work);
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto pass = passOf(spec, key, work.part(0, 0.5));
  if (!pass) return pass.error();
  const std::int64_t mini = intParameter(spec, info(), "mini_repeat_count");
  const std::int64_t batch = intParameter(spec, info(), "batch_size");
  const std::int64_t chunk = batch * timesEach(spec);
  return orderOfIds(countOf(spec), work,
                    [&](std::int64_t i) { return (**pass)[i / chunk * batch + i % chunk % (batch * mini) / mini]; });
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  return always(timesEach(spec) == 0 ? MissingCause::WeightZero : MissingCause::CutBySampler);
}

}  // namespace
}  // namespace trl_repeat_sampler

SamplerRule trlRepeatSampler() {
  using namespace trl_repeat_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .loader_part = LoaderPart::Other},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.in_order = RepeatCause::RepeatFactor}; },
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .slice = wholeOrder,
          .shape = sameShape<countOf>,
          .same_shapes = true};
}

namespace trl_repeat_random_sampler {
namespace {

constexpr std::int64_t kMostRepeats = 10'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "trl.RepeatRandomSampler",
      marked("samplers",
             "Repeats each sample of a permutation in a row, for GRPO in TRL 0.15; later releases have RepeatSampler."),
      {intField("sampler.repeat_count", 2, 0, kMostRepeats, "",
                marked("fields", "How often each sample comes in a row: the generations of a prompt."))},
      {marked("samplers",
              "It permutes with the global generator: ranks that seed torch apart draw different orders, and anything "
              "else that draws from torch changes them."),
       marked("samplers",
              "Every rank gets the whole list: the Trainer relies on Accelerate to divide its batches among the "
              "ranks.")},
  };
  return kInfo;
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank /*rank*/) {
  return permutationOutputs(spec, spec.dataset.size);
}

std::int64_t countOf(const PipelineSpec& spec) {
  return spec.dataset.size * intParameter(spec, info(), "repeat_count");
}

}  // namespace
}  // namespace trl_repeat_random_sampler

Result<OrderPtr> trlRepeatRandomOrder(const PipelineSpec& spec, TorchGenerator& generator, const Work& work) {
  using namespace trl_repeat_random_sampler;
  const std::int64_t size = spec.dataset.size;
  auto pass = torchPermutation(spec, size, generator, work.part(0, 0.5));
  if (!pass) return pass.error();
  const std::int64_t times = intParameter(spec, info(), "repeat_count");
  return orderOfIds(size * times, work,
                    [&](std::int64_t i) { return pass->items()[static_cast<std::size_t>(i / times)]; });
}

SamplerRule trlRepeatRandomSampler() {
  using namespace trl_repeat_random_sampler;
  return {.info = info(),
          .claims = [](const PipelineSpec&) { return SamplerClaims{.in_order = RepeatCause::RepeatFactor}; },
          .left_out = always<MissingCause::WeightZero>,
          .key = samplerStreamKey<info>,
          .order = drawnOrder<trlRepeatRandomOrder>,
          .slice = wholeOrder,
          .shape = sameShape<countOf>,
          .same_shapes = true,
          .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
