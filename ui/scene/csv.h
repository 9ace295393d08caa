// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace shardlens::ui {

/// One line of CSV as RFC 4180 has it, with its end: cells with a comma, a quote or a line break are quoted.
QString csvLine(const QStringList& cells);

}  // namespace shardlens::ui
