// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/epoch_turn.h"

#include <QPainter>
#include <QRegion>

namespace shardlens::ui {

/// Lines from the places of samples in the dataset to their places in the order of the epoch that begins.
void paintTurn(QPainter& painter, const EpochTurn& turn);
/// The pixels that paintTurn() touches.
QRegion regionOf(const EpochTurn& turn);

}  // namespace shardlens::ui
