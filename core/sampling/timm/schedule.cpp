// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/timm/schedule.h"

#include "core/random/torch_multinomial.h"
#include "core/random/torch_randperm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace shardlens::sampling {
namespace {

double real(std::int64_t number) {
  return static_cast<double>(number);
}

void normalize(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
}

/// torch.multinomial(weights, 1): the category with the largest weight / exponential variate.
std::size_t pick(TorchGenerator& generator, std::span<const double> weights, TorchMultinomialPath path) {
  std::uint32_t category = 0;
  if (path == TorchMultinomialPath::ExponentialMkl) {
    (void)torchMultinomial(generator, weights, path, {&category, 1});
    return category;
  }
  double best = -1;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    const double share = weights[i] / -std::log1p(-static_cast<double>(generator.random53()) * 0x1p-53);
    if (share > best) std::tie(best, category) = std::pair(share, i);
  }
  return category;
}

/// The first of the possible choices that are nearest to `centre`.
std::size_t nearest(std::span<const double> weights, double centre) {
  std::size_t best = weights.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double distance = std::abs(real(static_cast<std::int64_t>(i)) - centre);
    if (weights[i] > 0 && distance < least) std::tie(best, least) = std::pair(i, distance);
  }
  return best;
}

}  // namespace

std::vector<double> TimmChoices::weightsIn(std::int64_t epoch) const {
  if (!progressive || sizes.size() == 1) return weights;
  const double progress = schedule_epochs == 1 ? 1 : std::clamp(real(epoch) / real(schedule_epochs - 1), 0.0, 1.0);
  const double centre = progress * real(static_cast<std::int64_t>(sizes.size()) - 1);
  std::vector<double> distances;
  for (std::size_t i = 0; i < sizes.size(); ++i) distances.push_back(real(static_cast<std::int64_t>(i)) - centre);
  const double least =
      std::abs(*std::ranges::min_element(distances, {}, [](double distance) { return std::abs(distance); }));
  std::vector<double> now(sizes.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double scaled = distances[i] / spread;
    const double near = spread == 0 ? (std::abs(distances[i]) == least ? 1.0 : 0.0) : std::exp(-0.5 * scaled * scaled);
    now[i] = near * weights[i];
  }
  if (std::accumulate(now.begin(), now.end(), 0.0) > 0) {
    normalize(now);
  } else {
    now.assign(now.size(), 0);
    now[nearest(weights, centre)] = 1;
  }
  if (random_mix == 0) return normalize(now), now;
  const auto active = std::ranges::count_if(weights, [](double weight) { return weight > 0; });
  for (std::size_t i = 0; i < now.size(); ++i)
    now[i] = (1 - random_mix) * now[i] + random_mix * (weights[i] > 0 ? 1 / real(active) : 0);
  normalize(now);
  return now;
}

std::int64_t TimmChoices::fixedBatches(std::int64_t samples) const {
  if (num_batches > 0 || !progressive) return num_batches;
  if (std::ranges::count(sizes, sizes.front()) == std::ssize(sizes))
    return samples / sizes.front() + (!drop_last && samples % sizes.front() != 0 ? 1 : 0);
  double sum = 0;
  for (std::int64_t epoch = 0; epoch < schedule_epochs; ++epoch) {
    const std::vector<double> now = weightsIn(epoch);
    double expected = 0;
    for (std::size_t i = 0; i < now.size(); ++i) expected += now[i] * real(sizes[i]);
    sum += expected;
  }
  const double batches = real(samples) / (sum / real(schedule_epochs));
  return static_cast<std::int64_t>(drop_last ? std::floor(batches) : std::ceil(batches));
}

/// Drawn once, for all epochs: choices that still fit, until none does.
std::vector<TimmScheduled> TimmChoices::ofBudget(std::int64_t samples) const {
  TorchGenerator generator(seed);
  std::vector<TimmScheduled> batches;
  for (std::int64_t left = samples;;) {
    std::vector<double> fitting;
    std::vector<std::int64_t> choices;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (weights[i] <= 0 || sizes[i] > left) continue;
      fitting.push_back(weights[i]);
      choices.push_back(static_cast<std::int64_t>(i));
    }
    if (fitting.empty()) {
      if (left > 0 && !drop_last) batches.push_back({static_cast<std::int64_t>(pick(generator, weights, path)), left});
      return batches;
    }
    const std::int64_t choice = choices[pick(generator, fitting, path)];
    batches.push_back({choice, sizes[static_cast<std::size_t>(choice)]});
    left -= batches.back().size;
  }
}

std::vector<TimmScheduled> TimmChoices::ofNumber(std::int64_t batches, std::int64_t epoch) const {
  TorchGenerator generator(seed + 2 * static_cast<std::uint64_t>(epoch));
  const std::vector<double> now = weightsIn(epoch);
  std::vector<TimmScheduled> drawn;
  for (std::int64_t i = 0; i < batches; ++i) {
    const std::size_t choice = pick(generator, now, path);
    drawn.push_back({static_cast<std::int64_t>(choice), sizes[choice]});
  }
  return drawn;
}

std::vector<TimmScheduled> TimmChoices::schedule(std::int64_t samples, std::int64_t epoch) const {
  const std::int64_t number = fixedBatches(samples);
  std::vector<TimmScheduled> batches = number > 0 ? ofNumber(number, epoch) : ofBudget(samples);
  if (!shuffle || batches.size() < 2) return batches;
  std::vector<std::int64_t> places(batches.size());
  TorchGenerator generator(seed + 2 * static_cast<std::uint64_t>(epoch) + 1);
  (void)torchRandperm(generator, std::span(places), {}, torchRandpermRule(torch, places.size()));
  std::vector<TimmScheduled> ordered;
  for (const std::int64_t place : places) ordered.push_back(batches[static_cast<std::size_t>(place)]);
  return ordered;
}

}  // namespace shardlens::sampling
