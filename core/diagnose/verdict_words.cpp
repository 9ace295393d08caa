// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdict_words.h"

#include "core/base/text.h"

#include <array>
#include <cstdio>

namespace shardlens::words {
namespace {

std::string listed(const Ranks& ranks, const char* one, const char* more) {
  return (ranks.size() == 1 ? one : more) + shardlens::ranges(ranks);
}

std::string ofGroup(const std::string& group) {
  return group.empty() ? group : " of " + group;
}

}  // namespace

std::string number(double value, const char* format) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string milliseconds(double ms) {
  return ms >= 1000 ? number(ms / 1000) + " s" : number(ms) + " ms";
}

std::string ranks(const Ranks& ranks) {
  return listed(ranks, "rank ", "ranks ");
}

std::string capitalRanks(const Ranks& ranks) {
  return listed(ranks, "Rank ", "Ranks ");
}

std::string agreed(const Ranks& ranks, const char* one, const char* more) {
  return ranks.size() == 1 ? one : more;
}

std::string where(const RankState& rank) {
  return "step " + std::to_string(rank.step) + " of epoch " + std::to_string(rank.epoch);
}

std::string doing(const Evidence& evidence, std::int64_t rank) {
  const RankState& state = evidence.rank(rank);
  if (state.operation) {
    return "in " + operationText(*state.operation) + " #" + std::to_string(state.operation->seq) + ofGroup(state.group);
  }
  const RankTracker& tracker = evidence.tracker(rank);
  const bool has_worked = tracker.load_ms.size() > 0 || tracker.compute_ms.size() > 0;
  return has_worked ? "in " + where(state) : "before its first step";
}

std::string crowding(const RunState& state) {
  if (!state.oversubscribed()) return {};
  return " " + std::to_string(state.world_size) + " ranks share " + std::to_string(state.cores) +
         " cores, so waits include CPU scheduling.";
}

std::string collectiveName(const Evidence& evidence, const Collective& collective) {
  return std::string(operationName(collective.key.op)) + " #" + std::to_string(collective.key.seq) +
         ofGroup(evidence.groups.text(collective.key.group));
}

}  // namespace shardlens::words
