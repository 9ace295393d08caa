// SPDX-License-Identifier: Apache-2.0
#include "core/audit/epoch_repeats.h"

#include "core/sampling/registry.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

constexpr std::int64_t kMostKeys = 100'000;     ///< (epoch, rank) pairs whose orders are named
constexpr std::int64_t kMostItems = 2'000'000;  ///< items that are read to be sure about a small dataset

using EpochName = std::vector<std::pair<sampling::OrderKey, std::int64_t>>;

/// The orders that the ranks draw from and how many items they take, by rank. Equal names are equal epochs: apart from
/// epochs that are cut short, a rank's view of its order depends on the spec only, and so do its batches.
EpochName nameOf(const Plan& plan, Epoch epoch) {
  const sampling::SamplerRule& rule = *sampling::findRule(plan.spec().sampler.type);
  EpochName name;
  name.reserve(static_cast<std::size_t>(plan.worldSize()));
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const std::int64_t items = rule.shape == nullptr ? 0 : rule.shape(plan.spec(), epoch, rank).count;
    name.emplace_back(rule.key(plan.spec(), epoch, rank), items);
  }
  return name;
}

/// Long orders made from different seeds are never equal, short ones may be: two samples have only two orders. Of those
/// all items are compared, in as many epochs as that is quick for.
constexpr std::int64_t kChanceSize = 20;

std::int64_t comparedEpochs(const Plan& plan, std::int64_t epochs) {
  const std::int64_t keys = kMostKeys / plan.worldSize();
  const std::int64_t size = std::max<std::int64_t>(1, plan.spec().dataset.size);
  const std::int64_t most = size > kChanceSize ? keys : std::min(keys, kMostItems / plan.worldSize() / size);
  return std::min({epochs, plan.epochs(), std::max<std::int64_t>(2, most)});
}

Result<std::vector<std::uint64_t>> fingerprintsOf(const Plan& plan, Epoch epoch, const Work& work) {
  std::vector<std::uint64_t> out;
  for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) {
    const auto items = plan.rankEpoch(epoch, Rank{rank}, work);
    if (!items) return items.error();
    out.push_back(items->fingerprint());
  }
  return out;
}

template <class Name>
void record(std::map<Name, std::int64_t>& known, Name name, EpochRepeats& repeats) {
  const auto epoch = static_cast<std::int64_t>(repeats.same_as.size());
  repeats.same_as.push_back(known.try_emplace(std::move(name), epoch).first->second);
}

}  // namespace

Result<EpochRepeats> epochRepeats(const Plan& plan, std::int64_t epochs, const Work& work) {
  EpochRepeats repeats;
  repeats.epochs = comparedEpochs(plan, epochs);
  const bool small = plan.spec().dataset.size <= kChanceSize;
  std::map<EpochName, std::int64_t> names;
  std::map<std::vector<std::uint64_t>, std::int64_t> prints;
  for (std::int64_t epoch = 0; epoch < repeats.epochs; ++epoch) {
    if (work.stopped()) return cancelled();
    if (!small) {
      record(names, nameOf(plan, Epoch{epoch}), repeats);
      continue;
    }
    auto print = fingerprintsOf(plan, Epoch{epoch}, work);
    if (!print) return print.error();
    record(prints, *std::move(print), repeats);
  }
  return repeats;
}

}  // namespace shardlens
