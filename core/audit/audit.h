// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/note.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"
#include "core/spec/edit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// What would mend a finding; the window applies all edits, in their order, as one undoable command (applyEdits).
struct Fix {
  std::string label;  ///< "Pass rank and world_size to the sampler"
  std::vector<Edit> edits;
};

/// Where a finding is seen. Empty and absent parts mean "everywhere".
struct Where {
  std::vector<std::int64_t> ranks;  ///< ascending; at most kShownIds
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

  /// A proof that something is well rather than a problem: shown in green.
  [[nodiscard]] bool isProof() const { return code.starts_with("ok-"); }
};

constexpr std::size_t kShownIds = 1000;

/// How often each sample of the dataset is handed out in one epoch, over all ranks and batches.
struct Coverage {
  std::int64_t epoch = 0;
  std::int64_t dataset_size = 0;
  std::int64_t handed_out = 0;          ///< items in batches, padding included
  std::int64_t seen = 0;                ///< distinct samples
  std::int64_t missing = 0;             ///< samples that no rank gets: dataset_size - seen
  std::int64_t duplicated = 0;          ///< distinct samples handed out more than once
  std::int64_t padding = 0;             ///< items yielded only to make the order divide evenly, over all ranks
  std::int64_t padding_positions = 0;   ///< the same, counted once when several ranks read the same slice
  std::int64_t dropped_by_sampler = 0;  ///< positions of the order that lie in no rank's slice
  std::int64_t dropped_by_loader =
      0;  ///< items of short last batches that loader.drop_last throws away, over all ranks
  /// [k] = number of samples handed out k times, k up to the most; [255] counts "255 times or more".
  std::vector<std::int64_t> times_seen;
  std::vector<SampleIndex> missing_ids;     ///< the first kShownIds, ascending
  std::vector<SampleIndex> duplicated_ids;  ///< likewise
  std::vector<SampleIndex> padding_ids;     ///< likewise, without repeats

  bool operator==(const Coverage&) const = default;
};

/// A square table of shared distinct samples: rank x rank in one epoch, or epoch x epoch of one rank. Counts what
/// stands in batches; what loader.drop_last throws away is not shared.
struct Overlap {
  std::int64_t size = 0;
  std::vector<std::int64_t> shared;  ///< size * size, row-major; the diagonal is the row's own distinct samples
  std::vector<std::int64_t>
      same_as;  ///< [row] = the first row with item for item the same batches, the row itself when new
  [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t column) const {
    return shared[static_cast<std::size_t>(row * size + column)];
  }
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
  std::int64_t worker = -1;  ///< -1: the rank's own process
  std::uint64_t seed = 0;    ///< torch.initial_seed() there
  std::uint32_t stream = 0;  ///< the low 32 bits: all that the torch CPU generator uses
  std::int64_t equal_to =
      -1;  ///< index of the first row of the same kind and epoch with the same stream, -1 = none before
};

struct SeedTable {
  std::vector<SeedRow> rows;           ///< epoch-major, then rank, then worker; at most kSeedRows, whole ranks
  std::int64_t epochs = 0;             ///< epochs that `rows` covers, the last one perhaps not whole
  std::int64_t ranks = 0;              ///< ranks of epoch 0 in `rows`: what the counts below are about
  std::int64_t distinct_ranks = 0;     ///< different rank streams in epoch 0
  std::int64_t colliding_ranks = 0;    ///< ranks whose stream another rank of epoch 0 has too
  std::int64_t distinct_workers = 0;   ///< different worker streams in epoch 0
  std::int64_t colliding_workers = 0;  ///< workers of epoch 0 whose stream another one has too
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
  std::int64_t prefetched_batches = 0;  ///< num_workers * prefetch_factor, per rank, at most its batches
  std::int64_t prefetched_samples = 0;  ///< the samples in them
};

struct AuditReport {
  std::vector<Finding> findings;   ///< errors first, then warnings, then infos with the proofs last
  std::vector<Coverage> coverage;  ///< one for each audited epoch
  Overlap ranks;   ///< of the first audited epoch; of its first `size` ranks when there are more than kOverlapRanks
  Overlap epochs;  ///< of rank 0 over the audited epochs: how much of its slice comes back
  EpochRepeats repeats;
  SeedTable seeds;
  Lockstep lockstep;
  MemoryEstimate memory;

  [[nodiscard]] bool hasErrors() const;
  [[nodiscard]] std::int64_t count(Severity severity) const;
};
constexpr std::int64_t kOverlapRanks = 1024;

struct AuditOptions {
  std::int64_t first_epoch = 0;
  std::int64_t epochs = 2;  ///< how many to audit, cut at the spec's
};

/// Everything that can be said about a plan. Long for large plans: run it off the GUI thread.
Result<AuditReport> audit(const Plan& plan, const AuditOptions& options = {}, const Work& work = {});

/// The parts, for callers that want one alone. All stop with Cancelled within 50 ms when `work` says so.
Result<Coverage> coverageOf(const Plan& plan, Epoch epoch, const Work& work = {});
/// Exact for the first kOverlapRanks ranks, or for fewer when their samples would not fit into 1 GB.
Result<Overlap> rankOverlap(const Plan& plan, Epoch epoch, const Work& work = {});
/// The same for one rank's epochs first .. first + count - 1: how much of its slice comes back.
Result<Overlap> epochOverlap(const Plan& plan, Rank rank, Epoch first, std::int64_t count, const Work& work = {});
/// The ids that both ranks get in the epoch, ascending; at most `most`.
Result<std::vector<SampleIndex>> sharedSamples(const Plan& plan, Epoch epoch, Rank a, Rank b,
                                               std::size_t most = kShownIds, const Work& work = {});
/// Compares epochs 0 .. epochs - 1, cut where it would take long; `epochs` of the result says how many.
Result<EpochRepeats> epochRepeats(const Plan& plan, std::int64_t epochs, const Work& work = {});
SeedTable seedTable(const Plan& plan, std::int64_t epochs);
Lockstep lockstep(const Plan& plan, Epoch epoch);

}  // namespace shardlens
