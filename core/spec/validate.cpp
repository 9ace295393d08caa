// SPDX-License-Identifier: Apache-2.0
#include "core/spec/validate.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/spec/field_table.h"
#include "core/spec/fields/entry.h"
#include "core/spec/number_lists.h"
#include "core/spec/phase_condition.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {
namespace {

constexpr std::int64_t kMaxWorld = 1'000'000;
/// What people call torch's class, which is no type here.
constexpr std::string_view kBatchSampler[] = {"BatchSampler", "torch.BatchSampler", "torch.utils.data.BatchSampler",
                                              "torch.utils.data.sampler.BatchSampler"};

Error at(const std::string& path, std::string message, std::string hint = {}) {
  return Error{ErrorCode::BadInput, std::move(message), Place{{}, 0, 0, path}, std::move(hint)};
}

std::vector<std::string> typesOf(SamplerCatalogue catalogue) {
  std::vector<std::string> types;
  for (const SamplerInfo& info : catalogue) types.push_back(info.type);
  return types;
}

/// What to write instead of a type that is unknown.
std::string samplerHint(const std::string& type, const std::vector<std::string>& known) {
  if (std::ranges::find(kBatchSampler, type) != std::end(kBatchSampler))
    return worded("spec", "loader.batch_size and loader.drop_last are the BatchSampler");
  std::vector<std::string> same_class;
  for (const std::string& one : known)
    if (one.ends_with("." + type)) same_class.push_back(one);
  if (!same_class.empty()) return filled(worded("spec", "did you mean %1?"), join(same_class, worded("spec", " or ")));
  const std::string near = nearest(type, known);
  return near.empty() ? filled(worded("spec", "known are %1"), join(known, ", "))
                      : filled(worded("spec", "did you mean %1?"), near);
}

void checkSampler(const PipelineSpec& spec, SamplerCatalogue catalogue, Issues& issues) {
  const SamplerInfo* info = findSampler(catalogue, spec.sampler.type);
  if (info == nullptr) {
    issues.push_back(at("sampler.type", filled(worded("spec", "there is no sampler '%1'."), spec.sampler.type),
                        samplerHint(spec.sampler.type, typesOf(catalogue))));
    return;
  }
  std::vector<std::string> keys;
  for (const Field& field : info->parameters) keys.push_back(field.key());
  for (const auto& [key, value] : spec.sampler.parameters) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::string near = nearest(key, keys);
    issues.push_back(at("sampler." + key, filled(worded("spec", "'%2' is no parameter of %1."), info->type, key),
                        near.empty() ? filled(worded("spec", "it takes %1"), join(keys, ", "))
                                     : filled(worded("spec", "did you mean %1?"), near)));
  }
}

void checkShards(const PipelineSpec& spec, Issues& issues) {
  if (spec.dataset.shards.empty()) return;
  const std::int64_t samples = spec.dataset.shards.facts().total;
  if (samples == spec.dataset.size) return;
  issues.push_back(at("dataset.shards",
                      filled(worded("spec", "the shards hold %1 samples, but dataset.size is %2."), grouped(samples),
                             grouped(spec.dataset.size)),
                      filled(worded("spec", "set dataset.size to %1, or remove the shards"), std::to_string(samples))));
}

/// Whether there is a node, and no node without a rank.
bool hasRanks(const PipelineSpec::World& world) {
  const IndexList& list = world.ranks_per_node.list();
  return world.nodes >= 1 && (list.empty() ? world.mostRanksOnNode() : list.facts().least) >= 1;
}

/// Whether there are no more ranks than a world may have.
bool isSmallEnough(const PipelineSpec::World& world) {
  return world.ranks_per_node.list().empty() ? world.mostRanksOnNode() <= kMaxWorld / world.nodes
                                             : world.size() <= kMaxWorld;
}

bool isWorld(const PipelineSpec::World& world) {
  return hasRanks(world) && isSmallEnough(world);
}

