// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/proof.h"

#include "core/diagnose/batch_prover.h"
#include "core/record/recording_reader.h"

#include <memory>

namespace shardlens {

Result<Proof> prove(const Plan& plan, const std::filesystem::path& run_file, const Work& work) {
  BatchProver prover(std::make_shared<PlannedEpochs>(plan), &work);
  bool stopped = false;
  const auto read = readRecording(run_file, [&](const Event& event) {
    stopped = stopped || work.stopped();
    if (!stopped) prover.use(event);
  });
  if (!read) return read.error();
  return stopped ? cancelled() : prover.result(read->note());
}

}  // namespace shardlens
