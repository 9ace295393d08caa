// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/proof.h"
#include "ui/scene/theme.h"

#include <QPainter>
#include <QPointF>

namespace shardlens::ui {

/// The cells of a proof of assignment with their left upper corner at `at`: green is planned, red is not, hatched was
/// never compared, faint is still ahead.
void paintProof(QPainter& painter, QPointF at, const ProofScene& scene, const Theme& theme);

}  // namespace shardlens::ui
