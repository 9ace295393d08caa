// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <array>

namespace shardlens::ui {

enum class Perspective { Design, Lens, Resume, Run, Autopsy };

/// A perspective as it is written: in the header, in menus ("view.lens" is its action), on the command line.
struct PerspectiveInfo {
  const char* name;   ///< stable: "lens"
  const char* label;  ///< in the header
  const char* menu;   ///< with the mark of its mnemonic
};

/// In the order of Perspective, of the header and of the keys Ctrl+1 and on.
constexpr std::array<PerspectiveInfo, 5> kPerspectives = {{{"design", "Design", "&Design"},
                                                           {"lens", "Lens", "&Lens"},
                                                           {"resume", "Resume", "Re&sume"},
                                                           {"run", "Run", "&Run"},
                                                           {"autopsy", "Autopsy", "&Autopsy"}}};

/// The place of the name in kPerspectives, -1 when there is none.
inline int perspectiveIndex(const QString& name) {
  for (std::size_t i = 0; i < kPerspectives.size(); ++i) {
    if (name == QLatin1String(kPerspectives[i].name)) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace shardlens::ui
