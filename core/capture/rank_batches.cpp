// SPDX-License-Identifier: Apache-2.0
#include "core/capture/probe_reader.h"

#include <cstdint>
#include <map>
#include <vector>

namespace shardlens::capture {

UseBatch batchesFor(const JobLoader& job, const RankLoader& rank, const UseBatch& use) {
  std::map<std::int64_t, const PassFacts*> passes;  // by number
  for (const PassFacts& pass : rank.passes) passes[pass.number] = &pass;
  const bool is_below = job.datasets.ids == SampleIds::Below;
  return [passes, is_below, &use, ids = std::vector<SampleIndex>()](BatchFacts batch) mutable {
    const auto found = passes.find(batch.pass);
    if (found == passes.end()) return;
    const PassFacts& pass = *found->second;
    batch.is_handed = pass.isHanded(batch.step);
    if (is_below && pass.subset && !batch.is_opaque) {
      ids.assign(batch.samples.begin(), batch.samples.end());
      batch.is_opaque = !toIdsBelow(*pass.subset, ids);
      batch.samples = ids;
    }
    use(batch);
  };
}

Result<ProcessFacts> readBatches(const RecordedFile& file, const JobLoader& job, const RankLoader& rank,
                                 const UseBatch& use, const Work& work) {
  return readProbe(file, batchesFor(job, rank, use), work);
}

}  // namespace shardlens::capture
