// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/facts.h"

#include "core/sampling/distributed_share.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace shardlens {

using sampling::SamplerTrait;
using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kItemsLookedAt = 1000;

/// How often every sample is read; 0 where they are not read equally often, or too often to be counted.
std::int64_t timesEach(const Ledger& coverage) {
  constexpr std::int64_t kUncounted = 255;  // that often or more: Ledger::times_seen
  const auto& times = coverage.times_seen;
  const auto most = static_cast<std::int64_t>(times.size()) - 1;
  const bool alike = std::ranges::count_if(times, [](std::int64_t samples) { return samples > 0; }) == 1;
  return alike && most < kUncounted ? most : 0;
}

}  // namespace

Facts Facts::toldOf(std::size_t at, std::vector<std::int64_t> epochs) const {
  Facts facts(plan_, epochs_, at, loader_cuts_, report_, work_);
  facts.told_ = std::move(epochs);
  return facts;
}

std::optional<Value> Facts::parameter(SamplerTrait trait) const {
  if (!takes(trait)) return std::nullopt;
  const Field* field = findField(spec(), sampling::catalogue(), fieldOf(trait));
  return field == nullptr ? std::nullopt : std::optional(getValue(spec(), *field));
}

bool Facts::isOn(SamplerTrait trait) const {
  return parameter(trait) == Value(true);
}

std::string Facts::fieldOf(SamplerTrait trait) const {
  return "sampler." + std::string(takes(trait) ? traits().*trait : "type");
}

std::string Facts::orderSeedField() const {
  const std::string own = sampling::rankSeedPath(spec());
  return own.empty() ? "seeds.rule" : own;
}

Value Facts::numReplicas() const {
  return parameter(&SamplerTraits::num_replicas).value_or(std::string("world_size"));
}

std::int64_t Facts::replicas(Rank rank) const {
  return sampling::numberPassed(spec(), numReplicas(), rank);
}

std::pair<std::int64_t, std::int64_t> Facts::replicas() const {
  const std::vector<std::int64_t> all = sampling::replicasOfNodes(spec(), numReplicas());
  const auto [fewest, most] = std::ranges::minmax(all);
  return {fewest, most};
}

bool Facts::dividesAlike() const {
  const auto [fewest, most] = replicas();
  return fewest == most;
}

std::string Facts::rankArgument() const {
  return valueText(parameter(&SamplerTraits::rank).value_or(std::string("rank")));
}

bool Facts::passesRank() const {
  const std::string argument = rankArgument();
  return argument == "rank" || argument == "data_parallel_rank";
}

std::int64_t Facts::slicesRead() const {
  const std::string argument = rankArgument();
  if (argument == "rank") return worldSize();
  if (argument == "data_parallel_rank") return dataParallelSize();
  if (argument == "local_rank") return spec().world.mostRanksOnNode();
  return argument == "node" ? spec().world.nodes : 1;
}

bool Facts::passesOwnSlice() const {
  const Value passed = parameter(&SamplerTraits::rank).value_or(std::string("rank"));
  for (Rank rank{0}; rank.value < worldSize(); ++rank) {
    if (sampling::numberPassed(spec(), passed, rank) != spec().world.dataParallelRankOf(rank)) return false;
  }
  return true;
}

bool Facts::dealsToThisWorld() const {
  return dealsToReplicas() && replicas() == std::pair(dataParallelSize(), dataParallelSize()) && passesOwnSlice();
}

bool Facts::shuffles() const {
  const auto flag = parameter(&SamplerTraits::shuffle);  // elsewhere the name of a place, or a buffer's size
  if (flag && std::holds_alternative<bool>(*flag)) return isOn(&SamplerTraits::shuffle);
  if (takes(&SamplerTraits::generator)) return true;
  const auto items = plan_.rankEpoch(epoch(), Rank{0}, work_);
  if (!items) return true;
  for (std::int64_t k = 1; k < std::min(items->size(), kItemsLookedAt); ++k) {
    if (items->sample(k) <= items->sample(k - 1)) return true;
  }
  return false;
}

bool Facts::repeatsToBeEven() const {
  const std::int64_t again = coverage().repeats[RepeatCause::OverlappingRanks];
  const bool leaves_out = coverage().missing > 0 && !report().reads_all;
  if (!claims().is_recorded || leaves_out || again != coverage().repeats.total() || again >= worldSize()) return false;
  const auto has_share = [this](const RankEpochShape& rank) {
    return rank.samples * worldSize() == coverage().handed_out;
  };
  return std::ranges::all_of(shape().ranks, has_share);
}

