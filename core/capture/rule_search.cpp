// SPDX-License-Identifier: Apache-2.0
#include "core/capture/rule_search.h"

#include "core/plan/plan.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace shardlens::capture {
namespace {

using sampling::OrderKey;

/// With fewer ids another seed may give the same ones, so that all seeds are tried.
constexpr std::int64_t kTellingIds = 64;
constexpr std::size_t kMostMatches = 200;
/// What a candidate costs beside the ids that it draws.
constexpr std::int64_t kLeastCost = 100;

/// Its orders follow from their keys alone, so that other such rules share them: they are cheap to try.
bool isCommon(const RuleCandidate& candidate) {
  return candidate.rule->order == sampling::torchOrder;
}

/// Orders of one seed, which many candidates share.
class Orders {
 public:
  explicit Orders(std::int64_t bound) : left_(bound) {}

  void forget() { orders_.clear(); }
  [[nodiscard]] bool isSpent() const { return left_ <= 0; }

  /// Null where the rule raises.
  Result<OrderPtr> get(const RuleCandidate& candidate, const OrderKey& key, const Work& work) {
    const std::pair place(isCommon(candidate) ? 0 : candidate.number, key);
    const auto found = orders_.find(place);
    if (found != orders_.end()) return found->second;
    auto drawn = guarded([&] { return candidate.rule->order(candidate.spec, key, {work.stop, {}}); });
    if (work.stopped()) return cancelled();
    OrderPtr order = drawn ? *std::move(drawn) : nullptr;
    left_ -= order == nullptr ? kLeastCost : std::max(kLeastCost, order->size());
    orders_[place] = order;
    return order;
  }

 private:
  std::map<std::pair<std::int64_t, OrderKey>, OrderPtr> orders_;  ///< by the number of a candidate, 0: of any
  std::int64_t left_;
};

/// How a candidate's batches are beside those of a pass.
struct Alike {
  bool ids = false;    ///< it gives these ids first
  bool ended = false;  ///< and no more in a pass that was read to its end
  bool batches = false;
};

/// The items that the sampler has left after the recorded ids may be a short batch that is not handed out.
bool endsThere(const RecordedPass& pass, std::int64_t items, std::int64_t batch_size) {
  const std::int64_t left = items - static_cast<std::int64_t>(pass.ids.size());
  return left >= 0 && (!pass.exhausted || left < std::max<std::int64_t>(1, batch_size));
}

bool batchesAlike(const RecordedPass& pass, const Batching& batching, std::int64_t items) {
  const auto count = static_cast<std::int64_t>(pass.ends.size());
  const std::int64_t planned = batching.count(items);
  if (count > planned || (pass.exhausted && count != planned)) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    const Batching::Range range = batching.range(Step{i}, items);
    const std::int64_t begin = i == 0 ? 0 : pass.ends[static_cast<std::size_t>(i - 1)];
    if (range.first != begin || range.last != pass.ends[static_cast<std::size_t>(i)]) return false;
  }
  return true;
}

/// Holds candidates against what was recorded.
class Comparison {
 public:
  Comparison(const std::vector<RecordedPass>& passes, Orders& orders, const Work& work)
      : passes_(passes), orders_(orders), work_(work) {
    bool all = true;
    bool other = false;
    bool is_set = false;
    for (const RecordedPass& pass : passes) {
      all = all && pass.epoch.value_or(-1) >= 0;
      other = other || pass.epoch != static_cast<std::int64_t>(pass.index);
      is_set = is_set || pass.epoch.value_or(0) > 0;
    }
    has_attribute_ = all && other && is_set;
  }

  Result<std::optional<RuleMatch>> match(const RuleCandidate& candidate) {
    for (const bool by_attribute : {false, true}) {
      if (by_attribute && !has_attribute_) continue;
      auto alike = compare(candidate, by_attribute);
      if (!alike) return alike.error();
      if (!alike->ids) continue;
      RuleMatch match{candidate.spec, alike->batches, by_attribute, candidate.seed};
      const bool is_ended = alike->ended;
      if (!match.batches_alike) {
        RuleCandidate dropping = candidate;
        dropping.number = -candidate.number;
        dropping.spec.loader.drop_last = true;
        alike = compare(dropping, by_attribute);
        if (!alike) return alike.error();
        if (alike->ids && alike->batches)
          match = {dropping.spec, true, by_attribute, candidate.seed};
        else if (!is_ended)
          continue;  // the ids are but the first of those that it gives
      }
      for (const RecordedPass& pass : passes_)
        match.spec.epochs = std::max(match.spec.epochs, epochOf(pass, by_attribute) + 1);
      if (Plan::make(match.spec)) return std::optional(std::move(match));
    }
    return std::optional<RuleMatch>();
  }

