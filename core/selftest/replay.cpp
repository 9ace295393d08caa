// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/replay.h"

#include "core/selftest/by_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace shardlens::selftest {
namespace {

using nlohmann::json;

/// Numbers that nothing is counted by: they may have any size.
bool isNoCount(const std::string& key) {
  constexpr std::array<std::string_view, 4> kBounds = {"low", "high", "max_index", "set_epoch_before_first_pass"};
  return key.find("seed") != std::string::npos || std::ranges::find(kBounds, key) != kBounds.end();
}

/// Whether the value and all within it stay below `most`.
bool isSmall(const json& value, std::int64_t most) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
  if (value.is_number_integer()) return value.get<std::int64_t>() >= -most;
  if (value.is_object()) {
    const auto items = value.items();
    return std::ranges::all_of(
        items, [most](const auto& item) { return isNoCount(item.key()) || isSmall(item.value(), most); });
  }
  if (!value.is_array()) return true;
  return std::ranges::all_of(value, [most](const json& item) { return isSmall(item, most); });
}

/// Classes that make an epoch's order from a seed alone. Others walk through all that the epochs before have drawn.
bool reachesAnyEpoch(const std::string& sampler) {
  return sampler == "DistributedSampler" || sampler == "BatchSampler(DistributedSampler)" ||
         sampler == "UnrepeatedDistributedSampler" || sampler == "DistributedProxySampler" ||
         sampler == "SmartDistributedSampler" || sampler == "get_sampler" || sampler == "DistributedBatchSampler" ||
         sampler == "IterableDataset split_dataset_by_node + shuffle + DataLoader workers";
}

}  // namespace

bool Planner::allows(const VectorRow& row) const {
  const json* params = row.fields.find("params");
  const auto epoch = row.fields.integer("epoch");
  if (epoch && !allows(*epoch) && !reachesAnyEpoch(row.sampler)) return false;
  return params == nullptr || isSmall(*params, most_);
}

Result<RankEpoch> Planner::rankEpoch(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  type_ = spec.sampler.type;
  if (rank.value < 0 || (spec.worldSize() >= 1 && rank.value >= spec.worldSize()))
    return Error::of(ErrorCode::BadInput, "the row's rank is outside its world.");
  if (!last_ || !(last_->spec() == spec) || rank_ != rank) {
    Result<Plan> plan = Plan::make(spec, rank);
    if (!plan) return plan.error();
    if (!last_ || !(last_->spec() == spec)) last_ = std::move(*plan);
    rank_ = rank;
  }
  return last_->rankEpoch(epoch, rank);
}

Result<RankEpoch> Planner::rankEpoch(const PipelineSpec& spec, const VectorRow& row) {
  const auto pass = row.params.integer("iteration");
  const std::int64_t epoch = pass ? *pass : row.fields.integer("epoch").value_or(0);
  return rankEpoch(spec, Epoch{epoch}, Rank{row.fields.integer("rank").value_or(0)});
}

std::span<const Replay> replays() {
  constexpr std::vector<Replay> (*kParts[])() = {
      accelerateReplays, communityReplays, languageModelReplays, lightningReplays, namedReplays,
      numpyReplays,      pythonReplays,    streamingReplays,     torchReplays,     visionReplays,
  };
  static const std::vector<Replay> kReplays = [&] {
    std::vector<Replay> all;
    for (const auto part : kParts) {
      const auto rows = part();
      all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
  }();
  return kReplays;
}

RowVerdict replay(const VectorRow& row, Planner& planner) {
  if (!planner.allows(row)) return unsupported("a parameter or the epoch is too large to be replayed");
  for (const Replay& known : replays()) {
    if (known.framework != row.framework || known.sampler != row.sampler) continue;
    if (known.run != nullptr) return known.run(row, planner);
    const auto spec = specByName(row, known.type.empty() ? row.framework + "." + row.sampler : known.type, known.keys);
    return spec ? known.judge(row, planner.rankEpoch(*spec, row)) : unknownParameters();
  }
  return unsupported("no rule of this build is called " + row.framework + " " + row.sampler);
}

std::string torchRelease(const std::string& version) {
  const std::string release = version.substr(0, version.find('.', version.find('.') + 1));
  return release == "1.13" || release == "2.6" ? release : "2.9";
}

std::string torchReleaseIn(const std::string& version) {
  const std::size_t torch = version.rfind("torch ");
  return torchRelease(torch == std::string::npos ? version : version.substr(torch + 6));
}

PipelineSpec rowSpec(const VectorRow& row, std::int64_t size, std::int64_t ranks, std::int64_t batch_size) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, ranks};
  spec.loader.batch_size = batch_size;
  spec.framework.torch = torchReleaseIn(row.version);
  return spec;
}

}  // namespace shardlens::selftest
