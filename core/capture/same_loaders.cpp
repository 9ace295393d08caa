// SPDX-License-Identifier: Apache-2.0
#include "core/capture/same_loaders.h"

#include "core/capture/job_loaders.h"

#include <algorithm>
#include <utility>

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
  const auto found = std::ranges::find(process.loaders, pass.loader, &LoaderFacts::number);
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

std::int64_t begunAt(const RankLoader& rank) {
  return rank.passes.front().time_ns;
}

/// From when until when the process of a rank is known to have lived, by the clock of its host.
std::pair<std::int64_t, std::int64_t> lifeOf(const ProcessFacts& process) {
  std::int64_t first = process.begun_ns;
  std::int64_t last = process.ended_ns;
  for (const PassFacts& pass : process.passes) {
    first = first == 0 ? pass.time_ns : std::min(first, pass.time_ns);
    last = std::max(last, pass.time_ns);
  }
  return {first, last};
}

/// Whether both processes lived at one time; false where that is not known, as on hosts with different clocks.
bool livedAtOnce(const ProcessFacts& a, const ProcessFacts& b) {
  const auto [a_first, a_last] = lifeOf(a);
  const auto [b_first, b_last] = lifeOf(b);
  return a.host == b.host && a_first < b_last && b_first < a_last;
}

bool anyTwice(const std::vector<RankLoader>& ranks) {
  std::set<std::int64_t> seen;
  return !std::ranges::all_of(ranks, [&seen](const RankLoader& rank) { return seen.insert(rank.rank).second; });
}

bool areAtOnce(const Start& a, const Start& b, const std::vector<ProcessFacts>& processes) {
  return std::ranges::any_of(a.ranks, [&](const RankLoader& one) {
    return std::ranges::any_of(b.ranks, [&](const RankLoader& other) {
      return livedAtOnce(processes[one.process], processes[other.process]);
    });
  });
}

void findAtOnce(std::vector<Start>& starts, const std::vector<ProcessFacts>& processes) {
  for (std::size_t i = 1; i < starts.size(); ++i) {
    const bool at_once = areAtOnce(starts[i - 1], starts[i], processes);
    starts[i].at_once = starts[i].at_once || at_once;
    starts[i - 1].at_once = starts[i - 1].at_once || at_once;
  }
}

}  // namespace

std::string samplerType(const LoaderFacts& loader) {
  const auto& sampler = loader.batch_size ? loader.sampler : loader.batch_sampler;
  return sampler ? sampler->type : loader.sampler ? loader.sampler->type : "";
}

LoaderKind kindOf(const LoaderFacts& loader) {
  return {loader.dataset_type, loader.dataset_length, loader.batch_size, samplerType(loader)};
}

bool areAlike(const LoaderFacts& a, const LoaderFacts& b) {
  return a.site == b.site && kindOf(a) == kindOf(b);
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

std::string rendezvousOf(std::int64_t world_size, const ProcessFacts& process) {
  std::string text = std::to_string(world_size);
  for (const char* const name : {"MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT"}) {
    const auto found = process.environment.find(name);
    text += "\n" + (found == process.environment.end() ? std::string() : found->second);
  }
  return text;
}

std::vector<Start> startsOf(std::vector<RankLoader> ranks, const std::vector<ProcessFacts>& processes) {
  if (!anyTwice(ranks)) return {Start{std::move(ranks)}};
  std::ranges::stable_sort(ranks, {}, begunAt);
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> times;  // how often a rank came in a rendezvous
  std::map<std::pair<std::string, std::int64_t>, std::size_t> place;   // of a rendezvous and how many-th
  std::vector<Start> starts;
  for (RankLoader& rank : ranks) {
    const std::string rendezvous = rendezvousOf(rank.world_size, processes[rank.process]);
    const std::int64_t time = times[{rendezvous, rank.rank}]++;
    const auto at = place.try_emplace({rendezvous, time}, starts.size());
    if (at.second) starts.emplace_back();
    starts[at.first->second].ranks.push_back(std::move(rank));
  }
  findAtOnce(starts, processes);
  return starts;
}

}  // namespace shardlens::capture