 private:
  [[nodiscard]] static std::int64_t epochOf(const RecordedPass& pass, bool by_attribute) {
    return by_attribute ? *pass.epoch : static_cast<std::int64_t>(pass.index);
  }

  Result<Alike> compare(const RuleCandidate& candidate, bool by_attribute) {
    Alike alike{true, true, true};
    for (const RecordedPass& pass : passes_) {
      const auto one = comparePass(candidate, pass, Epoch{epochOf(pass, by_attribute)});
      if (!one) return one.error();
      alike.ended = alike.ended && one->ended;
      alike.batches = alike.batches && one->batches;
      if (!one->ids) return Alike{};
    }
    return alike;
  }

  Result<Alike> comparePass(const RuleCandidate& candidate, const RecordedPass& pass, Epoch epoch) {
    const sampling::SamplerRule& rule = *candidate.rule;
    const Rank rank{pass.rank};
    if (rule.check_rank != nullptr && !rule.check_rank(candidate.spec, rank)) return Alike{};
    auto order = orders_.get(candidate, rule.key(candidate.spec, epoch, rank), work_);
    if (!order) return order.error();
    if (*order == nullptr) return Alike{};
    const OrderPtr& drawn = *order;
    const Slice slice = rule.slice(candidate.spec, epoch, rank, drawn);
    const std::int64_t items = slice.size();
    if (!endsThere(pass, items, candidate.spec.loader.batch_size)) return Alike{};
    for (std::size_t k = 0; k < pass.ids.size(); ++k) {
      if (slice.sample(static_cast<std::int64_t>(k)) != pass.ids[k]) return Alike{};
    }
    const auto& deal = drawn->deal();
    const bool lists = deal != nullptr && deal->lists_batches;
    const Batching batching = lists ? Batching::listed(deal, rank) : rule.batching(candidate.spec);
    const bool is_ended = !pass.exhausted || items == static_cast<std::int64_t>(pass.ids.size());
    return Alike{true, is_ended, batchesAlike(pass, batching, items)};
  }

  const std::vector<RecordedPass>& passes_;
  Orders& orders_;
  const Work& work_;
  bool has_attribute_ = false;
};

/// First those that were seen, then usual ones, then all from 0.
std::vector<std::int64_t> seedsToTry(const std::vector<std::int64_t>& seen, std::int64_t bound) {
  std::vector<std::int64_t> seeds = seen;
  for (const std::int64_t usual : {0, 1, 2, 3, 42, 1234, 1337, 2020, 2021, 2022, 2023, 2024, 2025, 2026, 3407, 12345})
    seeds.push_back(usual);
  for (std::int64_t seed = 0; seed < bound; ++seed) seeds.push_back(seed);
  std::set<std::int64_t> known;
  std::erase_if(seeds, [&known](std::int64_t seed) { return !known.insert(seed).second; });
  return seeds;
}

/// Frameworks whose samplers are torch's own, or vary them; those of others come with rules for batches of their own.
constexpr std::array<std::string_view, 3> kNearTorch = {"torch", "lightning", "datasets"};

/// What is told first: batches that are alike, torch's own classes and those near to them, few unusual values.
auto worth(const RuleMatch& match) {
  const std::string_view framework = sampling::frameworkOf(match.spec.sampler.type);
  const auto near = std::ranges::find(kNearTorch, framework) - kNearTorch.begin();
  return std::tuple(!match.batches_alike, near, match.spec.sampler.parameters.size());
}

/// Tries seed after seed, first those candidates that share their orders.
class Search {
 public:
  Search(const std::vector<RecordedPass>& passes, const PipelineSpec& recorded, const RuleSearchBounds& bounds,
         const Work& work)
      : work_(work),
        candidates_(ruleCandidates(recorded)),
        orders_(bounds.drawn_ids),
        comparison_(passes, orders_, work_) {}

  Result<void> run(const std::vector<std::int64_t>& seeds, RuleSearch& out) {
    double done = 0;
    for (const bool common : {true, false}) {
      for (std::size_t i = 0; i < seeds.size() && !orders_.isSpent(); ++i) {
        orders_.forget();
        if (auto tried = trySeed(seeds[i], i == 0, common, out); !tried) return tried;
        out.seeds = std::max(out.seeds, static_cast<std::int64_t>(i) + 1);
        work_.progress(++done / static_cast<double>(2 * seeds.size()));
        if (out.matches.empty() || out.ids < kTellingIds) continue;
        return common ? trySeed(seeds[i], true, false, out) : Result<void>();  // the others that give the same
      }
    }
    out.ended_early = orders_.isSpent();
    return {};
  }

