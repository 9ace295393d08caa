// SPDX-License-Identifier: Apache-2.0
#include "core/capture/probe_reader.h"

#include <cstdint>
#include <map>
#include <vector>

namespace shardlens::capture {

Result<ProcessFacts> readBatches(const RecordedFile& file, const JobLoader& job, const RankLoader& rank,
                                 const UseBatch& use, const Work& work) {
  std::map<std::int64_t, const PassFacts*> passes;  // by number
  for (const PassFacts& pass : rank.passes) passes[pass.number] = &pass;
  std::vector<SampleIndex> ids;
  const auto take = [&](BatchFacts batch) {
    const auto found = passes.find(batch.pass);
    if (found == passes.end()) return;
    const PassFacts& pass = *found->second;
    batch.is_handed = pass.isHanded(batch.step);
    if (job.datasets.ids == SampleIds::Below && pass.subset && !batch.is_opaque) {
      ids.assign(batch.samples.begin(), batch.samples.end());
      batch.is_opaque = !toIdsBelow(*pass.subset, ids);
      batch.samples = ids;
    }
    use(batch);
  };
  return readProbe(file, take, work);
}

}  // namespace shardlens::capture
