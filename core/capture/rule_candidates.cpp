// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"
#include "core/capture/rule_search.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace shardlens::capture {
namespace {

constexpr std::size_t kMostVariants = 128;  ///< of one rule
constexpr const char* kBaseSeed = "seeds.base";

/// Values that some parameters have together, beside the usual ones.
struct Setting {
  std::vector<std::pair<std::string, Value>> values;
};

/// What the ranks pass as num_replicas and rank, where the sampler is told.
std::vector<Setting> replicaSettings(const sampling::SamplerTraits& traits, const PipelineSpec& base) {
  std::vector<Setting> settings = {Setting{}};
  if (traits.num_replicas.empty() || traits.rank.empty()) return settings;
  const auto add = [&](Value replicas, Value rank) {
    settings.push_back(
        {{{std::string(traits.num_replicas), std::move(replicas)}, {std::string(traits.rank), std::move(rank)}}});
  };
  if (base.worldSize() > 1) add(std::int64_t{1}, std::int64_t{0});
  if (base.world.nodes > 1) {
    add(std::string("ranks_per_node"), std::string("local_rank"));
    add(std::string("nodes"), std::string("node"));
  }
  return settings;
}

std::vector<Setting> settingsOf(const Field& field) {
  std::vector<Setting> settings = {Setting{}};
  const auto add = [&](Value value) {
    if (value != field.fallback) settings.push_back({{{field.key(), std::move(value)}}});
  };
  if (field.kind == FieldKind::Bool) {
    add(true);
    add(false);
  }
  if (field.kind == FieldKind::Choice) {
    for (const std::string& choice : field.choices) add(choice);
  }
  return settings;
}

/// Each setting with each one that is there; those that would be too many are left out.
void multiply(std::vector<RuleCandidate>& variants, const std::vector<Setting>& settings) {
  std::vector<RuleCandidate> all;
  for (const Setting& setting : settings) {
    for (const RuleCandidate& variant : variants) {
      if (all.size() >= kMostVariants) break;
      RuleCandidate one = variant;
      for (const auto& [key, value] : setting.values) one.spec.sampler.parameters[key] = value;
      one.changes += setting.values.empty() ? 0 : 1;
      all.push_back(std::move(one));
    }
  }
  variants = std::move(all);
}

bool takes(const SamplerInfo& info, std::string_view key) {
  return std::any_of(info.parameters.begin(), info.parameters.end(), [key](const Field& field) {
    return field.key() == key && sampling::withoutRankSeeds(field).kind == FieldKind::Int;
  });
}

bool runs(const RuleCandidate& candidate) {
  const auto checked = guarded([&]() -> Result<bool> {
    if (auto fine = candidate.rule->check(candidate.spec); !fine) return fine.error();
    return true;
  });
  return checked.has_value();
}

/// Whether another seed there is another order.
bool decides(RuleCandidate candidate, const std::string& seed) {
  candidate.seed = seed;
  if (!setSeed(candidate, 1) || !runs(candidate)) return false;
  const sampling::OrderKey one = candidate.rule->key(candidate.spec, Epoch{0}, Rank{0});
  return setSeed(candidate, 2) && candidate.rule->key(candidate.spec, Epoch{0}, Rank{0}) != one;
}

void findSeed(RuleCandidate& candidate) {
  const SamplerInfo& info = candidate.rule->info;
  const std::string own(candidate.rule->traits.seed);
  if (!own.empty() && takes(info, own) && decides(candidate, own)) {
    candidate.seed = own;
  } else if (takes(info, "generator_seed") && decides(candidate, "generator_seed")) {
    candidate.seed = "generator_seed";
  } else if (decides(candidate, kBaseSeed)) {
    candidate.seed = kBaseSeed;
  }
}

void addRule(const sampling::SamplerRule& rule, const PipelineSpec& base, std::vector<RuleCandidate>& all) {
  RuleCandidate first{0, &rule, base, 0, {}};
  first.spec.sampler = {rule.info.type, {}};
  if (first.spec.seeds.rule == "unseeded") first.spec.seeds = {0, "same"};
  if (rule.claims(first.spec).is_stream) return;
  std::vector<RuleCandidate> variants = {std::move(first)};
  multiply(variants, replicaSettings(rule.traits, base));
  for (const Field& field : rule.info.parameters) multiply(variants, settingsOf(field));
  for (RuleCandidate& variant : variants) {
    if (!runs(variant)) continue;
    findSeed(variant);
    if (variant.seed == kBaseSeed && base.worldSize() > 1) {
      RuleCandidate apart = variant;
      apart.spec.seeds.rule = "base+rank";
      ++apart.changes;
      all.push_back(std::move(apart));
    }
    all.push_back(std::move(variant));
  }
}

}  // namespace

std::vector<RuleCandidate> ruleCandidates(const PipelineSpec& base) {
  std::vector<RuleCandidate> all;
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    if (rule.info.type != sampling::kRecordedBatches) addRule(rule, base, all);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const RuleCandidate& a, const RuleCandidate& b) { return a.changes < b.changes; });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].number = static_cast<std::int64_t>(i) + 1;
  return all;
}

bool setSeed(RuleCandidate& candidate, std::int64_t seed) {
  if (candidate.seed == kBaseSeed) {
    candidate.spec.seeds.base = seed;
    return true;
  }
  const auto& parameters = candidate.rule->info.parameters;
  const auto field =
      std::find_if(parameters.begin(), parameters.end(), [&](const Field& one) { return one.key() == candidate.seed; });
  if (field == parameters.end() || checkValue(*field, Value(seed))) return false;
  candidate.spec.sampler.parameters[candidate.seed] = seed;
  return true;
}

}  // namespace shardlens::capture
