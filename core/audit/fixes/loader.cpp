// SPDX-License-Identifier: Apache-2.0
// What the loader is told: batch size and workers.
#include "core/audit/fixes/remedies.h"
#include "core/audit/loading_workers.h"
#include "core/base/text.h"

#include <algorithm>

namespace shardlens::fixes {
namespace {

/// Some samplers fill up to batches themselves: with another batch size they hand out other samples.
bool sharesStay(const EpochShape& before, const EpochShape& after) {
  return std::ranges::equal(before.ranks, after.ranks, {}, &RankEpochShape::samples, &RankEpochShape::samples);
}

}  // namespace

std::optional<Candidate> shrinkBatch(const Facts& facts, const Finding& /*finding*/) {
  const std::int64_t samples = facts.smallestSlice();
  return Candidate{{"Set batch_size to " + grouped(samples), {{"loader.batch_size", samples}}},
                   [&facts](const Plan&, const EpochShape& shape) { return sharesStay(facts.shape(), shape); }};
}

std::optional<Candidate> useFewerWorkers(const Facts& facts, const Finding& /*finding*/) {
  const std::int64_t loading = loadingWorkers(facts.plan(), facts.shape(), facts.work()).count;
  return Candidate{{"Set num_workers to " + grouped(loading), {{"loader.num_workers", loading}}},
                   [&facts, loading](const Plan& mended, const EpochShape& shape) {
                     return loadingWorkers(mended, shape, facts.work()).count == loading;
                   }};
}

}  // namespace shardlens::fixes
