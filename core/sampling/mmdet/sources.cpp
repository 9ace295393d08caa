// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/mmdet/sources.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/endless_stream.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/shard_streams.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

std::vector<double> ratiosOf(const PipelineSpec& spec, const SamplerInfo& info) {
  const Value given = parameter(spec, info, "source_ratio");
  const auto* list = std::get_if<NumberList>(&given);
  if (list == nullptr) return std::vector<double>(shardStarts(spec).size() - 1, 1);
  return {list->begin(), list->end()};
}

}  // namespace

Field mmdetRatioField() {
  return {.path = "sampler.source_ratio",
          .kind = FieldKind::Numbers,
          .fallback = std::string("equal"),
          .min = 0,
          .max = INT64_MAX,
          .choices = {"equal"},
          .help = marked("fields", "Shares of the datasets in a batch; what rounding leaves goes to the first one.")};
}

Field mmdetShuffleField() {
  return boolField("sampler.shuffle", true, marked("fields", "Permute each dataset on every lap."));
}

Field mmdetSeedField() {
  return seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                   marked("fields",
                          "Seed of each dataset's stream, used once. None draws a seed from the clock and shares it, "
                          "which cannot be predicted."));
}

std::vector<std::int64_t> mmdetCounts(const PipelineSpec& spec, const SamplerInfo& info) {
  const std::vector<double> ratios = ratiosOf(spec, info);
  const double sum = std::accumulate(ratios.begin(), ratios.end(), 0.0);
  const auto batch = static_cast<double>(spec.loader.batch_size);
  std::vector<std::int64_t> counts;
  counts.reserve(ratios.size());
  for (const double ratio : ratios) counts.push_back(static_cast<std::int64_t>(batch * ratio / sum));
  counts.front() = spec.loader.batch_size - std::accumulate(counts.begin() + 1, counts.end(), std::int64_t{0});
  return counts;
}

Result<void> checkMmdetSources(const PipelineSpec& spec, const SamplerInfo& info) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const std::vector<double> ratios = ratiosOf(spec, info);
  const char* const field = "sampler.source_ratio";
  if (ratios.size() + 1 != starts.size()) {
    return refused(worded("checks", "source_ratio needs one number for each entry of dataset.shards."), field,
                   worded("checks", "give as many numbers, or equal"));
  }
  if (std::ranges::none_of(ratios, [](double ratio) { return ratio > 0; }))
    return raised("ZeroDivisionError", "division by zero", field, worded("checks", "give a share above 0"));
  if (std::ranges::adjacent_find(starts) != starts.end()) {
    return refused(worded("checks", "an empty dataset keeps the sampler searching forever."), "dataset.shards",
                   worded("checks", "give each at least one sample"));
  }
  if (std::ranges::any_of(mmdetCounts(spec, info), [](std::int64_t count) { return count == 0; })) {
    return refused(worded("checks", "a dataset has no sample in a batch, which keeps the sampler searching forever."),
                   field, worded("checks", "raise its share, or loader.batch_size"));
  }
  return checkEndless(spec, {true, 0, samplesPerEpoch(spec, info)});
}

MmdetLaps::MmdetLaps(const PipelineSpec& spec, std::vector<SampleIndex> samples, std::uint64_t seed, bool shuffle)
    : samples_(std::move(samples)),
      rule_(randpermRule(spec, std::ssize(samples_))),
      generator_(seed),
      shuffle_(shuffle),
      places_(samples_.size()) {}

SampleIndex MmdetLaps::at(std::int64_t place) {
  const std::int64_t size = std::ssize(places_);
  for (; lap_ <= place / size; ++lap_) {
    if (shuffle_) {
      (void)torchRandperm(generator_, std::span(places_), {}, rule_);
    } else {
      std::iota(places_.begin(), places_.end(), std::int64_t{0});
    }
  }
  return samples_[static_cast<std::size_t>(places_[static_cast<std::size_t>(place % size)])];
}

}  // namespace shardlens::sampling
