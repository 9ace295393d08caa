// SPDX-License-Identifier: Apache-2.0
#include "core/spec/pipeline_spec.h"

#include "core/base/text.h"
#include "core/spec/value.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace shardlens {

RanksPerNode::RanksPerNode(IndexList of_nodes) : of_nodes_(std::move(of_nodes)) {
  std::uint64_t first = 0;  // which may overflow in a world that validate() refuses
  first_ranks_ = listOf(static_cast<std::int64_t>(of_nodes_.size()), [&](std::int64_t node) {
    const std::uint64_t here = first;
    first += static_cast<std::uint64_t>(of_nodes_[static_cast<std::size_t>(node)]);
    return static_cast<std::int64_t>(here);
  });
}

std::optional<std::int64_t> RanksPerNode::ofEveryNode() const {
  if (of_nodes_.empty()) return each_;
  const auto& facts = of_nodes_.facts();
  return facts.least == facts.greatest ? std::optional(facts.least) : std::nullopt;
}

std::string PipelineSpec::World::text() const {
  constexpr std::size_t kShownNodes = 8;
  if (const auto every = ranks_per_node.ofEveryNode()) return grouped(nodes) + " x " + grouped(*every);
  const IndexList& list = ranks_per_node.of_nodes_;
  std::string out;
  for (std::size_t node = 0; node < std::min(list.size(), kShownNodes); ++node)
    out += (node > 0 ? " + " : "") + grouped(list[node]);
  return list.size() > kShownNodes ? out + " + ..." : out;
}

void PipelineSpec::World::countListedNodes() {
  const IndexList& list = ranks_per_node.of_nodes_;
  if (!list.empty()) nodes = static_cast<std::int64_t>(list.size());
}

std::int64_t PipelineSpec::World::listedNodeOf(Rank rank) const {
  const IndexList& first = ranks_per_node.first_ranks_;
  const auto behind = std::upper_bound(first.begin(), first.end(), rank.value);
  return std::max<std::int64_t>(0, behind - first.begin() - 1);
}

std::int64_t PipelineSpec::World::ranksOn(std::int64_t node) const {
  const IndexList& list = ranks_per_node.of_nodes_;
  if (list.empty()) return ranks_per_node.each_;
  return list[std::min(static_cast<std::size_t>(node), list.size() - 1)];
}

std::int64_t PipelineSpec::World::firstRankOn(std::int64_t node) const {
  const IndexList& first = ranks_per_node.first_ranks_;
  return first.empty() ? node * ranks_per_node.each_
                       : first[std::min(static_cast<std::size_t>(node), first.size() - 1)];
}

std::int64_t PipelineSpec::World::mostRanksOnNode() const {
  const IndexList& list = ranks_per_node.of_nodes_;
  return list.empty() ? ranks_per_node.each_ : list.facts().greatest;
}

std::int64_t PipelineSpec::World::numberNamed(std::string_view name, Rank rank) const {
  if (name == "world_size") return size();
  if (name == "nodes") return nodes;
  if (name == "ranks_per_node") return ranksOn(nodeOf(rank));
  if (name == kNodesTimesRanks) return nodes * ranksOn(nodeOf(rank));
  if (name == "local_rank") return localRankOf(rank);
  if (name == "node") return nodeOf(rank);
  if (name == "data_parallel_size") return dataParallelSize();
  if (name == "data_parallel_rank") return dataParallelRankOf(rank);
  assert(name == "rank");
  return rank.value;
}

std::int64_t PipelineSpec::World::sizeOf(std::string_view group) const {
  return group == "world" ? size() : groups.sizeAlong(parallelismNamed(group), size());
}

std::vector<Rank> PipelineSpec::World::groupOf(std::string_view group, Rank rank) const {
  if (group != "world") return groups.groupOf(rank, parallelismNamed(group), size());
  std::vector<Rank> all;
  for (Rank one{0}; one.value < size(); ++one) all.push_back(one);
  return all;
}

double PipelineSpec::Run::delayMs(Rank rank, std::string_view phase, std::int64_t global_step) const {
  double ms = 0;
  for (const Delay& delay : delays) {
    const bool is_due = global_step >= delay.from_step && (delay.until_step == 0 || global_step < delay.until_step);
    if (delay.rank == rank.value && delay.phase == phase && is_due) ms += delay.ms;
  }
  return ms;
}

}  // namespace shardlens
