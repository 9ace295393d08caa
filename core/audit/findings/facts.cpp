// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/facts.h"

#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/edit.h"
#include "core/spec/field_table.h"

#include <algorithm>

namespace shardlens {

using sampling::SamplerTrait;
using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kItemsLookedAt = 1000;

bool countsAlike(const Coverage& a, const Coverage& b) {
  return a.handed_out == b.handed_out && a.times_seen == b.times_seen && a.padding == b.padding &&
         a.dropped_by_sampler == b.dropped_by_sampler && a.dropped_by_loader == b.dropped_by_loader;
}

/// The fix, and a drop_last switched off where the slices it makes would otherwise give no batch.
Fix keepingBatches(const Facts& facts, Fix fix, std::int64_t replicas, bool sampler_drops) {
  const std::int64_t size = facts.spec().dataset.size;
  if (sampler_drops && size < replicas) fix.edits.push_back({facts.fieldOf(&SamplerTraits::drop_last), false});
  const std::int64_t samples = sampler_drops && size >= replicas ? size / replicas : (size + replicas - 1) / replicas;
  if (facts.spec().loader.drop_last && samples < facts.spec().loader.batch_size) {
    fix.edits.push_back({"loader.drop_last", false});
    fix.label += ", keep short batches";
  }
  return fix;
}

bool keepsBatches(const Lockstep& before, const Lockstep& after) {
  const bool in_step = after.fewest == after.most || before.fewest != before.most;
  for (std::size_t rank = 0; rank < std::min(before.batches.size(), after.batches.size()); ++rank) {
    if (before.batches[rank] > 0 && after.batches[rank] == 0) return false;
  }
  return in_step;
}

/// Whether each rank that reads samples, if only ones that the loader drops, still does.
bool keepsSamples(const EpochShape& before, const EpochShape& after) {
  for (std::size_t rank = 0; rank < std::min(before.ranks.size(), after.ranks.size()); ++rank) {
    if (before.ranks[rank].samples > 0 && after.ranks[rank].samples == 0) return false;
  }
  return true;
}

}  // namespace

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

std::int64_t Facts::replicas() const {
  const Value value = parameter(&SamplerTraits::num_replicas).value_or(std::string("world_size"));
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  const std::string& name = std::get<std::string>(value);
  return name == "world_size" ? worldSize() : name == "nodes" ? spec().world.nodes : spec().world.ranks_per_node;
}

std::string Facts::rankArgument() const {
  return valueText(parameter(&SamplerTraits::rank).value_or(std::string("rank")));
}

std::int64_t Facts::slicesRead() const {
  const std::string argument = rankArgument();
  if (argument == "rank") return worldSize();
  if (argument == "local_rank") return spec().world.ranks_per_node;
  return argument == "node" ? spec().world.nodes : 1;
}

bool Facts::dealsToThisWorld() const {
  return dealsToReplicas() && replicas() == worldSize() && slicesRead() == worldSize();
}

bool Facts::shuffles() const {
  const auto flag = parameter(&SamplerTraits::shuffle);  // elsewhere the name of a place, or a buffer's size
  if (flag && std::holds_alternative<bool>(*flag)) return isOn(&SamplerTraits::shuffle);
  if (takes(&SamplerTraits::generator)) return true;
  const auto items = plan_.rankEpoch(firstEpoch(), Rank{0}, work_);
  if (!items) return true;
  for (std::int64_t k = 1; k < std::min(items->size(), kItemsLookedAt); ++k) {
    if (items->sample(k) <= items->sample(k - 1)) return true;
  }
  return false;
}

std::string Facts::epochsAlike() const {
  std::vector<std::int64_t> epochs;
  for (const Coverage& coverage : report_.coverage) {
    if (countsAlike(coverage, report_.coverage.front())) epochs.push_back(coverage.epoch);
  }
  if (static_cast<std::int64_t>(epochs.size()) == plan_.epochs() && epochs.size() > 1) return "in every epoch";
  return (epochs.size() == 1 ? "in epoch " : "in epochs ") + ranges(epochs);
}

std::optional<Fix> offered(const Facts& facts, Fix fix, const Mends& mends) {
  auto spec = applyEdits(facts.spec(), fix.edits, sampling::catalogue());
  if (!spec || *spec == facts.spec()) return std::nullopt;
  const auto mended = Plan::make(*std::move(spec));
  if (!mended) return std::nullopt;
  const auto shape = mended->epochShape(facts.firstEpoch(), facts.work());
  if (!shape || !mends(*mended, *shape)) return std::nullopt;
  const bool whole = keepsBatches(facts.report().lockstep, lockstep(*shape)) && keepsSamples(facts.shape(), *shape);
  return whole ? std::optional(std::move(fix)) : std::nullopt;
}

std::string countedBatches(std::int64_t batches) {
  return grouped(batches) + (batches == 1 ? " batch" : " batches");
}

std::string named(const std::vector<std::int64_t>& ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + ranges(ranks);
}

std::string namedHave(const std::vector<std::int64_t>& ranks) {
  std::string out = named(ranks) + (ranks.size() == 1 ? " has" : " have");
  out[0] = 'R';
  return out;
}

std::string allOf(std::int64_t number) {
  return number == 2 ? "both" : "all " + grouped(number);
}

Fix passRankAndWorldSize(const Facts& facts) {
  Fix fix{"Pass rank and world_size to the sampler",
          {{facts.fieldOf(&SamplerTraits::num_replicas), std::string("world_size")},
           {facts.fieldOf(&SamplerTraits::rank), std::string("rank")}}};
  return keepingBatches(facts, std::move(fix), facts.worldSize(), facts.isOn(&SamplerTraits::drop_last));
}

Fix useDistributedSampler(const Facts& facts) {
  Fix fix{"Deal with DistributedSampler",
          {{"sampler.type", std::string("torch.DistributedSampler")},
           {"sampler.num_replicas", std::string("world_size")},
           {"sampler.rank", std::string("rank")},
           {"sampler.shuffle", facts.shuffles()},
           {"sampler.drop_last", false},
           {"sampler.set_epoch", true}}};
  return keepingBatches(facts, std::move(fix), facts.worldSize(), false);
}

Fix padSlices(const Facts& facts, std::int64_t replicas) {
  return keepingBatches(facts, {"Let the sampler pad: sampler.drop_last off", {}}, replicas, true);
}

}  // namespace shardlens
