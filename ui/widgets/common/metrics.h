// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace shardlens::ui {

/// A length of the drawings (13 px type) at the size of type in use: 26 px fields grow with the user's font.
int px(int design);

/// The grid: margins of regions, gaps between things, height of a field, distance from a field to the next.
constexpr int kMargin = 16;
constexpr int kGap = 8;
constexpr int kFieldHeight = 26;
constexpr int kFieldPitch = 32;

}  // namespace shardlens::ui
