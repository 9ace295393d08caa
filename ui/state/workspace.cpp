// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/workspace.h"

#include "core/launch/launch_command.h"

#include <algorithm>

namespace shardlens::ui {
namespace {

void fitPlayhead(const PlanSnapshot& snapshot, Playback& playback) {
  if (!snapshot.plan) return;
  const Epoch epoch{std::min<qint64>(playback.epoch(), snapshot.plan->epochs() - 1)};
  playback.setExtent(snapshot.plan->epochs(), snapshot.plan->steps(epoch));
}

}  // namespace

Workspace::Workspace() {
  QObject::connect(&document, &Document::specChanged, &plans, [this] { plan(); });
  QObject::connect(&playback, &Playback::epochChanged, &plans, [this] { plan(); });
  QObject::connect(&plans, &PlanService::snapshotChanged, &playback,
                   [this] { fitPlayhead(*plans.snapshot(), playback); });
  plan();
}

QString Workspace::specArgument() const {
  if (document.path().isEmpty()) return QStringLiteral("spec.yaml");
  return QString::fromStdString(shellQuoted(document.path().toStdString()));
}

}  // namespace shardlens::ui
