// SPDX-License-Identifier: Apache-2.0
#include "core/random/grain_index_shuffle.h"
#include "core/sampling/grain/index_sampler.h"
#include "core/sampling/python.h"
#include "core/selftest/by_name.h"

#include <limits>

namespace shardlens::selftest {
namespace grain_rows {
namespace {

/// index = 0,1,2,3,4 and max_index.
RowVerdict replayQueries(const VectorRow& row, std::uint32_t seed, std::uint32_t rounds) {
  const auto most = row.params.bits("max_index");
  const auto wanted = row.fields.words("values");
  const bool known = row.params.onlyHas({"max_index", "queried", "seed", "rounds"}) &&
                     row.params.text("queried") == "index = 0,1,2,3,4 and max_index";
  if (!most || !wanted || !known || *most < 4 || *most > std::numeric_limits<std::int64_t>::max()) {
    return unknownParameters();
  }
  const GrainIndexShuffle shuffle(*most, seed, rounds);
  std::vector<std::uint64_t> got;
  for (const std::uint64_t index :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4}, *most}) {
    got.push_back(shuffle(index));
  }
  const std::string why = difference(got, *wanted);
  return why.empty() ? passed() : failed("values: " + why);
}

RowVerdict replayIndexShuffle(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  const auto seed = row.params.integer("seed");
  const auto rounds = row.params.integer("rounds");
  if (!seed || *seed < 0 || *seed > std::numeric_limits<std::uint32_t>::max() || !rounds || *rounds < 4 ||
      *rounds % 2 != 0 || *rounds > 1000) {
    return unknownParameters();
  }
  if (!n) return replayQueries(row, static_cast<std::uint32_t>(*seed), static_cast<std::uint32_t>(*rounds));
  if (*n < 1 || !row.params.onlyHas({"n", "seed", "rounds"})) return unknownParameters();
  const GrainIndexShuffle shuffle(static_cast<std::uint64_t>(*n - 1), static_cast<std::uint32_t>(*seed),
                                  static_cast<std::uint32_t>(*rounds));
  Answer answer;
  for (std::int64_t i = 0; i < *n; ++i) {
    answer.indices.push_back(static_cast<std::int64_t>(shuffle(static_cast<std::uint64_t>(i))));
  }
  return compare(row, answer);
}

RowVerdict replaySplit(const VectorRow& row, Planner& /*planner*/) {
  const auto examples = row.params.integer("num_examples");
  const auto count = row.params.integer("shard_count");
  const auto drops = row.params.flag("drop_remainder");
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas({"num_examples", "shard_count", "drop_remainder"});
  if (!examples || *examples < 0 || !count || !drops || !rank || !known) return unknownParameters();
  if (auto shard = sampling::checkGrainShard(*rank, *count); !shard) return compareError(row, shard);
  const auto wanted = row.fields.integers("values");
  if (!wanted) return unsupported("the row has no values");
  const auto [first, last] = sampling::grainEvenSplit(*examples, *rank, *count, *drops);
  const std::string why = difference(std::vector<std::int64_t>{first, last}, *wanted);
  return why.empty() ? passed() : failed("values: " + why);
}

RowVerdict replaySampler(const VectorRow& row, Planner& planner) {
  const auto records = row.params.integer("num_records");
  const auto count = row.params.integer("shard_count");
  const auto drops = row.params.flag("drop_remainder");
  const auto shuffle = row.params.flag("shuffle");
  const auto rank = row.fields.integer("rank");
  const bool known =
      row.params.onlyHas({"num_records", "shard_count", "drop_remainder", "shuffle", "num_epochs", "seed"}) &&
      (row.params.integer("num_epochs") || row.params.isNull("num_epochs")) &&
      (row.params.integer("seed") || row.params.isNull("seed"));
  if (!records || !count || !drops || !shuffle || !rank || !known) return unknownParameters();
  const sampling::GrainArguments arguments = {
      *records, *count, *drops, *shuffle, row.params.integer("num_epochs"), row.params.integer("seed")};
  if (row.error) return compareError(row, arguments.check(*rank));
  const auto spec =
      specByName(row, "num_records=dataset_size shard_count=world_size drop_remainder shuffle num_epochs seed");
  if (!spec) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofItems(*drawn);
  answer.length = arguments.length(*rank);
  return compare(row, answer);
}

}  // namespace
}  // namespace grain_rows

std::vector<Replay> grainReplays() {
  using namespace grain_rows;
  return {
      {"grain", "IndexSampler", replaySampler},
      {"grain", "even_split [start,end)", replaySplit},
      {"grain", "index_shuffle", replayIndexShuffle},
  };
}

}  // namespace shardlens::selftest