void checkWorldSize(const PipelineSpec::World& world, Issues& issues) {
  if (!hasRanks(world) || isSmallEnough(world)) return;
  const std::string nodes = wordedCount(world.nodes, "node");
  const std::string message = world.ranks_per_node.list().empty()
                                  ? filled(worded("spec", "%1 × %2 ranks per node are more than %3 ranks."), nodes,
                                           grouped(world.mostRanksOnNode()), grouped(kMaxWorld))
                                  : filled(worded("spec", "%1 ranks on %2 are more than %3 ranks."),
                                           grouped(world.size()), nodes, grouped(kMaxWorld));
  issues.push_back(at("world", message, worded("spec", "lower nodes or ranks_per_node")));
}

/// A list has one number for each node.
void checkNodes(const PipelineSpec::World& world, Issues& issues) {
  const auto listed = static_cast<std::int64_t>(world.ranks_per_node.list().size());
  if (listed == 0 || listed == world.nodes) return;
  issues.push_back(at("world.nodes",
                      filled(worded("spec", "nodes is %1, but ranks_per_node has numbers for %2."),
                             std::to_string(world.nodes), wordedCount(listed, "node")),
                      filled(worded("spec", "remove nodes or set it to %1, or list one number for each node"),
                             std::to_string(listed))));
}

/// Whether layers of experts have the pipeline groups of the dense ones. Without experts only groups of expert_data
/// depend on it.
bool haveSameStages(const ParallelGroups& groups) {
  return groups.order != kPipelineThenData || groups.pipeline == 1 || groups.ranksOfExperts() == groups.ranksOfModel();
}

Error otherStages(const std::string& path, const ParallelGroups& groups) {
  return at(
      path,
      filled(worded("spec", "with %1, expert_tensor %2 × expert %3 must be tensor %4 × context %5."), groups.order,
             grouped(groups.tensorOfExperts()), grouped(groups.expert), grouped(groups.tensor),
             grouped(groups.context)),
      filled(worded("spec", "all layers must have the same pipeline groups: write order: %1"), kDataThenPipeline));
}

/// Experts divide the same world, in the same stages of the pipeline.
void checkExperts(const PipelineSpec::World& world, Issues& issues) {
  const ParallelGroups& groups = world.groups;
  const std::int64_t of_experts = groups.ranksOfExperts();
  if (world.size() % of_experts != 0)
    return issues.push_back(
        at("world.groups.expert",
           filled(worded("spec", "expert_tensor %1 × expert %2 × pipeline %3 make %4, which do not divide %5."),
                  grouped(groups.tensorOfExperts()), grouped(groups.expert), grouped(groups.pipeline),
                  wordedCount(of_experts, "rank"), grouped(world.size())),
           worded("spec",
                  "the size of expert_data groups is the world size divided by their product: lower one of them, or "
                  "change nodes or ranks_per_node")));
  if (groups.hasExperts() && !haveSameStages(groups)) issues.push_back(otherStages("world.groups.order", groups));
}

/// Copies of the model have equally many ranks.
void checkGroups(const PipelineSpec::World& world, Issues& issues) {
  const ParallelGroups& groups = world.groups;
  const bool are_sizes =
      std::min({groups.tensor, groups.context, groups.pipeline, groups.expert, groups.expert_tensor + 1}) >= 1;
  if (!isWorld(world) || !are_sizes) return;
  if (world.size() % groups.ranksOfModel() == 0) return checkExperts(world, issues);
  const std::int64_t of_model = groups.ranksOfModel();
  issues.push_back(at("world.groups",
                      filled(worded("spec", "tensor %1 × context %2 × pipeline %3 make %4, which do not divide %5."),
                             grouped(groups.tensor), grouped(groups.context), grouped(groups.pipeline),
                             wordedCount(of_model, "rank"), grouped(world.size())),
                      worded("spec",
                             "the data-parallel size is the world size divided by their product: lower one of "
                             "them, or change nodes or ranks_per_node")));
}

