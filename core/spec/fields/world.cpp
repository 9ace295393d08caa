// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

namespace shardlens::fields {
namespace {

void setRanksPerNode(PipelineSpec& spec, const Value& value) {
  const auto* list = std::get_if<IndexList>(&value);
  spec.world.ranks_per_node = list == nullptr ? RanksPerNode(std::get<std::int64_t>(value)) : RanksPerNode(*list);
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
  };
}

}  // namespace shardlens::fields
