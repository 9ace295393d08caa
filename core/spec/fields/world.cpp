// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

namespace shardlens::fields {
namespace {

void setRanksPerNode(PipelineSpec& spec, const Value& value) {
  const auto* list = std::get_if<IndexList>(&value);
  spec.world.ranks_per_node = list == nullptr ? RanksPerNode(std::get<std::int64_t>(value)) : RanksPerNode(*list);
}

/// The size of a group that divides a copy of the model.
template <auto Size>
Entry modelGroup(std::string path, std::string help) {
  return row<&PipelineSpec::world, &PipelineSpec::World::groups, Size>({.path = std::move(path),
                                                                        .min = 1,
                                                                        .max = kMostRanks,
                                                                        .unit = "ranks",
                                                                        .help = std::move(help),
                                                                        .optional = true});
}

}  // namespace

std::vector<Entry> world() {
  using World = PipelineSpec::World;
  constexpr auto kWorld = &PipelineSpec::world;
  return {
      row<kWorld, &World::nodes>({.path = "world.nodes",
                                  .min = 1,
                                  .max = kMostRanks,
                                  .unit = "nodes",
                                  .help = marked("fields", "Number of machines.")}),
      {{.path = "world.ranks_per_node",
        .kind = FieldKind::IntOrList,
        .fallback = World().ranks_per_node.value(),
        .min = 1,
        .max = kMostRanks,
        .unit = "ranks",
        .help = marked("fields",
                       "Processes on each node, usually one per GPU: a number, or a list such as [2, 1] with one for "
                       "each node.")},
       [](const PipelineSpec& spec) { return spec.world.ranks_per_node.value(); },
       setRanksPerNode},
      modelGroup<&ParallelGroups::tensor>(
          "world.groups.tensor",
          marked("fields", "Ranks that divide each layer: tensor parallelism. They must read the same samples.")),
      modelGroup<&ParallelGroups::context>(
          "world.groups.context",
          marked("fields", "Ranks that divide each sequence: context parallelism. They must read the same samples.")),
      modelGroup<&ParallelGroups::pipeline>(
          "world.groups.pipeline",
          marked("fields", "Ranks that divide the layers: pipeline parallelism. They must read the same samples.")),
      row<kWorld, &World::groups, &ParallelGroups::order>(
          {.path = "world.groups.order",
           .kind = FieldKind::Choice,
           .choices = {kDataThenPipeline, kPipelineThenData},
           .help = marked("fields",
                          "How ranks are numbered: the first varies fastest, so that tensor peers are neighbours. "
                          "tp-cp-pp-dp is that of Megatron's --use-tp-pp-dp-mapping."),
           .optional = true}),
  };
}

}  // namespace shardlens::fields
