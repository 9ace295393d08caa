// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/torch_generator.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <string>

namespace shardlens::sampling {
namespace nanogpt_get_batch {
namespace {

constexpr std::int64_t kMostSteps = 100'000'000;
constexpr std::int64_t kMostTokens = 1'000'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "nanogpt.get_batch",
      marked("samplers",
             "Draws each batch as random offsets into the token file, with replacement and without epochs; "
             "dataset.size counts tokens, and a sample is the token that a row begins with."),
      {
          intField("sampler.block_size", 8, 1, kMostTokens, "tokens",
                   marked("fields", "Tokens in a row of the batch.")),
          intOrNameField("sampler.batches_per_epoch", "one_pass", 1, kMostSteps, "batches",
                         marked("fields",
                                "Calls for the training file on each rank that the plan shows as an epoch; one_pass "
                                "draws as many offsets on all ranks together as the file has tokens, rounded up to "
                                "whole batches.")),
          intField("sampler.outputs_before", 0, 0, INT64_MAX / 4, "",
                   marked("fields",
                          "Outputs of torch's generator that other code consumed between torch.manual_seed and the "
                          "first call, such as the initialization of the model on the CPU.")),
      },
      {marked("samplers",
              "Only the seed tells ranks apart: the script seeds with 1337 + rank, so rank r of one run reads what "
              "rank 0 of a run with seed 1337 + r reads."),
       marked("samplers",
              "Initializing the model on the CPU, and each estimate of the loss on rank 0, draw from the same stream: "
              "the offsets depend on the model and on the evaluation settings."),
       marked("samplers", "A resumed run draws the first offsets again."),
       marked("samplers", "Offsets are drawn with replacement: an epoch's worth of batches does not cover the file.")},
  };
  return kInfo;
}

std::int64_t countOf(const PipelineSpec& spec) {
  const std::int64_t batch = spec.loader.batch_size;
  if (const auto batches = intIfGiven(spec, info(), "batches_per_epoch")) return *batches * batch;
  return distributedSamples(spec.dataset.size, spec.worldSize() * batch, false) * batch;
}

TorchRandint drawOf(const PipelineSpec& spec) {
  return {spec.framework.torch, 0, spec.dataset.size - intParameter(spec, info(), "block_size")};
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t offsets = spec.dataset.size - intParameter(spec, info(), "block_size");
  if (offsets > 0) return {};
  return raised("RuntimeError",
                "random_ expects 'from' to be less than 'to', but got from=0 >= to=" + std::to_string(offsets),
                "sampler.block_size", worded("checks", "the file must have more tokens than block_size"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const auto before = static_cast<std::uint64_t>(intParameter(spec, info(), "outputs_before"));
  const std::uint64_t epochs = seedsEachEpoch(spec) ? 0 : static_cast<std::uint64_t>(epoch.value);
  return {info().type, scriptSeed(spec, epoch, rank),
          before + epochs * static_cast<std::uint64_t>(countOf(spec)) * drawOf(spec).outputs()};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  const TorchRandint draw = drawOf(spec);
  return orderOfIds(countOf(spec), work, [&](std::int64_t /*place*/) { return draw(generator); });
}

/// A row cannot begin with one of the last block_size tokens.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  return [offsets = spec.dataset.size - intParameter(spec, info(), "block_size")](SampleIndex sample) {
    return sample < offsets ? MissingCause::NotDrawn : MissingCause::OutsideSubset;
  };
}

}  // namespace
}  // namespace nanogpt_get_batch

SamplerRule nanogptGetBatch() {
  using namespace nanogpt_get_batch;
  return {.info = info(),
          .claims = [](const PipelineSpec&) { return repeatsFor(RepeatCause::Replacement); },
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .slice = wholeOrder,
          .shape = sameShape<countOf>,
          .same_shapes = true,
          .batching = [](const PipelineSpec& spec) { return Batching::ofSize(spec.loader.batch_size, false); }};
}

}  // namespace shardlens::sampling
