// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/csv.h"

#include <algorithm>

namespace shardlens::ui {
namespace {

QString csvCell(QString cell) {
  const bool plain =
      std::none_of(cell.cbegin(), cell.cend(), [](QChar c) { return c == ',' || c == '"' || c == '\n' || c == '\r'; });
  if (plain) return cell;
  return '"' + cell.replace('"', QLatin1String("\"\"")) + '"';
}

}  // namespace

QString csvLine(const QStringList& cells) {
  QStringList written;
  for (const QString& cell : cells) written += csvCell(cell);
  return written.join(',') + '\n';
}

}  // namespace shardlens::ui