std::int64_t Facts::smallestSlice() const {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  std::int64_t smallest = kNone;
  for (const RankEpochShape& rank : shape().ranks) {
    if (rank.samples > 0) smallest = std::min(smallest, rank.samples);
  }
  return smallest == kNone ? 0 : smallest;
}

std::optional<Division> Facts::division() const {
  const auto items = plan_.rankEpoch(epoch(), Rank{0}, work_);
  if (!items || items->slice().order()->deal() != nullptr || items->slice().block() != 1) return std::nullopt;
  const std::int64_t told = claims().slices;
  const std::int64_t slices = told > 0 ? told : dataParallelSize();
  if (!claims().divides || !dividesAlike() || items->slice().stride() != slices) return std::nullopt;
  return Division{items->slice().order()->size(), slices};
}

bool Facts::samplerListsBatches() const {
  // A stream's batches are the loader's, or those of its workers.
  if (loader_cuts_ || claims().is_stream || plan_.rule().workers_batch) return false;
  return plan_.rule().batching == sampling::loaderBatching;
}

bool Facts::readsInOrder() const {
  constexpr std::int64_t kMostItems = 1'000'000;
  std::int64_t left = kMostItems;
  for (Rank rank{0}; rank.value < worldSize() && left > 0; ++rank) {
    const auto items = plan_.rankEpoch(epoch(), rank, work_);
    if (!items) return false;
    const std::int64_t plain =
        items->handedOut() - static_cast<std::int64_t>(items->slice().addedAmong(items->handedOut()).size());
    for (std::int64_t k = 1; k < std::min(plain, left); ++k) {
      if (items->sample(k) <= items->sample(k - 1)) return false;
    }
    left -= plain;
  }
  return true;
}

bool Facts::hasAddedItems() const {
  for (Rank rank{0}; rank.value < worldSize(); ++rank) {
    const auto items = plan_.rankEpoch(epoch(), rank, work_);
    if (items && !items->slice().addedAmong(items->handedOut()).empty()) return true;
  }
  return false;
}

LoadingWorkers Facts::loadingWorkers() const {
  LoadingWorkers most;
  for (const AuditedEpoch& one : epochs_) {
    const LoadingWorkers here = shardlens::loadingWorkers(plan_, one.shape, work_);
    if (one.shape.epoch == epochs_.front().shape.epoch || here.count > most.count) most = here;
  }
  return most;
}

std::string Facts::epochsLike(const std::function<bool(const EpochShape& shape)>& like) const {
  std::vector<std::int64_t> epochs;
  for (const AuditedEpoch& one : epochs_) {
    if (!told_ && like(one.shape)) epochs.push_back(one.shape.epoch.value);
  }
  if (told_) epochs = *told_;
  return epochs.size() == epochs_.size() ? std::string() : words::epochsText(epochs, allEpochs());
}

bool Facts::countsForAll() const {
  const bool all = static_cast<std::int64_t>(report_.coverage.size()) == allEpochs();
  const sampling::SamplerRule& rule = plan_.rule();
  if (all || !rule.same_shapes || allEpochs() > plan_.epochs()) return all;
  if (isOn(&SamplerTraits::replacement)) return false;
  // What ranks with orders of their own share, and what they lose, is chance, unless each of them reads everything.
  const Epoch epoch{report_.coverage.front().epoch};
  const bool own_orders = worldSize() > 1 && rule.key(spec(), epoch, Rank{0}) != rule.key(spec(), epoch, Rank{1});
  const auto& times = report_.coverage.front().times_seen;
  const auto ranks = static_cast<std::size_t>(worldSize());
  return !own_orders || (ranks < times.size() && times[ranks] == spec().dataset.size);
}

std::string Facts::epochsAudited() const {
  std::vector<std::int64_t> epochs;
  for (const AuditedEpoch& one : epochs_) epochs.push_back(one.shape.epoch.value);
  return words::epochsText(epochs, allEpochs());
}

std::string Facts::neverRead(bool in_all) const {
  const RunLedger& run = report_.run;
  if (run.epochs < 2 || run.never_read == 0) return {};
  return words::neverReadText(run.never_read, run.first_epoch, run.epochs, allEpochs(), in_all);
}

Finding told(std::string code, FindingTopic topic, Severity severity, words::FindingWords words) {
  Finding finding;
  finding.code = std::move(code);
  finding.topic = topic;
  finding.severity = severity;
  finding.title = std::move(words.title);
  finding.message = std::move(words.message);
  finding.why = std::move(words.why);
  return finding;
}

