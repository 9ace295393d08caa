// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/by_name.h"

#include <nlohmann/json.hpp>

namespace shardlens::selftest {
namespace torchdata_rows {
namespace {

/// A list of the row against the engine's; an empty text when both are equal.
std::string differs(const VectorRow& row, const char* key, const std::vector<std::int64_t>& got) {
  const auto wanted = row.fields.integers(key);
  const std::string why = wanted ? difference(got, *wanted) : "there is no such list";
  return why.empty() ? why : std::string(key) + ": " + why;
}

/// What a sampler yields before a state is saved, and from it.
struct Saved {
  std::vector<std::int64_t> whole;
  std::vector<std::int64_t> rest;
  std::vector<std::int64_t> next;  ///< the epoch after

  [[nodiscard]] std::vector<std::int64_t> before() const {
    return {whole.begin(), whole.end() - static_cast<std::ptrdiff_t>(rest.size())};
  }
};

Result<Saved> saved(Planner& planner, PipelineSpec spec, std::int64_t yielded, Rank rank) {
  spec.epochs = 2;
  const auto whole = planner.rankEpoch(spec, Epoch{0}, rank);
  if (!whole) return whole.error();
  const auto next = planner.rankEpoch(spec, Epoch{1}, rank);
  if (!next) return next.error();
  spec.sampler.parameters["yielded"] = yielded;
  const auto rest = planner.rankEpoch(spec, Epoch{0}, rank);
  if (!rest) return rest.error();
  return Saved{Answer::ofItems(*whole).indices, Answer::ofItems(*rest).indices, Answer::ofItems(*next).indices};
}

RowVerdict judgeSaved(const VectorRow& row, const Saved& saved, const std::vector<std::string>& differences) {
  Answer answer;
  answer.indices = saved.rest;
  RowVerdict verdict = compare(row, answer);
  if (verdict.outcome != Outcome::Passed) return verdict;
  for (const std::string& why : differences) {
    if (!why.empty()) return failed(why);
  }
  return passed();
}

RowVerdict replayStatefulDistributed(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "dataset_size world_size shuffle drop_last seed=- yielded_before_save=-");
  const auto yielded = row.params.integer("yielded_before_save");
  const auto seed = row.params.bits("seed");
  const auto epoch = row.fields.integer("epoch");
  if (!spec || !yielded || !seed || !epoch) return unknownParameters();
  // The rows are about one epoch, told by set_epoch, and about the next one that nobody tells.
  spec->sampler.parameters["set_epoch"] = false;
  spec->sampler.parameters["seed"] = static_cast<std::int64_t>(*seed + static_cast<std::uint64_t>(*epoch));
  const auto result = saved(planner, *spec, *yielded, Rank{row.fields.integer("rank").value_or(0)});
  if (!result) return compareError(row, Result<void>(result.error()));
  const nlohmann::json* state = row.fields.find("state");
  const nlohmann::json wanted = {{"yielded", result->before().size()}};
  if (state == nullptr || *state != wanted) return failed("state: " + wanted.dump());
  return judgeSaved(
      row, *result,
      {differs(row, "before_save", result->before()), differs(row, "following_epoch_without_set_epoch", result->next)});
}

RowVerdict replayStatefulRandom(const VectorRow& row, Planner& planner) {
  const auto spec = specByName(row, "torchdata.RandomSampler",
                               "dataset_size replacement num_samples? generator_seed yielded_before_save=-");
  const auto yielded = row.params.integer("yielded_before_save");
  if (!spec || !yielded) return unknownParameters();
  const auto result = saved(planner, *spec, *yielded, Rank{0});
  if (!result) return compareError(row, Result<void>(result.error()));
  return judgeSaved(row, *result,
                    {differs(row, "before_save", result->before()), differs(row, "uninterrupted_rest", result->rest),
                     differs(row, "next_epoch", result->next)});
}

}  // namespace
}  // namespace torchdata_rows

std::vector<Replay> torchdataReplays() {
  using namespace torchdata_rows;
  return {
      {"torchdata", "RandomSampler (stateful)", replayStatefulRandom},
      {"torchdata", "StatefulDistributedSampler", replayStatefulDistributed},
  };
}

}  // namespace shardlens::selftest
