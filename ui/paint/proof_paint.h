// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/proof.h"
#include "ui/scene/theme.h"

#include <QPainter>
#include <QPointF>

namespace shardlens::ui {

/// The cells of a proof of assignment: green is proven, red with a stroke is another batch, hatched was never compared,
/// an outline is still ahead, plain grey is no longer kept.
void paintProof(QPainter& painter, const ProofScene& scene, const Theme& theme);
/// What the cells in view mean, from `at` rightwards; stops where the width ends.
void paintProofLegend(QPainter& painter, QPointF at, double width, const ProofScene& scene, const Theme& theme);

}  // namespace shardlens::ui
