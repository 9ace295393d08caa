// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/mmdet/sources.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/endless_stream.h"
#include "core/sampling/torch/shard_streams.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace mmdet_multi_source_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmdet.MultiSourceSampler",
      marked("samplers",
             "Makes each batch of fixed numbers of samples out of several datasets, which are the entries of "
             "dataset.shards; endless."),
      {mmdetRatioField(), mmdetShuffleField(), mmdetSeedField(), samplesPerEpochField()},
      {marked("samplers",
              "All datasets use the same seed: those of equal size are permuted alike, and a batch pairs the same "
              "places in every run."),
       marked("samplers", "A dataset whose share of a batch rounds to nothing keeps the sampler searching forever."),
       marked("samplers", "It saves no position: a resumed run reads the streams from their beginning again.")},
      {"dataset.shards"}};
  return kInfo;
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const bool shuffle = boolParameter(spec, info(), "shuffle");
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  return {info().type + (shuffle ? "" : " in order"), shuffle ? seed : 0, static_cast<std::uint64_t>(epoch.value)};
}

/// What a rank takes in this epoch, behind what it took before.
Result<void> take(const PipelineSpec& spec, const OrderKey& key, std::int64_t rank, std::vector<std::int64_t>& ids,
                  const Work& work) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const std::vector<std::int64_t> counts = mmdetCounts(spec, info());
  std::vector<MmdetLaps> sources;
  std::vector<std::int64_t> place(counts.size(), rank);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::vector<SampleIndex> samples(static_cast<std::size_t>(starts[i + 1] - starts[i]));
    std::iota(samples.begin(), samples.end(), starts[i]);
    sources.emplace_back(spec, std::move(samples), key.seed, key.recipe == info().type);
  }
  const std::int64_t each = samplesPerEpoch(spec, info());
  const std::int64_t before = static_cast<std::int64_t>(key.skip) * each;
  std::int64_t taken = 0;
  for (std::size_t source = 0; taken < before + each; source = (source + 1) % counts.size()) {
    if (work.stopped()) return cancelled();
    for (std::int64_t i = 0; i < counts[source]; ++i, ++taken) {
      const SampleIndex sample = sources[source].at(std::exchange(place[source], place[source] + spec.worldSize()));
      if (taken >= before && taken < before + each) ids.push_back(sample);
    }
  }
  return {};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  std::vector<std::int64_t> ids;
  Deal deal;
  for (std::int64_t rank = 0; rank < spec.worldSize(); ++rank) {
    const auto first = std::ssize(ids);
    if (auto done = take(spec, key, rank, ids, work); !done) return done.error();
    deal.shares.push_back({first, std::ssize(ids) - first});
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {samplesPerEpoch(spec, info()), 0};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::AnotherPass, .across_shares = RepeatCause::AnotherPass};
}

}  // namespace
}  // namespace mmdet_multi_source_sampler

SamplerRule mmdetMultiSourceSampler() {
  using namespace mmdet_multi_source_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
          .claims = claims,
          .left_out = always<MissingCause::NotDrawn>,
          .check = [](const PipelineSpec& spec) { return checkMmdetSources(spec, info()); },
          .key = key,
          .order = order,
          .shape = shape};
}

}  // namespace shardlens::sampling
