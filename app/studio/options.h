// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>

namespace shardlens::studio {

/// What the command line of the studio asks for.
struct Options {
  QString file;
  QString run_file;
  QString screenshot;
  QString perspective;  ///< its name; empty: as it was
  std::optional<QSize> size;
  std::optional<QString> theme;
  QString language;  ///< its name; empty: the one in the settings or the system's
  QString tab;
  QString open;                                      ///< the name of what is opened in front; empty: nothing
  std::optional<std::pair<qint64, double>> play_to;  ///< epoch, step
  bool reset_layout = false;
  bool help = false;
};

/// Reads the arguments after the program's name; an unknown or malformed one is an error that says what is right.
Result<Options> parse(const QStringList& arguments);

QString usage();

}  // namespace shardlens::studio
