// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/ffcv/traversal_order.h"
#include "core/sampling/python.h"
#include "core/selftest/replay.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace shardlens::selftest {
namespace ffcv_rows {
namespace {

/// The list that a row names: "even", "reversed", "tail"; empty for "all".
std::optional<std::vector<std::int64_t>> listOf(const std::string& name, std::int64_t size) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  if (name == "all") return std::vector<std::int64_t>();
  if (name == "reversed") std::ranges::reverse(all);
  if (name == "even") std::erase_if(all, [](std::int64_t id) { return id % 2 != 0; });
  if (name == "tail") all.erase(all.begin(), all.begin() + size / 2);
  const bool known = name == "reversed" || name == "even" || name == "tail";
  return known ? std::optional(std::move(all)) : std::nullopt;
}

RowVerdict replayOrder(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto name = row.params.text("indices");
  const auto distributed = row.params.flag("distributed");
  const auto world = row.params.integer("world_size");
  const auto seed = row.params.bits("seed");
  const auto epoch = row.fields.integer("epoch");
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  const bool known = row.params.onlyHas({"dataset_size", "indices", "distributed", "world_size", "seed"});
  if (!size || *size < 0 || !name || !distributed || !world || !seed || !epoch || rank < 0 || rank >= *world || !known)
    return unknownParameters();
  const auto list = listOf(*name, *size);
  if (!list) return unknownParameters();
  PipelineSpec spec = rowSpec(row, *size, *world);
  spec.sampler = {"ffcv." + row.sampler, {{"indices", IndexList(*list)}, {"distributed", *distributed}}};
  if (row.sampler == "Random") spec.sampler.parameters["seed"] = static_cast<std::int64_t>(*seed);
  const auto drawn = planner.rankEpoch(spec, Epoch{*epoch}, Rank{rank});
  if (!drawn) return compareError(row, drawn.error());
  return compare(row, Answer::ofItems(*drawn));
}

/// Calls on one object, of epochs in any order: the plan has them in their own.
RowVerdict replayQuasi(const VectorRow& row, Planner& planner) {
  auto sizes = row.params.integers("page_sizes");
  const auto listed = row.params.integers("pages_listed");
  const auto name = row.params.text("indices");
  const auto batch = row.params.integer("batch_size");
  const auto seed = row.params.bits("seed");
  const auto distributed = row.params.flag("distributed");
  const auto earlier = row.params.integers("earlier_calls").value_or(std::vector<std::int64_t>());
  const bool known = row.params.onlyHas(
      {"page_sizes", "pages_listed", "indices", "batch_size", "seed", "distributed", "earlier_calls"});
  if (!sizes || !listed || !name || !batch || *batch < 1 || !seed || !distributed || !known) return unknownParameters();
  if (std::ranges::any_of(*sizes, [](std::int64_t size) { return size < 0; })) return unknownParameters();
  if (*distributed) {
    return compareError(
        row, Result<void>(sampling::raised("NotImplementedError", "distributed Not implemented yet for QuasiRandom")));
  }
  // The class knows the pages up to the last one of its map; those behind it hold nothing.
  const std::int64_t known_pages = listed->empty() ? 0 : std::ranges::max(*listed) + 1;
  while (std::ssize(*sizes) > known_pages && sizes->back() == 0) sizes->pop_back();
  PipelineSpec spec;
  spec.dataset.shards = *sizes;
  spec.dataset.size = std::accumulate(sizes->begin(), sizes->end(), std::int64_t{0});
  const auto list = listOf(*name, spec.dataset.size);
  const auto epoch = row.fields.integer("epoch");
  if (!list || !epoch) return unknownParameters();
  spec.world = {1, 1};
  spec.loader.batch_size = *batch;
  spec.sampler = {"ffcv.QuasiRandom", {{"indices", IndexList(*list)}, {"seed", static_cast<std::int64_t>(*seed)}}};
  // The plan's own calls are epoch 0 at the start, if there is one, and then every epoch in turn.
  std::vector<std::int64_t> in_turn(static_cast<std::size_t>(*epoch < 0 || *epoch > 64 ? 0 : *epoch));
  std::iota(in_turn.begin(), in_turn.end(), std::int64_t{0});
  std::vector<std::int64_t> with_start = in_turn;
  with_start.insert(with_start.begin(), 0);
  if (earlier == in_turn || earlier == with_start) {
    spec.sampler.parameters["asked_at_start"] = earlier == with_start;
    const auto drawn = planner.rankEpoch(spec, Epoch{*epoch}, Rank{0});
    if (!drawn) return compareError(row, drawn.error());
    return compare(row, Answer::ofItems(*drawn));
  }
  planner.judges("ffcv.QuasiRandom");
  Answer answer;
  sampling::FfcvPages pages = sampling::ffcvPages(spec);
  for (const std::int64_t call : earlier) pages.call(static_cast<std::int64_t>(*seed), call);
  answer.indices = pages.call(static_cast<std::int64_t>(*seed), *epoch);
  return compare(row, answer);
}

}  // namespace
}  // namespace ffcv_rows

std::vector<Replay> ffcvReplays() {
  using namespace ffcv_rows;
  return {
      {"ffcv", "QuasiRandom", replayQuasi},
      {"ffcv", "Random", replayOrder},
      {"ffcv", "Sequential", replayOrder},
  };
}

}  // namespace shardlens::selftest
