// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/numpy_legacy.h"
#include "core/sampling/mmdet/aspect_ratios.h"
#include "core/sampling/mmdet/sources.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/endless_stream.h"
#include "core/sampling/torch/shard_streams.h"
#include "core/spec/field_table.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace mmdet_group_multi_source_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmdet.GroupMultiSourceSampler",
      marked("samplers",
             "Makes each batch of fixed numbers of tall or of wide images out of one or two datasets, which are the "
             "entries of dataset.shards; endless."),
      {mmdetRatioField(), mmdetShuffleField(), mmdetSeedField(), mmdetAspectRatiosField(), samplesPerEpochField()},
      {marked("samplers",
              "Each rank draws by NumPy's global stream whether its next batch is tall or wide: ranks that seed NumPy "
              "apart work on images of different shapes in the same step."),
       marked("samplers",
              "Everything else in the process that draws from NumPy's global stream changes the groups that follow; "
              "the plan assumes that nothing does."),
       marked("samplers", "It saves no position: a resumed run reads the streams from their beginning again.")},
      {"dataset.shards"}};
  return kInfo;
}

constexpr std::size_t kGroups = 2;  // tall images, and wide ones

/// The images of each group of each dataset, by dataset.
std::vector<std::array<std::vector<SampleIndex>, kGroups>> groupsOf(const PipelineSpec& spec) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const NumberList ratios = mmdetAspectRatios(spec, info());
  std::vector<std::array<std::vector<SampleIndex>, kGroups>> groups(starts.size() - 1);
  for (std::size_t source = 0; source < groups.size(); ++source) {
    for (SampleIndex image = starts[source]; image < starts[source + 1]; ++image)
      groups[source][mmdetIsWide(ratios, image) ? 1 : 0].push_back(image);
  }
  return groups;
}

Result<void> check(const PipelineSpec& spec) {
  if (auto ratios = checkMmdetAspectRatios(spec, info()); !ratios) return ratios;
  if (auto sources = checkMmdetSources(spec, info()); !sources) return sources;
  const auto groups = groupsOf(spec);
  if (groups.size() > 2) {
    return raised("IndexError", "list index out of range", "dataset.shards",
                  worded("checks", "the class takes one dataset or two"));
  }
  for (std::size_t group = 0; groups.size() == 2 && group < kGroups; ++group) {
    if (groups[0][group].empty() == groups[1][group].empty()) continue;
    return Error{ErrorCode::BadInput,
                 worded("checks",
                        "one dataset has no tall or no wide image and the other has: the first batch of them keeps the "
                        "sampler searching forever."),
                 {{}, 0, 0, "sampler.aspect_ratios"},
                 worded("checks", "give both datasets images of both groups")};
  }
  return {};
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const std::string numpy = " " + std::to_string(spec.seeds.base) + " " + spec.seeds.rule;
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  return {info().type + numpy, seed, static_cast<std::uint64_t>(epoch.value)};
}

/// A rank's streams, one for each group of each dataset, and NumPy's global stream, which picks the group of a batch.
class Reader {
 public:
  Reader(const PipelineSpec& spec, const OrderKey& key, Rank rank) : spec_(spec), rank_(rank) {
    const bool shuffle = boolParameter(spec, info(), "shuffle");
    std::array<std::size_t, kGroups> sizes = {};
    for (auto& source : groupsOf(spec)) {
      for (std::size_t group = 0; group < kGroups; ++group) {
        sizes[group] += source[group].size();
        laps_[group].push_back({MmdetLaps(spec, std::move(source[group]), key.seed, shuffle), rank.value});
      }
    }
    for (const std::size_t size : sizes)
      shares_.push_back(static_cast<double>(size) / static_cast<double>(spec.dataset.size));
  }

  /// Appends to `ids` the next batch, which begins in this epoch.
  void batch(std::int64_t epoch, std::vector<std::int64_t>& ids) {
    if (epoch_ < 0 || (seedsEachEpoch(spec_) && epoch_ != epoch))
      numpy_ = NumpyLegacy(static_cast<std::uint32_t>(scriptSeed(spec_, Epoch{epoch}, rank_)));
    epoch_ = epoch;
    const auto group = static_cast<std::size_t>(numpy_.choice(shares_, 1, true).front());
    const std::vector<std::int64_t> counts = mmdetCounts(spec_, info());
    for (std::size_t source = 0; source < counts.size(); ++source) {
      Lane& lane = laps_[group][source];
      for (std::int64_t i = 0; i < counts[source]; ++i)
        ids.push_back(lane.laps.at(std::exchange(lane.place, lane.place + spec_.worldSize())));
    }
  }

 private:
  struct Lane {
    MmdetLaps laps;
    std::int64_t place = 0;
  };

  const PipelineSpec& spec_;
  Rank rank_;
  std::array<std::vector<Lane>, kGroups> laps_;
  std::vector<double> shares_;
  NumpyLegacy numpy_{0};
  std::int64_t epoch_ = -1;
};

/// What all ranks take in this epoch; a batch that an epoch begins may reach into the next one.
Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::int64_t each = samplesPerEpoch(spec, info());
  const std::int64_t before = static_cast<std::int64_t>(key.skip) * each;
  std::vector<std::int64_t> ids;
  Deal deal;
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    if (auto seed = checkNumpyRankSeed(spec, rank); !seed) return seed.error();
    Reader reader(spec, key, rank);
    std::vector<std::int64_t> batch;
    deal.shares.push_back({std::ssize(ids), each});
    for (std::int64_t taken = 0; taken < before + each; taken += std::ssize(batch)) {
      if (work.stopped()) return cancelled();
      batch.clear();
      reader.batch(taken / each, batch);
      for (std::int64_t i = 0; i < std::ssize(batch); ++i) {
        if (taken + i >= before && taken + i < before + each) ids.push_back(batch[static_cast<std::size_t>(i)]);
      }
    }
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {samplesPerEpoch(spec, info()), 0};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  // The group of a batch comes from NumPy's global stream: only with equal seeds do all ranks of a step take the same.
  return {.divides = true,
          .needs_equal_seeds = true,
          .in_order = RepeatCause::AnotherPass,
          .across_shares = RepeatCause::AnotherPass};
}

}  // namespace
}  // namespace mmdet_group_multi_source_sampler

SamplerRule mmdetGroupMultiSourceSampler() {
  using namespace mmdet_group_multi_source_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch", .draws_from_numpy = true},
          .claims = claims,
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = key,
          .order = order,
          .shape = shape,
          .check_rank = checkNumpyRankSeed};
}

}  // namespace shardlens::sampling
