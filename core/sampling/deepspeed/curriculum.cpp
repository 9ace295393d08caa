// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/deepspeed/curriculum.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

namespace shardlens::sampling {

std::int64_t DeepSpeedMetric::difficultyAt(std::int64_t step, std::int64_t current) const {
  if (current >= max_difficulty) return current;
  if (!stages.empty()) {
    const auto stage =
        std::find_if(stages.begin(), stages.end() - 1, [step](const Stage& one) { return step <= one.max_step; });
    return stage->difficulty;
  }
  const double part = static_cast<double>(step) / static_cast<double>(total_step);
  const double risen = std::pow(part, 1.0 / static_cast<double>(root_degree));
  const auto range = static_cast<double>(max_difficulty - min_difficulty);
  const double reached = std::floor(risen * range + static_cast<double>(min_difficulty));
  if (reached >= static_cast<double>(max_difficulty) + static_cast<double>(difficulty_step)) return max_difficulty;
  const auto difficulty = static_cast<std::int64_t>(reached);
  return std::min(difficulty - difficulty % difficulty_step, max_difficulty);
}

std::optional<std::vector<std::int64_t>> DeepSpeedMetric::between(std::optional<std::int64_t> above,
                                                                  std::int64_t upto) const {
  const auto size = std::ssize(rising);
  if (by_percentile) {
    const std::int64_t share = size / max_difficulty;
    const std::int64_t end = upto == max_difficulty ? size : std::min(size, share * upto);
    const std::int64_t first = std::min(end, share * above.value_or(0));
    return std::vector<std::int64_t>(rising.begin() + first, rising.begin() + end);
  }
  const auto value = [this](std::int64_t sample) { return values[static_cast<std::size_t>(sample)]; };
  const auto end = std::ranges::upper_bound(rising, static_cast<double>(upto), {}, value);
  const auto first =
      above ? std::ranges::upper_bound(rising.begin(), end, static_cast<double>(*above), {}, value) : rising.begin();
  if (first == end) return std::nullopt;
  return std::vector<std::int64_t>(first, end);
}

DeepSpeedCurriculum::DeepSpeedCurriculum(std::int64_t samples, std::int64_t global_batch, std::uint64_t seed,
                                         std::vector<DeepSpeedMetric> metrics)
    : samples_(samples),
      global_batch_(global_batch),
      generator_(seed),
      metrics_(std::move(metrics)),
      difficulties_(metrics_.size()) {
  for (const DeepSpeedMetric& metric : metrics_) scheduled_.push_back(metric.min_difficulty);
}

bool DeepSpeedCurriculum::advance(std::vector<std::optional<std::int64_t>>& before) {
  ++step_;
  bool changed = false;
  before = difficulties_;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    scheduled_[i] = metrics_[i].difficultyAt(step_, scheduled_[i]);
    changed = changed || difficulties_[i] != scheduled_[i];
    difficulties_[i] = scheduled_[i];
  }
  return changed;
}

std::vector<std::int64_t> DeepSpeedCurriculum::all() const {
  std::vector<std::int64_t> samples(static_cast<std::size_t>(samples_));
  std::iota(samples.begin(), samples.end(), std::int64_t{0});
  return samples;
}

/// Of several clustered metrics: the samples that are easy enough by each of them, less those of earlier clusters.
/// A first metric without such samples is passed over; a later one cannot be intersected.
Result<DeepSpeedCurriculum::Samples> DeepSpeedCurriculum::commonSamples() const {
  Samples common;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    Samples own = metrics_[i].clustered ? metrics_[i].between(std::nullopt, *difficulties_[i]) : Samples(all());
    if (!common) {
      common = std::move(own);
      continue;
    }
    if (!own) {
      return raised("TypeError", "'<' not supported between instances of 'NoneType' and 'int'", "sampler.metrics",
                    worded("checks", "raise min_difficulty until each metric has samples that are easy enough"));
    }
    std::ranges::sort(*common);
    std::ranges::sort(*own);
    std::vector<std::int64_t> both;
    std::ranges::set_intersection(*common, *own, std::back_inserter(both));
    common = std::move(both);
  }
  std::vector<bool> known(static_cast<std::size_t>(samples_));
  for (const Cluster& cluster : clusters_) {
    for (const std::int64_t sample : cluster.samples) known[static_cast<std::size_t>(sample)] = true;
  }
  if (common) std::erase_if(*common, [&](std::int64_t sample) { return known[static_cast<std::size_t>(sample)]; });
  return common;
}

Result<DeepSpeedCurriculum::Samples> DeepSpeedCurriculum::newSamples(
    const std::vector<std::optional<std::int64_t>>& before) const {
  if (std::ranges::count_if(metrics_, &DeepSpeedMetric::clustered) > 1) return commonSamples();
  Samples added = clusters_.empty() ? Samples(all()) : std::nullopt;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (metrics_[i].clustered) added = metrics_[i].between(before[i], *difficulties_[i]);
  }
  return added;
}

/// What is left of the cluster, and when that is too little the beginning of a new permutation of it, once.
void DeepSpeedCurriculum::take(Cluster& cluster, std::size_t count, std::vector<std::int64_t>& batch) {
  const std::size_t size = cluster.samples.size();
  const std::size_t left = std::min(count, size - std::min(size, cluster.used));
  const auto first = cluster.samples.begin() + static_cast<std::ptrdiff_t>(std::min(size, cluster.used));
  batch.insert(batch.end(), first, first + static_cast<std::ptrdiff_t>(left));
  cluster.used += count;
  if (left == count) return;
  generator_.shuffle(std::span(cluster.samples));
  cluster.used = count - left;
  const auto more = static_cast<std::ptrdiff_t>(std::min(size, cluster.used));
  batch.insert(batch.end(), cluster.samples.begin(), cluster.samples.begin() + more);
}

Result<std::vector<std::int64_t>> DeepSpeedCurriculum::next() {
  std::vector<std::optional<std::int64_t>> before;
  if (advance(before)) {
    auto added = newSamples(before);
    if (!added) return added.error();
    if (*added && !(*added)->empty()) {
      generator_.shuffle(std::span(**added));
      clusters_.push_back({std::move(**added), 0});
    }
  }
  if (clusters_.empty()) {
    return raised("ValueError", "a must be a positive integer unless no samples are taken", "sampler.metrics",
                  worded("checks", "no sample is easy enough for the first step: raise min_difficulty"));
  }
  double held = 0;
  for (const Cluster& cluster : clusters_) held += static_cast<double>(cluster.samples.size());
  std::vector<double> shares;
  for (const Cluster& cluster : clusters_) shares.push_back(static_cast<double>(cluster.samples.size()) / held);
  std::vector<std::size_t> counts(clusters_.size());
  for (const std::int64_t drawn : generator_.choiceByWeight(shares, static_cast<std::size_t>(global_batch_)))
    ++counts[static_cast<std::size_t>(drawn)];
  std::vector<std::int64_t> batch;
  for (std::size_t i = 0; i < clusters_.size(); ++i) take(clusters_[i], counts[i], batch);
  generator_.shuffle(std::span(batch));
  return batch;
}

}  // namespace shardlens::sampling
