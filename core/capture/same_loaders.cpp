// SPDX-License-Identifier: Apache-2.0
#include "core/capture/same_loaders.h"

#include <algorithm>

namespace shardlens::capture {
namespace {

/// The epoch that the sampler was told before this pass.
std::optional<std::int64_t> toldEpoch(const PassFacts& pass) {
  const bool is_told = pass.epoch && (pass.set_epoch_calls > 0 || *pass.epoch > 0);
  return is_told ? pass.epoch : std::nullopt;
}

bool haveSameParameters(const SamplerFacts& a, const SamplerFacts& b) {
  const auto without_epoch = [](const SamplerFacts& sampler) {
    auto values = sampler.values;
    values.erase("epoch");
    return values;
  };
  if (a.type != b.type || without_epoch(a) != without_epoch(b) || a.lists != b.lists) return false;
  return std::equal(a.samplers.begin(), a.samplers.end(), b.samplers.begin(), b.samplers.end(),
                    [](const auto& one, const auto& other) {
                      return one.first == other.first && haveSameParameters(one.second, other.second);
                    });
}

bool haveSameParameters(const std::optional<SamplerFacts>& a, const std::optional<SamplerFacts>& b) {
  return a.has_value() == b.has_value() && (!a || haveSameParameters(*a, *b));
}

const LoaderFacts* loaderOf(const ProcessFacts& process, const PassFacts& pass) {
  const auto found = std::find_if(process.loaders.begin(), process.loaders.end(),
                                  [&pass](const LoaderFacts& one) { return one.number == pass.loader; });
  return found == process.loaders.end() ? nullptr : &*found;
}

/// Loaders that are alike and were read at the same time, as in zip(one, other).
std::set<std::int64_t> readAtOnce(const ProcessFacts& process) {
  std::set<std::int64_t> found;
  for (auto pass = process.passes.begin(); pass != process.passes.end(); ++pass) {
    const LoaderFacts* const one = loaderOf(process, *pass);
    for (auto later = pass + 1; later != process.passes.end() && later->number <= pass->newest_beside; ++later) {
      const LoaderFacts* const other = loaderOf(process, *later);
      if (one != nullptr && other != nullptr && one->number != other->number && areAlike(*one, *other))
        found.insert({one->number, other->number});
    }
  }
  return found;
}

}  // namespace

std::string samplerType(const LoaderFacts& loader) {
  const auto& sampler = loader.batch_size ? loader.sampler : loader.batch_sampler;
  return sampler ? sampler->type : loader.sampler ? loader.sampler->type : "";
}

bool areAlike(const LoaderFacts& a, const LoaderFacts& b) {
  return a.site == b.site && a.dataset_type == b.dataset_type && a.dataset_length == b.dataset_length &&
         a.batch_size == b.batch_size && samplerType(a) == samplerType(b);
}

std::size_t SameLoaders::add(const LoaderFacts& loader) {
  loaders_.push_back({loader, std::nullopt});
  return loaders_.size() - 1;
}

std::size_t SameLoaders::find(const PassFacts& pass, const LoaderFacts& loader) {
  if (alone_.contains(loader.number)) return add(loader);
  const auto told = toldEpoch(pass);
  for (std::size_t i = loaders_.size(); i > 0; --i) {
    const Same& same = loaders_[i - 1];
    if (!areAlike(same.latest, loader) || alone_.contains(same.latest.number)) continue;
    const bool begins_again = told && same.told && *told <= *same.told;
    if (begins_again && !(haveSameParameters(same.latest.sampler, loader.sampler) &&
                          haveSameParameters(same.latest.batch_sampler, loader.batch_sampler)))
      continue;
    return i - 1;
  }
  return add(loader);
}

std::size_t SameLoaders::of(const PassFacts& pass, const LoaderFacts& loader) {
  auto known = known_.find(loader.number);
  if (known == known_.end()) {
    known = known_.emplace(loader.number, find(pass, loader)).first;
  } else if (const LoaderFacts between = loaders_[known->second].latest; between.number != loader.number) {
    alone_.insert({loader.number, between.number});
    known_[between.number] = add(between);
    known->second = add(loader);
  }
  Same& same = loaders_[known->second];
  same.latest = loader;
  if (const auto told = toldEpoch(pass)) same.told = told;
  return known->second;
}

std::vector<std::optional<std::size_t>> loadersOfPasses(const ProcessFacts& process) {
  std::set<std::int64_t> alone = readAtOnce(process);
  while (true) {
    SameLoaders same(alone);
    std::vector<std::optional<std::size_t>> of;
    for (const PassFacts& pass : process.passes) {
      const LoaderFacts* const loader = loaderOf(process, pass);
      of.push_back(loader == nullptr ? std::nullopt : std::optional(same.of(pass, *loader)));
    }
    if (same.alone() == alone) return of;
    alone = same.alone();
  }
}

}  // namespace shardlens::capture
