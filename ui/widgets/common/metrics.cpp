// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/metrics.h"

#include "ui/scene/theme.h"

#include <cmath>

namespace shardlens::ui {

int px(int design) {
  constexpr double kDrawnType = 13.0;
  return static_cast<int>(std::lround(design * uiFont().pixelSize() / kDrawnType));
}

}  // namespace shardlens::ui
