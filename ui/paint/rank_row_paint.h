// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/board_layout.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/theme.h"

#include <QPainter>

namespace shardlens::ui {

/// The names of the board's columns.
void paintColumnNames(QPainter& painter, const BoardLayout& layout, bool has_table, const Theme& theme);

/// The band behind a row: the rank everybody waits for, and the one the user selected.
void paintRowBand(QPainter& painter, const QRectF& row, bool is_culprit, bool is_selected, const Theme& theme);

/// One rank in words: name, node, step, rate, what it does now, share of waiting.
void paintRankRow(QPainter& painter, const BoardLayout& layout, const QRectF& row, const RankRow& rank, bool has_table,
                  const Theme& theme);

QColor nowColour(NowTone tone, const Theme& theme);

}  // namespace shardlens::ui