void checkDelays(const PipelineSpec& spec, Issues& issues) {
  const std::vector<PipelineSpec::Run::Delay>& delays = spec.run.delays;
  for (std::size_t i = 0; i < delays.size(); ++i) {
    const std::string path = "run.delays[" + std::to_string(i) + "]";
    if (isWorld(spec.world) && delays[i].rank >= spec.worldSize()) {
      issues.push_back(at(path + ".rank",
                          filled(worded("spec", "there is no rank %1."), std::to_string(delays[i].rank)),
                          filled(worded("spec", "ranks go from 0 to %1"), std::to_string(spec.worldSize() - 1))));
    }
    if (delays[i].until_step > 0 && delays[i].until_step <= delays[i].from_step) {
      issues.push_back(at(path + ".until_step",
                          filled(worded("spec", "the delay ends at step %1 and begins at step %2."),
                                 std::to_string(delays[i].until_step), std::to_string(delays[i].from_step)),
                          worded("spec", "give a later step, or 0 for a delay until the end")));
    }
  }
}

/// What `if` says, and whether a step or an epoch is known where it is asked for.
void checkCondition(const PipelineSpec::Phase& phase, const std::string& path, Issues& issues) {
  const auto condition = parseCondition(phase.condition);
  if (!condition) {
    issues.push_back(at(path, condition.error().message, condition.error().hint));
    return;
  }
  for (const ConditionTerm& term : *condition) {
    const bool is_once = phase.at == "start" || phase.at == "end";
    const bool is_known = term.variable == "step" ? phase.at == "step" : term.variable != "epoch" || !is_once;
    if (!is_known)
      issues.push_back(at(path, filled(worded("spec", "there is no %1 at %2."), term.variable, phase.at),
                          worded("spec", "remove the comparison, or choose another value for `at`")));
  }
}

/// Ranks that there are, none of them twice.
void checkRanks(const PipelineSpec& spec, const PipelineSpec::Phase& phase, const std::string& path, Issues& issues) {
  if (phase.ranks.empty()) return;
  if (phase.group != "world")
    issues.push_back(
        at(path + ".group", worded("spec", "the phase has a group and ranks."), worded("spec", "remove one of them")));
  const auto groups = parseNumberLists(phase.ranks);
  if (groups && !groups->are_whole)
    return issues.push_back(at(path + ".ranks", worded("spec", "ranks are whole numbers."),
                               worded("spec", "write them without a point: [[0, 1], [2, 3]]")));
  std::set<double> seen;
  for (const std::vector<double>& group : groups ? groups->lists : std::vector<std::vector<double>>()) {
    for (const double rank : group) {
      if (rank >= static_cast<double>(spec.worldSize()))
        return issues.push_back(
            at(path + ".ranks", filled(worded("spec", "there is no rank %1."), valueText(rank)),
               filled(worded("spec", "ranks go from 0 to %1"), std::to_string(spec.worldSize() - 1))));
      if (!seen.insert(rank).second)
        return issues.push_back(at(path + ".ranks", filled(worded("spec", "rank %1 is listed twice."), valueText(rank)),
                                   worded("spec", "let each rank be in one of the groups")));
    }
  }
}

/// Ranks of the smallest group that calls the phase.
std::int64_t fewestRanksOf(const PipelineSpec::World& world, const PipelineSpec::Phase& phase) {
  const auto groups = parseNumberLists(phase.ranks);
  if (!groups || groups->lists.empty()) return world.sizeOf(phase.group);
  return static_cast<std::int64_t>(
      std::ranges::min_element(groups->lists, {}, [](const auto& group) { return group.size(); })->size());
}

