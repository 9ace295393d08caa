// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/workspace.h"

#include "core/launch/launch_command.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace shardlens::ui {
namespace {

/// So far into a step all of its batches have landed.
constexpr double kDealt = 0.9;

void fitPlayhead(const PlanSnapshot& snapshot, Playback& playback) {
  if (!snapshot.plan && !snapshot.issues.empty()) playback.setExtent(playback.epochs(), 0);  // nothing can be played
  if (!snapshot.plan) return;
  // Until the steps are counted, as many as before: the playhead stays where it is.
  playback.setExtent(snapshot.plan->epochs(), snapshot.shape ? snapshot.shape->steps : playback.steps());
}

}  // namespace

Workspace::Workspace(SamplerCatalogue catalogue) : document(catalogue), plans(catalogue) {
  QObject::connect(&document, &Document::leaving, &plans, [this] {
    lacks_size = false;
    plans.forget();
  });
  QObject::connect(&document, &Document::specChanged, &plans, [this] { plan(); });
  QObject::connect(&playback, &Playback::epochChanged, &plans, [this] { plan(); });
  QObject::connect(&plans, &PlanService::snapshotChanged, &playback,
                   [this] { fitPlayhead(*plans.snapshot(), playback); });
  // Ranks, steps and samples are those of a job; another one has others.
  QObject::connect(&runs, &RunService::runFileChanged, &selection, &Selection::forget);
  plan();
}

void Workspace::plan() {
  if (!lacks_size || document.spec().dataset.size > 0) return plans.request(document.spec(), Epoch{playback.epoch()});
  Place place;
  place.field = "dataset.size";
  plans.refuse(document.spec(),
               {ErrorCode::BadInput, phrase("design", "How many samples there are is not known.").toStdString(), place,
                phrase("design", "Type it: nothing is counted before.").toStdString()});
}

RunStatePtr Workspace::runOfDesign() const {
  const RunStatePtr state = runs.state();
  return state != nullptr && state->world_size == document.spec().worldSize() ? state : nullptr;
}

PlanSnapshotPtr Workspace::answer() const {
  PlanSnapshotPtr snapshot = plans.snapshot();
  const auto report = audits.report();
  if (report == snapshot->audit) return snapshot;
  auto of_epoch = std::make_shared<PlanSnapshot>(*snapshot);
  of_epoch->audit = report;
  return of_epoch;
}

void Workspace::goTo(Selected place) {
  if (place.epoch || place.step) {
    const qint64 step = std::min(place.step.value_or(0), std::max<qint64>(0, playback.steps() - 1));
    // At the first step nothing has begun to play, and everything is seen.
    const double position = step == 0 ? 0 : static_cast<double>(step) + kDealt;
    playback.seek(place.epoch.value_or(playback.epoch()), position);
    if (place.step) place.step = step;
  }
  if (!place.ranks.empty() && !place.epoch) place.epoch = playback.epoch();
  selection.select(std::move(place));
}

QString Workspace::specArgument() const {
  if (document.path().isEmpty()) return QStringLiteral("spec.yaml");
  return QString::fromStdString(shellQuoted(document.path().toStdString()));
}

}  // namespace shardlens::ui
