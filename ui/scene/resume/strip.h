// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/resume/report.h"

#include <vector>

namespace shardlens::ui {

/// A stretch of the planned epoch in time, with the worst of the pieces that fall into it.
struct ResumeStripColumn {
  int from = 0;  ///< device pixels, [from, to)
  int to = 0;
  double repeated = 0;  ///< share of the samples of the worst piece
  double lost = 0;
  bool trained = false;  ///< before the stop

  bool operator==(const ResumeStripColumn&) const = default;
};

/// One row's strip on so many device pixels: a column for each piece while there is room for it, else for each pixel.
struct ResumeStripScene {
  std::vector<ResumeStripColumn> columns;
  int seam = -1;  ///< the pixel at which the runs meet; negative at either end, where there is one run only
};

/// `stop_share`: of the epoch that lies before the stop, 0..1. What lies before it takes the pixels before
/// `stop_pixel`, what follows those behind it, with a gap where the runs meet.
ResumeStripScene resumeStripScene(const std::vector<ResumeSpan>& pieces, double stop_share, int stop_pixel, int width);

/// How many of `height` device pixels a share fills: at least one when there is anything, all only when it is whole.
int filledPixels(double share, int height);

}  // namespace shardlens::ui
