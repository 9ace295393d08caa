// SPDX-License-Identifier: Apache-2.0
// What the loader is told: batch size, global batch and workers.
#include "core/audit/fixes/remedies.h"
#include "core/audit/words/fix_words.h"
#include "core/base/text.h"

namespace shardlens::fixes {

void shrinkBatch(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed) {
  turnTails(facts, finding, proposed);
  const std::int64_t samples = facts.smallestSlice();
  if (samples < 2) return;  // a batch of one sample is no batch: batch norm and contrastive losses fail on it
  proposed.push_back({words::setField("batch_size", grouped(samples)), {{"loader.batch_size", samples}}, {}});
}

void makeWholeStep(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  const std::int64_t samples = facts.dataParallelSize() * facts.spec().loader.batch_size;
  const std::string field = facts.fieldOf(&sampling::SamplerTraits::global_batch);
  proposed.push_back({words::setField(field, grouped(samples)), {{field, samples}}, {}});
}

void useFewerWorkers(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  const std::int64_t loading = facts.loadingWorkers().count;
  proposed.push_back({words::setField("num_workers", grouped(loading)), {{"loader.num_workers", loading}}, {}});
}

}  // namespace shardlens::fixes
