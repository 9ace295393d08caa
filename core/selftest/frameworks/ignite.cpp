// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/ignite/distributed_proxy_sampler.h"
#include "core/sampling/python.h"
#include "core/selftest/replay.h"
#include "core/selftest/vector_row.h"

#include <algorithm>
#include <array>
#include <vector>

namespace shardlens::selftest {
namespace ignite_rows {
namespace {

/// What the constructor refuses before it looks at a sampler that a spec can name.
std::optional<Error> refusedInner(const std::string& inner) {
  if (inner == "not_a_sampler") {
    return sampling::raised("TypeError",
                            "Argument sampler should be instance of torch Sampler, but given: <class 'list'>");
  }
  if (inner == "distributed")
    return sampling::raised("TypeError", "Argument sampler must not be a distributed sampler already");
  if (inner == "no_len") return sampling::raised("TypeError", "Argument sampler should have length");
  return std::nullopt;
}

/// The samplers as tests/vectors/README.md describes them: a list counts down, a subset has every second sample.
bool fillInner(const VectorRow& row, const std::string& inner, std::int64_t size, PipelineSpec& spec) {
  auto& parameters = spec.sampler.parameters;
  std::vector<std::int64_t> list;
  for (std::int64_t i = 0; i < size; ++i) list.push_back(inner == "list" ? size - 1 - i : 2 * i);
  parameters["inner"] = inner;
  if (inner == "list" || inner == "subset_random") parameters["indices"] = IndexList(std::move(list));
  if (inner == "subset_random") spec.dataset.size = std::max<std::int64_t>(1, 2 * size);
  if (inner == "random_replacement" || inner == "random_own_generator") parameters["inner"] = std::string("random");
  if (inner == "random_replacement") parameters["replacement"] = true;
  if (inner == "random_own_generator") {
    parameters["generator"] = std::string("sampler");
    parameters["generator_seed"] = static_cast<std::int64_t>(row.params.bits("generator_seed").value_or(0));
  }
  if (const auto samples = row.params.integer("num_samples")) parameters["num_samples"] = *samples;
  if (inner != "weighted") return true;
  const auto weights = rowWeights(row.params);
  if (weights) parameters["weights"] = weights->value;
  return weights.has_value();
}

RowVerdict judgePass(const VectorRow& row, const PipelineSpec& spec, Rank rank) {
  const std::int64_t told = row.fields.integer("epoch").value_or(0);
  const std::int64_t earlier = row.params.integer("earlier_passes").value_or(0);
  const sampling::SamplerRule rule = sampling::igniteDistributedProxySampler();
  if (auto good = rule.check(spec); !good) return compareError(row, good);
  const auto order = sampling::igniteProxyOrder(spec, told, earlier, {});
  if (!order) return compareError(row, Result<void>(order.error()));
  const Slice slice = rule.slice(spec, Epoch{told}, rank, *order);
  Answer answer;
  for (std::int64_t k = 0; k < slice.size(); ++k) answer.indices.push_back(slice.sample(k));
  answer.length = slice.size();
  return compare(row, answer);
}

RowVerdict replayProxy(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const auto inner = row.params.text("inner");
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas(
      {"dataset_size", "world_size", "inner", "num_samples", "earlier_passes", "generator_seed", "weights"});
  if (!size || !world || *size < 0 || *world < 1 || !inner || !rank || *rank < 0 || !known) return unknownParameters();
  if (const auto refused = refusedInner(*inner)) return compareError(row, Result<void>(*refused));
  if (*rank >= *world) return compareError(row, Result<void>(sampling::invalidRank(*rank, *world)));
  PipelineSpec spec = rowSpec(row, *size, *world);
  spec.framework.torch_mkl = false;
  spec.sampler.type = "ignite.DistributedProxySampler";
  constexpr std::array kInners = {"random",        "weighted", "random_replacement", "random_own_generator",
                                  "subset_random", "list",     "sequential"};
  if (std::ranges::find(kInners, *inner) == kInners.end() || !fillInner(row, *inner, *size, spec))
    return unsupported("an unknown inner sampler: " + *inner);
  planner.judges(spec.sampler.type);
  return judgePass(row, spec, Rank{*rank});
}

}  // namespace
}  // namespace ignite_rows

std::vector<Replay> igniteReplays() {
  using namespace ignite_rows;
  return {{"ignite", "DistributedProxySampler", replayProxy}};
}

}  // namespace shardlens::selftest
