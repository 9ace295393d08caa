// SPDX-License-Identifier: Apache-2.0
// Of batches as they were read, no more is said than they show.
#include "core/audit/audit.h"
#include "core/audit/ledger.h"
#include "core/sampling/recorded_lists.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace shardlens;
using test::find;
using test::need;

namespace {

/// Samples of each batch, by rank: the same in two epochs of a job that never seeds.
using Read = std::vector<std::vector<std::vector<std::int64_t>>>;

PipelineSpec specOf(std::int64_t size, std::int64_t batch_size, const Read& read) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, static_cast<std::int64_t>(read.size())};
  spec.loader.batch_size = batch_size;
  spec.seeds = {0, "unseeded"};
  spec.epochs = 2;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> counts;
  for (std::int64_t epoch = 0; epoch < spec.epochs; ++epoch) {
    for (const auto& rank : read) {
      counts.push_back(static_cast<std::int64_t>(rank.size()));
      for (const auto& batch : rank) {
        sizes.push_back(static_cast<std::int64_t>(batch.size()));
        ids.insert(ids.end(), batch.begin(), batch.end());
      }
    }
  }
  sampling::setRecorded(spec, {ids, sizes, counts});
  return spec;
}

AuditReport reportOf(const PipelineSpec& spec) {
  return test::reportOf(spec, {.fixes = false});
}

}  // namespace

TEST_CASE("that the script never seeds does not say what recorded batches depend on") {
  CHECK(need(reportOf(specOf(4, 2, {{{3, 1}}, {{0, 2}}})), "never-seeded").why ==
        "The order of the samples may depend on them. What the process itself draws, such as weights and dropout, "
        "cannot be reproduced.");
}

TEST_CASE("samples in no recorded batch are not said to be not drawn: a loader may have dropped or queued them") {
  const AuditReport report = reportOf(specOf(5, 2, {{{3, 1}}, {{0, 2}}}));
  CHECK(need(report, "samples-left-out").message ==
        "In every epoch, 1 of 5 samples reaches no rank: 1 was not handed out. 1 sample is never read in any of the 2 "
        "epochs.");
  CHECK(missingText(report.coverage[0]) == std::vector<std::string>{"1 not handed out"});
}

TEST_CASE("recorded batches in the order of the dataset do not say that nothing was shuffled") {
  const AuditReport report = reportOf(specOf(3, 2, {{{0, 2}}, {{0}}}));
  CHECK(find(report, "not-shuffled") == nullptr);
  const Finding same = need(report, "epochs-repeat");
  CHECK(same.severity == Severity::Info);
  CHECK(same.title == "Every epoch follows the order of the dataset");
  CHECK(same.message == "Epochs 0 and 1 have the same batches, in the order of the dataset.");
}

TEST_CASE("a sampler that shuffles one sample is not said to shuffle nothing") {
  PipelineSpec spec;
  spec.dataset.size = 1;
  spec.world = {1, 2};
  spec.epochs = 2;
  for (const bool set_epoch : {true, false}) {
    spec.sampler = {"torch.DistributedSampler", {{"shuffle", true}, {"set_epoch", set_epoch}}};
    const AuditReport report = reportOf(spec);
    CHECK(find(report, "not-shuffled") == nullptr);
    CHECK(need(report, "epochs-repeat").severity == Severity::Info);
    CHECK(need(report, "epochs-repeat").message == "Epochs 0 and 1 have the same batches.");
  }
  // With one sample for each rank, other epochs would have other orders.
  spec.dataset.size = 2;
  CHECK(need(reportOf(spec), "epochs-repeat").severity == Severity::Error);
}

TEST_CASE("a rank's only recorded batch is short of what the loader says, not of another rank's") {
  CHECK(need(reportOf(specOf(7, 8, {{{0, 2, 4, 6}}, {{1, 3, 5}}})), "short-last-batch").message ==
        "On every rank, it has 3 to 4 of 8 samples, in step 0.");
}

TEST_CASE("recorded repeats that only make the ranks' shares equal are no error") {
  // 40 samples on 3 ranks, each of which reads 14.
  Read read(3);
  for (std::int64_t item = 0; item < 42; ++item) read[static_cast<std::size_t>(item % 3)].push_back({item % 40});
  const Finding padded = need(reportOf(specOf(40, 1, read)), "ranks-share-samples");
  CHECK(padded.severity == Severity::Warning);
  CHECK(padded.message ==
        "In every epoch, 2 of 42 items repeat what another rank reads: 2 samples are read more than once.");
  CHECK(padded.why ==
        "That many must repeat for all 3 ranks to read equally many items: a sampler that pads does the same.");
  // Ranks of which each reads the only sample; and a repeat in place of a sample.
  CHECK(need(reportOf(specOf(1, 1, {{{0}}, {{0}}})), "ranks-share-samples").severity == Severity::Warning);
  read[2].back() = {0};
  read[2].front() = {0};
  CHECK(need(reportOf(specOf(40, 1, read)), "ranks-share-samples").severity == Severity::Error);
}

TEST_CASE("an epoch that was cut short is not said to have an order of its own") {
  PipelineSpec spec = specOf(4, 2, {{{3, 1}, {0, 2}}});
  sampling::setRecorded(spec, {{3, 1, 0, 2, 3, 1}, {2, 2, 2}, {2, 1}});
  CHECK(find(reportOf(spec), "ok-reshuffled") == nullptr);
  sampling::setRecorded(spec, {{3, 1, 0, 2, 1, 3, 2, 0}, {2, 2, 2, 2}, {2, 2}});
  CHECK(find(reportOf(spec), "ok-reshuffled") != nullptr);
}

TEST_CASE("why a recorded rank has no batch is not said: its sampler may have dealt it some") {
  const Finding empty = need(reportOf(specOf(7, 8, {{{0, 2, 4, 6}}, {}})), "empty-ranks");
  CHECK(empty.where.field.empty());
  CHECK(empty.why == "These are the recorded batches. The recording does not say why these were read.");
}

TEST_CASE("the global batch is as many different samples as all ranks read in it") {
  const AuditReport report = reportOf(specOf(2, 4, {{}, {{0}}, {{0}}, {{0, 1}}}));  // the last one shares, too
  CHECK(need(report, "ranks-share-samples").why.ends_with("The global batch is really 2, not 4."));
}

TEST_CASE("one epoch and one rank are said in the singular") {
  PipelineSpec spec;
  spec.dataset.size = 4;
  spec.world = {1, 1};
  spec.epochs = 2;
  sampling::setRecorded(spec, {{0, 1}, {1, 1}, {2}});
  const auto problem = [&spec] { return Plan::make(spec).error().message; };
  CHECK(problem() == "only 1 epoch was recorded: what comes after it is not known.");
  spec.world = {1, 2};
  CHECK(problem() == "1 rank was recorded, and the world has 2.");
}
