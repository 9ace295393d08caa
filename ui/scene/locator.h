// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spec/pipeline_spec.h"
#include "ui/state/selection.h"

#include <QString>

#include <vector>

namespace shardlens::ui {

/// Something that can be gone to by name: an action, a finding, an export... `id` says which to whoever goes there.
struct LocatorTarget {
  enum class Kind { Action, Field, Finding, Export, Example };
  Kind kind = Kind::Action;
  QString id;
  QString text;
  QString detail;  ///< the shortcut, the value, what comes of it
};

/// One line of the answer: a target by name, or a place in the plan.
struct LocatorHit {
  QString text;
  QString detail;
  std::vector<LocatorTarget> target;  ///< one or none
  Selected place;                     ///< when there is no target
};

/// What the query may mean, best first: "rank 3 epoch 1 step 7" (also r3 e1 s7), a sample id, "ranks 3 and 7" (also
/// 3-7 and 3 7), words of a name. An empty query lists nothing. What lies outside the plan is left out.
std::vector<LocatorHit> locate(const QString& query, const PipelineSpec& spec,
                               const std::vector<LocatorTarget>& targets);

constexpr std::size_t kMostHits = 12;

}  // namespace shardlens::ui
