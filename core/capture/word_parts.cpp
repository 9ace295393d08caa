// SPDX-License-Identifier: Apache-2.0
#include "core/capture/word_parts.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <utility>

namespace shardlens::words {

using capture::JobLoader;
using capture::RankLoader;

Error badInput(std::string message, const std::string& path, std::string hint) {
  return Error{ErrorCode::BadInput, std::move(message), Place{path, 0, 0, {}}, std::move(hint)};
}

std::vector<std::int64_t> ranksOf(const JobLoader& job) {
  std::vector<std::int64_t> ranks;
  for (const RankLoader& rank : job.ranks) ranks.push_back(rank.rank);
  return ranks;
}

std::string inRow(std::span<const std::string> parts) {
  return join(parts, worded("capture", ", "));
}

std::string samplesOf(const std::optional<std::int64_t>& length) {
  return length ? wordedCount(*length, "sample") : worded("capture", "a dataset without len()");
}

std::string lostText(std::int64_t count) {
  if (count == 0) return {};
  return count == 1 ? worded("capture", " 1 more batch was drawn and not recorded.")
                    : filled(worded("capture", " %1 more batches were drawn and not recorded."), grouped(count));
}

std::string queuedText(const JobLoader& job, const capture::Agreement& agreement) {
  const std::int64_t queued = agreement.queued;
  if (queued == 0) return {};
  if (job.goes_on) {
    return queued == 1
               ? worded("capture", " 1 more batch was waiting for the loop when the ranks last reported.")
               : filled(worded("capture", " %1 more batches were waiting for the loop when the ranks last reported."),
                        grouped(queued));
  }
  if (agreement.is_ended) {
    return queued == 1 ? worded("capture", " 1 more batch was queued and never handed to the loop.")
                       : filled(worded("capture", " %1 more batches were queued and never handed to the loop."),
                                grouped(queued));
  }
  return queued == 1 ? worded("capture", " 1 more batch was queued; not every process said whether the loop got it.")
                     : filled(worded("capture",
                                     " %1 more batches were queued; not every process said whether the loop got them."),
                              grouped(queued));
}

std::string raisedText(std::int64_t count) {
  if (count == 0) return {};
  return filled(count == 1 ? worded("capture", " Loading %1 raised an error; it is not among these.")
                           : worded("capture", " Loading %1 raised an error; they are not among these."),
                wordedCount(count, "batch"));
}

std::string unfinishedText(const capture::Agreement& agreement) {
  if (agreement.unfinished.empty()) return {};
  return filled(worded("capture", " %1 may have read more than was recorded."), capitalRanks(agreement.unfinished));
}

std::string namedLoader(const JobLoader& job) {
  return job.name.starts_with("loader") ? job.name : filled(worded("capture", "loader %1"), job.name);
}

}  // namespace shardlens::words
