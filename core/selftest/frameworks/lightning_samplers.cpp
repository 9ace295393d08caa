// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/injection.h"
#include "core/selftest/by_name.h"

namespace shardlens::selftest {
namespace lightning_samplers_rows {
namespace {

std::vector<std::int64_t> arithmetic(std::int64_t first, std::int64_t step, std::int64_t count) {
  std::vector<std::int64_t> items;
  for (std::int64_t i = 0; i < count; ++i) items.push_back(first + i * step);
  return items;
}

/// The inner sampler of `length` items, as the rows name it; generators of its own hold inner_seed.
bool putInner(PipelineSpec& spec, const std::string& inner, std::int64_t length, std::uint64_t seed) {
  auto& parameters = spec.sampler.parameters;
  spec.dataset.size = inner == "subset_random" ? 2 * length : length;
  parameters["generator"] = std::string("sampler");
  parameters["generator_seed"] = static_cast<std::int64_t>(seed);
  parameters["inner"] = inner;
  if (inner == "random") return true;
  if (inner == "weighted") {
    parameters["weights"] = std::string("inverse");
  } else if (inner == "subset_random") {
    parameters["indices"] = arithmetic(0, 2, length);
  } else if (inner == "reversed_list") {
    parameters["inner"] = std::string("list");
    parameters["indices"] = arithmetic(length - 1, -1, length);
  } else {
    return false;
  }
  return true;
}

RowVerdict replayWithoutLen(const VectorRow& row) {
  using Length = sampling::UserSampler::Length;
  return compareError(row, sampling::checkSamplerLength({"NoLen", sampling::UserSampler::Kind::Other, Length::None}));
}

RowVerdict replayWrapper(const VectorRow& row, Planner& planner) {
  if (row.params.text("inner") == "sampler without __len__" && row.params.onlyHas({"inner"})) {
    return replayWithoutLen(row);
  }
  auto spec = specByName(row, "inner=- inner_length=- inner_seed=- world_size shuffle drop_last seed");
  const auto inner = row.params.text("inner");
  const auto length = row.params.integer("inner_length");
  const auto seed = row.params.bits("inner_seed");
  if (!spec || !inner || !length || *length < 0 || !seed) return unknownParameters();
  if (!putInner(*spec, *inner, *length, *seed)) return unsupported("an unknown inner sampler: " + *inner);
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

}  // namespace
}  // namespace lightning_samplers_rows

std::vector<Replay> lightningSamplerReplays() {
  using namespace lightning_samplers_rows;
  return {
      {"lightning", "DistributedSamplerWrapper", replayWrapper},
      {"lightning", "UnrepeatedDistributedSamplerWrapper", replayWrapper},
  };
}

}  // namespace shardlens::selftest
