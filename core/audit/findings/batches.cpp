// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/audit/loading_workers.h"

namespace shardlens::findings {

void batchLargerThanSlice(const Facts& facts, std::vector<Finding>& findings) {
  if (!facts.loaderCutsBatches()) return;
  const std::int64_t samples = facts.smallestSlice();
  const std::int64_t batch = facts.spec().loader.batch_size;
  if (samples == 0 || samples >= batch) return;
  const bool lost = facts.spec().loader.drop_last;
  Finding finding = told("batch-larger-than-slice", FindingTopic::Batches, lost ? Severity::Error : Severity::Warning,
                         words::batchLargerThanSlice(samples, batch, lost));
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = "loader.batch_size";
  findings.push_back(std::move(finding));
}

void shortLastBatch(const Facts& facts, std::vector<Finding>& findings) {
  if (!facts.loaderCutsBatches()) return;
  const RankEpochShape& shape = facts.shape().ranks.front();
  const std::int64_t batch = facts.spec().loader.batch_size;
  const std::int64_t left = shape.samples % batch;
  if (facts.spec().loader.drop_last || left == 0 || shape.batches < 2) return;
  Finding finding = told("short-last-batch", FindingTopic::Batches, Severity::Info,
                         words::shortLastBatch(facts.worldSize(), left, batch, shape.batches - 1));
  finding.where.epoch = facts.coverage().epoch;
  finding.where.step = shape.batches - 1;
  finding.where.field = "loader.drop_last";
  findings.push_back(std::move(finding));
}

void idleWorkers(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t workers = facts.spec().loader.num_workers;
  const std::int64_t batches = facts.report().lockstep.most;
  if (batches == 0 || workers == 0) return;
  const LoadingWorkers loaders = loadingWorkers(facts.plan(), facts.shape(), facts.work());
  if (workers <= loaders.count) return;
  Finding finding = told("idle-workers", FindingTopic::Batches, Severity::Warning,
                         words::idleWorkers(workers, loaders.count, loaders.named ? 0 : batches));
  finding.where.field = "loader.num_workers";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
