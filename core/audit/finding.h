// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/note.h"
#include "core/audit/shown_ids.h"
#include "core/base/ids.h"
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

/// The question that a finding answers.
enum class FindingTopic {
  Coverage,  ///< which samples are handed out, and how often
  Ranks,     ///< what ranks have in common
  Epochs,    ///< what epochs have in common
  Seeds,     ///< which processes draw the same random numbers
  Steps,     ///< who runs out of batches first
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
  std::optional<Fix> fix;
  Where where;
  bool is_proof = false;  ///< shows that something is well rather than a problem; shown in green
};

}  // namespace shardlens
