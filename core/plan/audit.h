// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"
#include "core/spec/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

enum class Severity { Error, Warning, Info };

/// One change of the spec.
struct Edit {
  std::string path;
  Value value;
};

/// What would mend a finding; the window applies all edits as one undoable command.
struct Fix {
  std::string label;  ///< "Pass rank and world_size to the sampler"
  std::vector<Edit> edits;
};

/// Where a finding is seen. Empty and absent parts mean "everywhere".
struct Where {
  std::vector<std::int64_t> ranks;
  std::optional<std::int64_t> epoch;
  std::optional<std::int64_t> step;
  std::vector<SampleIndex> samples;  ///< at most kShownIds
  std::string field;                 ///< the spec's field that causes it, "sampler.rank"
};

/// One verdict about a plan.
struct Finding {
  std::string code;  ///< stable, kebab-case: "ranks-share-samples"
  Severity severity = Severity::Info;
  std::string title;    ///< a short verdict: "Two nodes read the same slices"
  std::string message;  ///< the sentence with the numbers
  std::string why;
  std::optional<Fix> fix;
  Where where;
};

constexpr std::size_t kShownIds = 1000;

/// How often each sample of the dataset is handed out in one epoch, over all ranks and batches.
struct Coverage {
  std::int64_t epoch = 0;
  std::int64_t dataset_size = 0;
  std::int64_t handed_out = 0;  ///< items in batches, padding included
  std::int64_t seen = 0;        ///< distinct samples
  std::int64_t missing = 0;     ///< samples that no rank gets: dataset_size - seen
  std::int64_t duplicated = 0;  ///< distinct samples handed out more than once
  std::int64_t padding = 0;     ///< items that only make the order divide evenly
  std::int64_t dropped_by_sampler = 0;
  std::int64_t dropped_by_loader = 0;
  std::vector<std::int64_t>
      times_seen;  ///< [k] = number of samples handed out k times; the last entry is "that often or more"
  std::vector<SampleIndex> missing_ids;     ///< the first kShownIds, ascending
  std::vector<SampleIndex> duplicated_ids;  ///< likewise
  std::vector<SampleIndex> padding_ids;     ///< likewise
};

/// A square table of shared distinct samples: rank x rank in one epoch, or epoch x epoch.
struct Overlap {
  std::int64_t size = 0;
  std::vector<std::int64_t> shared;  ///< size * size, row-major; the diagonal is the row's own distinct samples
  [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t column) const { return shared[row * size + column]; }
};

/// Epoch against epoch: whether orders repeat.
struct EpochRepeats {
  std::int64_t epochs = 0;  ///< how many were compared, from 0
  std::vector<std::int64_t>
      same_as;  ///< [e] = the earliest epoch whose every batch of every rank is equal, e itself when new
};

/// The seeds of one rank, or of one worker in it, in one epoch. 64-bit as the framework keeps them.
struct SeedRow {
  std::int64_t epoch = 0;
  std::int64_t rank = 0;
  std::int64_t worker = -1;    ///< -1: the rank's own process
  std::uint64_t seed = 0;      ///< torch.initial_seed() there
  std::uint32_t stream = 0;    ///< the low 32 bits: all that the torch CPU generator uses
  std::int64_t equal_to = -1;  ///< row number of the first row with the same stream in the same epoch, -1 = none
};

struct SeedTable {
  std::vector<SeedRow> rows;           ///< epoch-major, then rank, then worker; at most kSeedRows, whole ranks
  std::int64_t colliding_ranks = 0;    ///< ranks whose stream another rank of epoch 0 has too
  std::int64_t colliding_workers = 0;  ///< workers likewise
  std::int64_t distinct_ranks = 0;     ///< different rank streams in epoch 0
  bool truncated = false;
};
constexpr std::size_t kSeedRows = 100'000;

/// Who runs out first, and what that does to the others.
struct Lockstep {
  std::vector<std::int64_t> batches;  ///< of each rank, epoch `epoch`
  std::int64_t epoch = 0;
  std::int64_t fewest = 0;
  std::int64_t most = 0;
  std::vector<std::int64_t> first_out;  ///< the ranks that stop at step `fewest`, when fewest < most
};

/// What the plan itself costs, and what each rank's loader holds.
struct MemoryEstimate {
  std::int64_t order_bytes = 0;         ///< orders of one epoch in this program
  std::int64_t prefetched_batches = 0;  ///< num_workers * prefetch_factor, per rank
};

struct AuditReport {
  std::vector<Finding> findings;   ///< errors first
  std::vector<Coverage> coverage;  ///< one for each audited epoch
  Overlap ranks;                   ///< of the first audited epoch; of ranks 0..kOverlapRanks-1 when there are more
  EpochRepeats repeats;
  SeedTable seeds;
  Lockstep lockstep;
  MemoryEstimate memory;

  [[nodiscard]] bool hasErrors() const;
};
constexpr std::int64_t kOverlapRanks = 1024;

struct AuditOptions {
  std::int64_t first_epoch = 0;
  std::int64_t epochs = 2;  ///< how many to audit, cut at the spec's
};

/// Everything that can be said about a plan. Long for large plans: run it off the GUI thread.
Result<AuditReport> audit(const Plan& plan, const AuditOptions& options = {}, const Work& work = {});

/// The parts, for callers that want one alone.
Result<Coverage> coverageOf(const Plan& plan, Epoch epoch, const Work& work = {});
Result<Overlap> rankOverlap(const Plan& plan, Epoch epoch, const Work& work = {});
/// The ids that both ranks get in the epoch, ascending; at most `most`.
Result<std::vector<SampleIndex>> sharedSamples(const Plan& plan, Epoch epoch, Rank a, Rank b,
                                               std::size_t most = kShownIds, const Work& work = {});
SeedTable seedTable(const Plan& plan, std::int64_t epochs);
Lockstep lockstep(const Plan& plan, Epoch epoch);

}  // namespace shardlens
