// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/audit/loading_workers.h"
#include "core/base/text.h"

namespace shardlens::findings {

void batchLargerThanSlice(const Facts& facts, std::vector<Finding>& findings) {
  if (!facts.loaderCutsBatches()) return;
  const std::int64_t samples = facts.smallestSlice();
  const std::int64_t batch = facts.spec().loader.batch_size;
  if (samples == 0 || samples >= batch) return;
  const bool lost = facts.spec().loader.drop_last;
  Finding finding;
  finding.code = "batch-larger-than-slice";
  finding.topic = FindingTopic::Batches;
  finding.severity = lost ? Severity::Error : Severity::Warning;
  finding.title = lost ? "The loader drops the only batch" : "The batch is never full";
  finding.message = "A rank has " + counted(samples, "sample") + " per epoch, and batch_size is " + grouped(batch) +
                    (lost ? ": the short batch is dropped and no step is made." : ".");
  finding.why = "batch_size is per rank: the dataset is divided among the ranks first.";
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
  Finding finding;
  finding.code = "short-last-batch";
  finding.topic = FindingTopic::Batches;
  finding.title = "The last batch is short";
  finding.message = std::string(facts.worldSize() == 1 ? "It has " : "On rank 0 it has ") + grouped(left) + " of " +
                    counted(batch, "sample") + ", in step " + grouped(shape.batches - 1) + ".";
  finding.why = "The mean over a short batch gives each of its samples more weight.";
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
  const std::int64_t loading = loaders.count;
  if (workers <= loading) return;
  Finding finding;
  finding.code = "idle-workers";
  finding.topic = FindingTopic::Batches;
  finding.severity = Severity::Warning;
  finding.title = grouped(workers - loading) + " of " + counted(workers, "worker") + " never load a batch";
  finding.message = loaders.named
                        ? "No rank has more than " + counted(loading, "worker") +
                              " with anything to read: the dataset divides its shards or samples among them itself."
                        : "Each rank has at most " + countedBatches(batches) +
                              " per epoch, and batch i goes to worker i mod " + grouped(workers) + ".";
  finding.why = "Every worker is a process with its own copy of the dataset object.";
  finding.where.field = "loader.num_workers";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
