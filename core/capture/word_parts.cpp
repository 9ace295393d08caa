// SPDX-License-Identifier: Apache-2.0
#include "core/capture/word_parts.h"

#include "core/base/text.h"

#include <utility>

namespace shardlens::words {

using capture::JobLoader;
using capture::RankLoader;

Error badInput(std::string message, const std::string& path, std::string hint) {
  return Error{ErrorCode::BadInput, std::move(message), Place{path, 0, 0, {}}, std::move(hint)};
}

std::string ranksText(const std::vector<std::int64_t>& ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + listed(ranks);
}

std::vector<std::int64_t> ranksOf(const JobLoader& job) {
  std::vector<std::int64_t> ranks;
  for (const RankLoader& rank : job.ranks) ranks.push_back(rank.rank);
  return ranks;
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string lostText(std::int64_t count) {
  if (count == 0) return {};
  return " " + grouped(count) + (count == 1 ? " more batch was" : " more batches were") + " drawn and not recorded.";
}

std::string queuedText(const capture::Agreement& agreement) {
  if (agreement.queued == 0) return {};
  return " " + grouped(agreement.queued) +
         (agreement.queued == 1 ? " more batch was queued" : " more batches were queued") +
         (agreement.is_ended      ? " and never handed to the loop."
          : agreement.queued == 1 ? "; not every process said whether the loop got it."
                                  : "; not every process said whether the loop got them.");
}

std::string unfinishedText(const capture::Agreement& agreement) {
  if (agreement.unfinished.empty()) return {};
  return " " + capitalized(ranksText(agreement.unfinished)) + " may have read more than was recorded.";
}

std::string namedLoader(const JobLoader& job) {
  return job.name.starts_with("loader") ? job.name : "loader " + job.name;
}

}  // namespace shardlens::words