/// As many numbers for each rank.
void checkValues(const PipelineSpec& spec, const PipelineSpec::Phase& phase, const std::string& path, Issues& issues) {
  constexpr std::int64_t kMostRanks = 64;   // each round of the ring is told
  constexpr std::size_t kMostValues = 256;  // a rank prints them in one line
  const auto values = parseNumberLists(phase.values);
  if (!values || values->lists.empty()) return;
  const auto complain = [&](std::string message, std::string hint) {
    issues.push_back(at(path + ".values", std::move(message), std::move(hint)));
  };
  if (phase.what != "all_reduce" || phase.kb != 0)
    return complain(worded("spec", "only an all_reduce without kb has values."),
                    worded("spec", "remove kb, or the values"));
  if (spec.worldSize() > kMostRanks)
    return complain(filled(worded("spec", "values are for at most %1 ranks."), std::to_string(kMostRanks)),
                    worded("spec", "remove the values, and give kb"));
  if (static_cast<std::int64_t>(values->lists.size()) != spec.worldSize())
    return complain(
        filled(worded("spec", "there are values for %1, but the world has %2."),
               wordedCount(static_cast<std::int64_t>(values->lists.size()), "rank"), grouped(spec.worldSize())),
        worded("spec", "write one list for each rank of the world"));
  const std::size_t first = values->lists.front().size();
  if (first > kMostValues)
    return complain(filled(worded("spec", "a rank has more than %1 values."), std::to_string(kMostValues)),
                    worded("spec", "give fewer values, or give kb"));
  if (std::ranges::any_of(values->lists, [&](const auto& list) { return list.size() != first; }))
    complain(worded("spec", "ranks have different numbers of values."),
             worded("spec", "give every rank as many as rank 0"));
}

void checkSchedule(const PipelineSpec& spec, Issues& issues) {
  const bool has_groups = issues.empty();
  for (std::size_t i = 0; i < spec.schedule.size(); ++i) {
    const PipelineSpec::Phase& phase = spec.schedule[i];
    const std::string path = "schedule[" + std::to_string(i) + "]";
    if (phase.isPreset() && phase != PipelineSpec::Phase{.what = phase.what})
      issues.push_back(at(path, filled(worded("spec", "%1 itself sets when it runs and with which ranks."), phase.what),
                          filled(worded("spec", "write {do: %1} alone, or its phases"), phase.what)));
    checkCondition(phase, path + ".if", issues);
    if (has_groups) {
      checkRanks(spec, phase, path, issues);
      checkValues(spec, phase, path, issues);
      if (phase.group == "expert_data" && !haveSameStages(spec.world.groups))
        issues.push_back(otherStages(path + ".group", spec.world.groups));
    }
    const auto* peer = std::get_if<std::int64_t>(&phase.peer);
    const std::int64_t ranks = has_groups ? fewestRanksOf(spec.world, phase) : 0;
    if (peer != nullptr && has_groups && *peer >= ranks)
      issues.push_back(at(path + ".peer", filled(worded("spec", "there is no rank %1."), std::to_string(*peer)),
                          filled(worded("spec", "ranks go from 0 to %1"), std::to_string(ranks - 1))));
  }
}

}  // namespace

Issues validate(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  Issues issues;
  for (const Field* field : fieldsOf(spec, catalogue)) {
    for (Error& problem : problemsOf(*field, getValue(spec, *field))) issues.push_back(std::move(problem));
  }
  checkSampler(spec, catalogue, issues);
  checkShards(spec, issues);
  checkNodes(spec.world, issues);
  checkWorldSize(spec.world, issues);
  checkGroups(spec.world, issues);
  checkSchedule(spec, issues);
  checkDelays(spec, issues);
  return issues;
}

Issues problemsOf(const PipelineSpec::World& world) {
  PipelineSpec spec;
  spec.world = world;
  Issues issues;
  for (const fields::Entry& entry : fields::entries()) {
    if (!entry.field.path.starts_with("world.")) continue;
    for (Error& problem : problemsOf(entry.field, entry.get(spec))) issues.push_back(std::move(problem));
  }
  checkNodes(world, issues);
  checkWorldSize(world, issues);
  checkGroups(world, issues);
  return issues;
}

ValidatedSpec validated(PipelineSpec spec, SamplerCatalogue catalogue) {
  Issues issues = validate(spec, catalogue);
  if (!issues.empty()) return {std::nullopt, std::move(issues)};
  return {ValidSpec(std::move(spec)), {}};
}

}  // namespace shardlens