Finding toldOf(const Facts& facts, std::string code, Severity severity, std::int64_t amount,
               const std::vector<SampleIndex>& ids, words::FindingWords words) {
  Finding finding = told(std::move(code), FindingTopic::Coverage, severity, std::move(words));
  finding.amount = amount;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.samples = ids;
  finding.where.field = "sampler.type";
  return finding;
}

MissingCauseSet only(MissingCause cause) {
  return MissingCauseSet().set(static_cast<std::size_t>(cause));
}

RepeatCauseSet only(RepeatCause cause) {
  return RepeatCauseSet().set(static_cast<std::size_t>(cause));
}

words::Lost lostOf(const Facts& facts, const MissingCauseSet& causes) {
  const Ledger& judged = facts.coverage();
  words::Lost lost;
  lost.samples = judged.missingFor(causes);
  std::vector<std::int64_t> alike;
  bool in_all = false;
  for (const Ledger& one : facts.report().coverage) {
    in_all = in_all || one.missing > one.missingFor(causes);
    bool same = true;
    for (std::size_t i = 0; i < kMissingCauses; ++i)
      same = same && (!causes[i] || one.missing_by.counts[i] == judged.missing_by.counts[i]);
    if (!same) continue;
    alike.push_back(one.epoch);
    lost.are_all = lost.are_all && one.missing == lost.samples;  // one sentence for all of them
  }
  if (facts.toldEpochs()) alike = *facts.toldEpochs();
  lost.of = judged.dataset_size;
  lost.when = words::epochsText(alike, facts.allEpochs());
  lost.always = alike.size() == facts.report().coverage.size() && facts.countsForAll();
  lost.never_read = facts.neverRead(in_all);
  return lost;
}

words::Repeated repeatedOf(const Facts& facts, const RepeatCauseSet& causes) {
  const Ledger& judged = facts.coverage();
  words::Repeated repeated;
  for (std::size_t i = 0; i < kRepeatCauses; ++i) repeated.items += causes[i] ? judged.repeats.counts[i] : 0;
  repeated.of = judged.handed_out;
  std::vector<const Ledger*> same_items;
  for (const Ledger& one : facts.report().coverage) {
    bool same = one.handed_out == judged.handed_out;
    for (std::size_t i = 0; i < kRepeatCauses; ++i)
      same = same && (!causes[i] || one.repeats.counts[i] == judged.repeats.counts[i]);
    if (same) same_items.push_back(&one);
  }
  // Told only where it can be told of all of them, in one form.
  const auto has_others = [&](const Ledger* one) { return one->repeats.total() != repeated.items; };
  const auto as_often = [&](const Ledger* one) { return timesEach(*one) == timesEach(judged); };
  const bool is_told = std::ranges::none_of(same_items, has_others);
  const std::int64_t each = std::ranges::all_of(same_items, as_often) ? timesEach(judged) : 0;
  if (is_told) repeated.how_often = words::howOftenText(each, judged.duplicated);
  std::vector<std::int64_t> alike;
  for (const Ledger* one : same_items) {
    if (!is_told || one->duplicated == judged.duplicated) alike.push_back(one->epoch);
  }
  if (facts.toldEpochs()) alike = *facts.toldEpochs();
  repeated.when = words::epochsText(alike, facts.allEpochs());
  return repeated;
}

namespace {

/// Workers that load a batch, where the order itself says which one loads which: of the rank with most of them.
std::optional<std::int64_t> namedWorkers(const Plan& plan, Epoch epoch, const Work& work) {
  std::size_t most = 0;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const auto rank_epoch = plan.rankEpoch(epoch, rank, work);
    if (!rank_epoch) return std::nullopt;
    const auto& deal = rank_epoch->slice().order()->deal();
    if (deal == nullptr || deal->batch_workers.empty()) return std::nullopt;
    const Deal::Share& share = deal->shareOf(rank);
    const auto first = deal->batch_workers.begin() + static_cast<std::ptrdiff_t>(share.first_batch);
    most = std::max(most, std::set<std::int32_t>(first, first + share.batches).size());
    if (deal->shares.size() == 1) break;
  }
  return static_cast<std::int64_t>(most);
}

}  // namespace

LoadingWorkers loadingWorkers(const Plan& plan, const EpochShape& shape, const Work& work) {
  const auto named = namedWorkers(plan, shape.epoch, work);
  return {named.value_or(std::min(plan.spec().loader.num_workers, shape.steps)), named.has_value()};
}

}  // namespace shardlens
