// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace shardlens::ui {

/// A pipeline that comes with the program.
struct Example {
  QString path;
  QString name;      ///< of the file, without .yaml
  QString title;     ///< of the mistake, or what else it shows: "One seed for every rank"
  QString summary;   ///< the first line of its comment after the title
  QString look_for;  ///< what to see in it
};

/// All examples, mistakes first: of this build, or of the installation. Empty when there are none.
std::vector<Example> examples();

/// The one that the first start opens; empty when there are none.
QString firstExample();

}  // namespace shardlens::ui
