// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spec/pipeline_spec.h"
#include "ui/state/selection.h"

#include <QString>

#include <optional>
#include <vector>

namespace shardlens::ui {

/// The text as HTML in which each rank, pair of ranks, epoch, step, sample, worker and seed that it names by number is
/// a link (linkTo), and each command one that copies it (copiedBy). `context` is what the text is about: it completes a
/// step or a worker that is named alone. The text itself, not escaped, when it names nothing.
QString linked(const QString& text, const Selected& context = {});

/// The command that this link copies; nothing for a link to a place.
std::optional<QString> copiedBy(const QString& link);

/// The same sentence, in which each command begins a line of its own: broken at a hyphen, it cannot be read.
QString commandsApart(QString text);

/// The text as HTML in which each number is a link to the sample of that id: "1, 5, 9".
QString linkedSamples(const QString& ids);

/// The same words, of which long ones, names of classes and files, may break between their parts: for what is shown and
/// not copied.
QString breakable(const QString& text);

/// The same words, of which none is parted from the number before it: "2 562 336 samples" stands on one line.
QString unbroken(const QString& text);

/// The whole text as a link, as HTML.
QString linkText(const QString& text, const Selected& place);

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
