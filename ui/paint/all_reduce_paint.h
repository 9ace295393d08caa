// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/tabs/all_reduce.h"
#include "ui/scene/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>

#include <cstddef>
#include <optional>

namespace shardlens::ui {

/// What paintReduceRounds() takes for so many ranks.
double reduceRoundsHeight(const QFontMetricsF& metrics, qsizetype ranks);

/// Which of so many rows is at this distance from the top of its area; nothing at the head and below the rows.
std::optional<std::size_t> reduceRowAt(const QFontMetricsF& metrics, double y, qsizetype ranks);

/// One algorithm after so many rounds: its head, and a row for each rank with what it holds; while there is another
/// round its messages, and behind their arrows what the ranks hold then. What has no room is elided.
void paintReduceRounds(QPainter& painter, const QRectF& area, const AllReduceScene& scene, const ReduceRounds& rounds,
                       std::size_t done, const Theme& theme);

}  // namespace shardlens::ui
