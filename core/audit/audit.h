// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/finding.h"
#include "core/audit/ledger.h"
#include "core/audit/note.h"
#include "core/audit/overlap.h"
#include "core/audit/run_ledger.h"
#include "core/audit/seed_table.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/counted_plan.h"
#include "core/plan/plan.h"
#include "core/schedule/hang.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// Which ranks run out first, and what that does to the others.
struct Lockstep {
  std::vector<std::int64_t> batches;  ///< of each rank, epoch `epoch`
  std::int64_t epoch = 0;
  std::int64_t fewest = 0;
  std::int64_t most = 0;
  std::vector<std::int64_t> first_out;  ///< the ranks that stop at step `fewest`, when fewest < most
};

/// The batches of every rank in the epoch that is counted.
Lockstep lockstep(const EpochShape& shape);

/// What the plan itself costs, and what each rank's loader holds.
struct MemoryEstimate {
  std::int64_t order_bytes = 0;         ///< orders of one epoch in this program
  std::int64_t prefetched_batches = 0;  ///< num_workers * prefetch_factor, per rank, at most its batches
  std::int64_t prefetched_samples = 0;  ///< the samples in them
};

/// What an audit says of a design whose order is not known.
struct UnknownOrder {
  Error why;
  bool has_readings = false;       ///< whether it is known how often samples are read, and what ranks share
  std::vector<EpochShape> shapes;  ///< of each audited epoch
};

/// Every result about one plan.
struct AuditReport {
  std::vector<Finding> findings;  ///< as sortFindings() puts them
  std::vector<Ledger> coverage;   ///< the ledger of each audited epoch
  RunLedger run;                  ///< of the audited epochs and those after them, as far as it says
  Overlap ranks;   ///< of the first audited epoch; of its first `size` ranks when there are more than kOverlapRanks
  Overlap epochs;  ///< of rank 0 over the audited epochs: how much of its slice it reads again
  EpochRepeats repeats;
  SeedTable seeds;
  Lockstep lockstep;                               ///< of the first audited epoch
  std::vector<std::int64_t> steps;                 ///< of each audited epoch: batches of the rank that has most
  std::vector<std::vector<std::int64_t>> batches;  ///< of each audited epoch, by rank
  MemoryEstimate memory;
  bool reads_all = false;       ///< as of AuditOptions
  std::int64_t all_epochs = 0;  ///< likewise
  /// Set by auditCounts() only. Results that depend on the order are then empty: lists of samples, `run`, `epochs`,
  /// `repeats`, `seeds`, `memory`, `ranks.same_as`, and without has_readings also `coverage` and `ranks`.
  std::optional<UnknownOrder> unknown_order;
  std::optional<schedule::Hang> hang;  ///< of the schedule; nothing also where it could not be followed
  std::optional<Error> not_followed;   ///< why the schedule could not be followed

  [[nodiscard]] bool hasErrors() const;
  [[nodiscard]] std::int64_t count(Severity severity) const;
};

/// Puts errors first, then warnings, then infos with the proofs last; equal ones stay in their order.
void sortFindings(std::vector<Finding>& findings);

/// What audit() looks at.
struct AuditOptions {
  std::int64_t first_epoch = 0;
  std::int64_t ran_from = 0;    ///< the first epoch of a job that ran: nothing is said of those before it in its plan
  std::int64_t epochs = 2;      ///< how many to audit, at most the spec's
  std::int64_t all_epochs = 0;  ///< that sentences count, where the plan has no more than may be judged; 0: the plan's
  bool reads_all = false;       ///< what the ranks read is all that was theirs to read, as of a Subset of the dataset
  bool fixes = true;            ///< whether to try what would fix the findings: each try is an audit of its own
  bool later_epochs = true;     ///< whether to count what epochs after them read, where that is quick
  /// What schedule::hangOf() said of the plan, where it was asked before.
  const Result<std::optional<schedule::Hang>>* hang = nullptr;
  bool own_ids = true;  ///< whether to look up the first sample of ranks, for the seed table
};

/// How many epochs to audit by default: all from `first_epoch` on if they are few and small, so that nothing is
/// guessed, otherwise as many as AuditOptions has. Draws the first epoch when its length is not known otherwise.
std::int64_t usualEpochs(const Plan& plan, std::int64_t first_epoch = 0, const Work& work = {});

/// Everything that can be said about a plan. Takes long for large plans: run it off the GUI thread.
Result<AuditReport> audit(const Plan& plan, const AuditOptions& options = {}, const Work& work = {});

/// What holds in every order, for a design whose order is not known. Counts the first of the requested epochs, as long
/// as they are alike, and offers no fix.
Result<AuditReport> auditCounts(const CountedPlan& counted, const AuditOptions& options = {}, const Work& work = {});

/// The errors of the audit, in a sentence or two each, for the head of an exported file.
std::vector<std::string> errorSentences(const AuditReport& report);

}  // namespace shardlens