 private:
  /// Every candidate that takes the seed; those without a seed are tried with the first one.
  Result<void> trySeed(std::int64_t seed, bool is_first, bool common, RuleSearch& out) {
    for (RuleCandidate& candidate : candidates_) {
      if (orders_.isSpent()) break;
      if (isCommon(candidate) != common) continue;
      if (candidate.seed.empty() ? !is_first : !setSeed(candidate, seed)) continue;
      ++out.tried;
      auto match = comparison_.match(candidate);
      if (!match) return match.error();
      if (*match && out.matches.size() < kMostMatches) out.matches.push_back(**std::move(match));
    }
    return {};
  }

  const Work& work_;
  std::vector<RuleCandidate> candidates_;
  Orders orders_;
  Comparison comparison_;
};

void count(const std::vector<RecordedPass>& passes, RuleSearch& out) {
  std::set<std::int64_t> ranks;
  for (const RecordedPass& pass : passes) {
    if (pass.ids.empty()) continue;
    out.ids += static_cast<std::int64_t>(pass.ids.size());
    out.passes = std::max(out.passes, static_cast<std::int64_t>(pass.index) + 1);
    ranks.insert(pass.rank);
  }
  out.ranks = static_cast<std::int64_t>(ranks.size());
}

void addInteger(std::uint64_t seed, std::vector<std::int64_t>& seeds) {
  if (seed <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}) seeds.push_back(static_cast<std::int64_t>(seed));
}

void addSeeds(const SamplerFacts& sampler, std::vector<std::int64_t>& seeds) {
  for (const auto& [key, value] : sampler.values) {
    const auto* number = std::get_if<std::int64_t>(&value);
    // The attributes of a class of the job's own: their names are all that is known of them.
    if (number != nullptr && key.find("seed") != std::string::npos) seeds.push_back(*number);
  }
  for (const auto& [key, generator] : sampler.generators) addInteger(generator.seed, seeds);
  for (const auto& [key, inner] : sampler.samplers) addSeeds(inner, seeds);
}

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
  return std::ranges::any_of(info.parameters, [key](const Field& field) {
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

Result<RuleSearch> searchRules(const std::vector<RecordedPass>& passes, const PipelineSpec& recorded,
                               const std::vector<std::int64_t>& seeds, const RuleSearchBounds& bounds,
                               const Work& work) {
  RuleSearch out;
  count(passes, out);
  const auto is_outside = [&](const RecordedPass& pass) { return pass.rank < 0 || pass.rank >= recorded.worldSize(); };
  if (out.ids == 0 || std::ranges::any_of(passes, is_outside)) return out;
  if (auto searched = Search(passes, recorded, bounds, work).run(seedsToTry(seeds, bounds.seeds), out); !searched)
    return searched.error();
  std::ranges::stable_sort(out.matches, {}, worth);
  return out;
}

std::vector<std::int64_t> seedsSeen(const JobLoader& job) {
  std::vector<std::int64_t> seeds;
  for (const RankLoader& rank : job.ranks) {
    if (rank.loader.sampler) addSeeds(*rank.loader.sampler, seeds);
    if (rank.loader.batch_sampler) addSeeds(*rank.loader.batch_sampler, seeds);
    if (rank.loader.generator) addInteger(rank.loader.generator->seed, seeds);
    for (const PassFacts& pass : rank.passes) {
      addInteger(pass.torch_seed, seeds);
      addInteger(pass.torch_seed - static_cast<std::uint64_t>(rank.rank), seeds);
      addInteger(pass.torch_seed % (std::uint64_t{1} << 32U), seeds);
      if (pass.order_seed) addInteger(*pass.order_seed, seeds);
    }
  }
  std::ranges::sort(seeds);
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  constexpr std::size_t kMost = 64;
  if (seeds.size() > kMost) seeds.resize(kMost);
  return seeds;
}

std::vector<RuleCandidate> ruleCandidates(const PipelineSpec& base) {
  std::vector<RuleCandidate> all;
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    if (rule.info.type != sampling::kRecordedBatches) addRule(rule, base, all);
  }
  std::ranges::stable_sort(all, {}, &RuleCandidate::changes);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].number = static_cast<std::int64_t>(i) + 1;
  return all;
}

bool setSeed(RuleCandidate& candidate, std::int64_t seed) {
  if (candidate.seed == kBaseSeed) {
    candidate.spec.seeds.base = seed;
    return true;
  }
  const auto& parameters = candidate.rule->info.parameters;
  const auto field = std::ranges::find(parameters, candidate.seed, &Field::key);
  if (field == parameters.end() || checkValue(*field, Value(seed))) return false;
  candidate.spec.sampler.parameters[candidate.seed] = seed;
  return true;
}

}  // namespace shardlens::capture
