// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/flight.h"

#include <QPainter>
#include <QRegion>

namespace shardlens::ui {

/// Samples in the air with their trails, where they left and where they will land, and the glow of what has come.
void paintDeal(QPainter& painter, const DealFrame& deal, const Theme& theme);

/// The pixels that paintDeal() touches.
QRegion regionOf(const DealFrame& deal);

/// Hairs, ribbons, and the glow of batches that have just come.
void paintRibbons(QPainter& painter, const std::vector<Ribbon>& ribbons, const Theme& theme);
QRegion regionOf(const std::vector<Ribbon>& ribbons);

/// Places and batches of a step in the edges of their ranks: dashed before the batch is there, then whole.
void paintMarks(QPainter& painter, const std::vector<DealMark>& marks, const Theme& theme);
QRegion regionOf(const std::vector<DealMark>& marks);

/// Lines from the places of samples in the dataset to their places in the order of the epoch that begins.
void paintTurn(QPainter& painter, const EpochTurn& turn);
/// The pixels that paintTurn() touches.
QRegion regionOf(const EpochTurn& turn);

}  // namespace shardlens::ui
