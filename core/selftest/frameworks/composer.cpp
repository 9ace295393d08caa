// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/python.h"
#include "core/selftest/replay.h"

namespace shardlens::selftest {
namespace composer_rows {
namespace {

RowVerdict replayGetSampler(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const auto shuffle = row.params.flag("shuffle");
  const auto drop_last = row.params.flag("drop_last");
  const auto seed = row.params.bits("seed");
  const auto rank = row.fields.integer("rank");
  const auto epoch = row.fields.integer("epoch");
  const bool known = row.params.onlyHas({"dataset_size", "world_size", "shuffle", "drop_last", "seed"});
  if (!size || !world || *world < 1 || !shuffle || !drop_last || !seed || !rank || *rank < 0 || !epoch || !known)
    return unknownParameters();
  if (*rank >= *world) return compareError(row, Result<void>(sampling::invalidRank(*rank, *world)));
  PipelineSpec spec = rowSpec(row, *size, *world);
  spec.sampler = {"composer.get_sampler",
                  {{"shuffle", *shuffle}, {"drop_last", *drop_last}, {"seed", static_cast<std::int64_t>(*seed)}}};
  return judgeItems(row, planner.rankEpoch(spec, Epoch{*epoch}, Rank{*rank}));
}

}  // namespace
}  // namespace composer_rows

std::vector<Replay> composerReplays() {
  using namespace composer_rows;
  return {{"composer", "get_sampler", replayGetSampler}};
}

}  // namespace shardlens::selftest
