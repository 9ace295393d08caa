// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/note.h"
#include "core/base/ids.h"
#include "core/spec/edit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// A count before a fix and after it.
struct Change {
  std::int64_t before = 0;
  std::int64_t after = 0;

  bool operator==(const Change&) const = default;
};

/// What a fix does: the fixed plan compared with the present one, in the audited epoch in which the fix costs most, of
/// those that have the finding.
struct Effect {
  std::int64_t epoch = 0;
  Change missing;                  ///< samples that no rank gets
  Change repeated;                 ///< items in batches beyond the first reading of their sample, over all ranks
  Change padded;                   ///< items in batches that are padding, over all ranks
  Change steps;                    ///< batches of the rank that has most
  Change fewest_steps;             ///< batches of the rank that has fewest
  std::vector<std::string> added;  ///< codes of findings that only the fixed plan has; no proofs
  std::vector<std::string> gone;   ///< codes of findings that only the present plan has; no proofs

  bool operator==(const Effect&) const = default;
};

/// What fixes a finding; the window applies all edits, in their order, as one undoable command (applyEdits). It was
/// tried: the fixed spec can be planned, its audit no longer has the finding, and what gets worse is named.
struct Fix {
  std::string label;        ///< "Pass rank and world_size to the sampler"
  std::vector<Edit> edits;  ///< no field twice
  Effect effect = {};
  std::string price =
      {};  ///< what it costs: "3 more samples missing; 12 fewer steps per epoch; new finding: ..."; or empty
  /// Fields of the present sampler that the new one does not take, "sampler.seed": a file loses them with its
  /// `sampler.type`. applyEdits() drops them by itself.
  std::vector<std::string> removed = {};
};

/// Where a finding is seen. Empty and absent parts mean "everywhere".
struct Where {
  std::vector<std::int64_t> ranks;                  ///< ascending; all of them
  std::optional<std::int64_t> compared_ranks = {};  ///< only the first so many ranks were looked at; absent: all
  std::optional<std::int64_t> epoch;
  std::optional<std::int64_t> step;
  std::vector<SampleIndex> samples;  ///< at most kShownIds
  /// What shows it, where ranks have it: one of them, at `step`, or two of those that have something in common;
  /// ascending.
  std::vector<std::int64_t> example = {};
  std::optional<std::uint64_t> seed = {};  ///< that several processes have, one of several such seeds
  std::string field;                       ///< the spec's field that causes it, "sampler.rank"
};

/// The question that a finding answers.
enum class FindingTopic {
  Coverage,  ///< which samples are handed out, and how often
  Ranks,     ///< what ranks have in common
  Epochs,    ///< what epochs have in common
  Seeds,     ///< which processes draw the same random numbers
  Steps,     ///< which ranks run out of batches first
  Batches,   ///< the loader: batches and workers
  Runs,      ///< what other runs of this design have in common with it
};

/// One verdict about a plan.
struct Finding {
  std::string
      code;  ///< stable, kebab-case: "ranks-share-samples"; for people and reports, code asks topic and is_proof
  FindingTopic topic = FindingTopic::Coverage;
  Severity severity = Severity::Info;
  std::string title;    ///< a short verdict: "Two nodes read the same slices"
  std::string message;  ///< the sentence with the numbers
  std::string why;
  std::vector<Fix> fixes;  ///< the best first; empty when no remedy is known
  Where where;
  std::vector<std::int64_t> epochs = {};  ///< the audited ones that have it, where others do not; else empty
  std::int64_t amount = 0;                ///< samples or items that it counts in its epoch; 0 where it counts none
  bool is_of_waiting = false;             ///< wrong only where ranks wait for each other
  bool is_proof = false;                  ///< shows that something is well rather than a problem; shown in green
  bool is_of_peers = false;               ///< ranks of one copy of the model should read alike, and do not
  bool leaves_open = false;               ///< says that part of the plan is not known, which may hide problems

  /// The best fix, or null.
  [[nodiscard]] const Fix* fix() const { return fixes.empty() ? nullptr : &fixes.front(); }
};

}  // namespace shardlens
