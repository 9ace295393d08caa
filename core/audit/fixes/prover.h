// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/findings/facts.h"
#include "core/audit/fixes/judgement.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::fixes {

/// A fix that holds, and what is still wrong with the plan that it makes.
struct ProvenFix {
  Fix fix;
  PipelineSpec spec;  ///< the fixed one
  Burden burden;
};

/// Tries fixes of one plan: makes the fixed plan, judges it and compares. `facts` outlives it.
class Prover {
 public:
  Prover(const Facts& facts, const std::vector<Finding>& findings, const Work& work);

  /// The proposed fix with its effect and its price. Nothing when the framework refuses the
  /// fixed spec, the finding stays, a new error appears, a rank that had batches is left without any,
  /// or the burden is not lower; also nothing when it is stopped or would take too long.
  std::optional<ProvenFix> prove(const Finding& finding, const Fix& proposed);

 private:
  struct Mended {
    PipelineSpec spec;
    std::optional<Judgement> judgement;  ///< nothing when there is none
  };

  const std::optional<Judgement>& mended(PipelineSpec spec);
  [[nodiscard]] bool holds(const Judgement& mended, const Finding& finding) const;

  const Facts& facts_;
  Work work_;
  AuditOptions options_;
  std::optional<Judgement> present_;
  std::deque<Mended> tried_;  ///< several findings may have the same fix
};

}  // namespace shardlens::fixes
