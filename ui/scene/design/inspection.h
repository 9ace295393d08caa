// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "core/base/work.h"
#include "ui/state/plan_service.h"
#include "ui/state/selection.h"

#include <QString>

#include <optional>
#include <vector>

namespace shardlens::ui {

/// A sample id as a chip: what it is in its place, and what the whole epoch says about it.
struct SampleChip {
  qint64 id = 0;
  bool padding = false;
  bool shared = false;  ///< another rank gets it in this epoch too
};

/// All that is said about what is selected: a title, facts by name, a sentence, and sample ids.
struct Inspection {
  struct Fact {
    QString name;
    QString value;
    std::optional<Selected> place = {};  ///< what the value selects as a whole
  };
  QString title;
  Selected about;  ///< what the texts are about, for their links
  std::vector<Fact> facts;
  QString sentence;
  std::vector<SampleChip> chips;  ///< at most kMostChips
  qint64 samples = 0;             ///< how many there are, shown or not
  bool is_overview = false;       ///< nothing is selected: this is the epoch as a whole
  bool complete = true;           ///< false: a longer search is still to come, see inspectFully()
};

constexpr std::size_t kMostChips = 1000;

/// What can be said at once, without going through an epoch. Nothing selected is the epoch as a whole.
/// Empty title: there is no plan, or no such rank.
Inspection inspect(const PlanSnapshot& answer, const Selected& selected);

/// The same with what takes a search through whole epochs: which ids other ranks have too, what two ranks share.
/// Long for large plans; nothing when it was stopped.
std::optional<Inspection> inspectFully(const PlanSnapshot& answer, const Selected& selected, const Work& work);

/// The inspection as a text to take along.
QString asYaml(const Inspection& inspection);
QString asCsv(const Inspection& inspection);
/// "shardlens plan spec.yaml --epoch 0 --rank 2": the headless twin of what is shown.
QString twinOf(const Selected& selected, const QString& spec_path);

/// "2 errors · 1 note · 3 fine"
QString findingCounts(const std::vector<Finding>& findings);
/// All of them, for people.
QString findingsText(const std::vector<Finding>& findings);
/// One line each, for programs.
QString findingsCsv(const std::vector<Finding>& findings);
/// Where the finding is seen, with its code.
Selected placeOf(const Finding& finding);

}  // namespace shardlens::ui
