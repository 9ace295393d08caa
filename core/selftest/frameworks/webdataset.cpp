// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/python.h"
#include "core/sampling/webdataset/shuffle.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

namespace shardlens::selftest {
namespace webdataset_rows {
namespace {

RowVerdict replaySplit(const VectorRow& row, Planner& /*planner*/) {
  const auto shards = row.params.integer("num_shards");
  const auto world = row.params.integer("world_size");
  const auto workers = row.params.integer("num_workers");
  const auto rank = row.fields.integer("rank");
  const auto worker = row.fields.integer("worker");
  const bool known = row.params.onlyHas({"num_shards", "world_size", "num_workers"});
  if (!shards || !world || !workers || !rank || !worker || !known) return unknownParameters();
  const bool in_range = *world >= 1 && *workers >= 0 && *rank >= 0 && *rank < *world && *worker >= 0 &&
                        *worker < std::max<std::int64_t>(1, *workers);
  if (!in_range) return unsupported("no such rank or worker");
  Answer answer;
  answer.indices = sampling::webDatasetShare(*shards, *rank, *world, *worker, *workers);
  return compare(row, answer);
}

/// Both shuffles of 0..n-1; detshuffle adds the epoch to its seed.
RowVerdict replaySeededShuffle(const VectorRow& row, std::int64_t epoch) {
  const auto n = row.params.integer("n");
  const auto bufsize = row.params.integer("bufsize");
  const auto initial = row.params.integer("initial");
  const auto seed = row.params.integer("seed");
  const bool known = row.params.onlyHas({"n", "bufsize", "initial", "seed"});
  if (!n || *n < 0 || !bufsize || !initial || !seed || !known) return unknownParameters();
  if (*seed > std::numeric_limits<std::int64_t>::max() - epoch) return unsupported("the seed is too large");
  std::vector<std::int64_t> items(static_cast<std::size_t>(*n));
  std::iota(items.begin(), items.end(), std::int64_t{0});
  Answer answer;
  answer.indices = sampling::WebDatasetShuffle{*bufsize, *initial}.run(items, PythonRandom(*seed + epoch));
  return compare(row, answer);
}

RowVerdict replayDetshuffle(const VectorRow& row, Planner& planner) {
  const std::int64_t epoch = row.fields.integer("epoch").value_or(0);
  return planner.allows(epoch) ? replaySeededShuffle(row, epoch) : unsupported("an impossible epoch");
}

RowVerdict replayResampled(const VectorRow& row, Planner& planner) {
  const auto urls = row.params.integer("num_urls");
  const auto nshards = row.params.integer("nshards");
  const auto seed = row.params.integer("seed");
  const auto worker_seed = row.params.integer("worker_seed");
  const std::int64_t epoch = row.fields.integer("epoch").value_or(0);
  const bool known = row.params.onlyHas({"num_urls", "nshards", "seed", "worker_seed", "deterministic"}) &&
                     row.params.flag("deterministic") == true && planner.allows(epoch);
  if (!urls || *urls < 0 || !nshards || !seed || !worker_seed || !known) return unknownParameters();
  if (*urls == 0) {
    return compareError(row,
                        sampling::raised("ValueError", "empty_check=True, but no shards found in ResampledShards"));
  }
  Answer answer;
  answer.indices = sampling::webDatasetResampled(*urls, *nshards, *worker_seed, epoch, *seed);
  return compare(row, answer);
}

/// Whole numbers as texts.
std::optional<std::vector<std::int64_t>> numbers(const nlohmann::json* texts) {
  if (texts == nullptr || !texts->is_array()) return std::nullopt;
  std::vector<std::int64_t> read;
  for (const nlohmann::json& text : *texts) {
    if (!text.is_string()) return std::nullopt;
    const auto& digits = text.get_ref<const std::string&>();
    const char* const end = digits.data() + digits.size();
    const auto [after, error] = std::from_chars(digits.data(), end, read.emplace_back());
    if (error != std::errc{} || after != end) return std::nullopt;
  }
  return read;
}

RowVerdict replaySeed(const VectorRow& row, Planner& /*planner*/) {
  const auto args = numbers(row.params.find("args"));
  const auto wanted = row.fields.integer("value");
  if (!args || !wanted || !row.params.onlyHas({"args"})) return unknownParameters();
  const std::int64_t got = sampling::webDatasetSeed(*args);
  return got == *wanted ? passed() : failed("value: " + std::to_string(got) + ", not " + std::to_string(*wanted));
}

}  // namespace
}  // namespace webdataset_rows

std::vector<Replay> webDatasetReplays() {
  using namespace webdataset_rows;
  return {
      {"webdataset", "ResampledShards", replayResampled},
      {"webdataset", "detshuffle", replayDetshuffle},
      {"webdataset", "make_seed", replaySeed},
      {"webdataset", "shuffle(seed)", [](const VectorRow& row, Planner&) { return replaySeededShuffle(row, 0); }},
      {"webdataset", "split_by_node+split_by_worker", replaySplit},
  };
}

}  // namespace shardlens::selftest
