// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/number_text.h"

#include "core/base/text.h"

#include <algorithm>

namespace shardlens::ui {

Tone toneOf(Severity severity) {
  return severity == Severity::Error ? Tone::Error : severity == Severity::Warning ? Tone::Warning : Tone::Note;
}

const char* toneName(Tone tone) {
  switch (tone) {
    case Tone::Fine:
      return "fine";
    case Tone::Error:
      return "error";
    case Tone::Warning:
      return "warning";
    case Tone::Note:
      break;
  }
  return "";
}

QString text(const std::string& utf8) {
  return QString::fromStdString(utf8);
}

QString number(qint64 value) {
  return QString::fromStdString(grouped(value));
}

QString countOf(qint64 value, std::string_view noun) {
  return QString::fromStdString(counted(value, noun));
}

QString percent(double share) {
  const double hundredths = share * 100;
  const QString unit = QStringLiteral("\u202f%");
  if (share <= 0 || share >= 1) return QString::number(share <= 0 ? 0 : 100) + unit;
  if (hundredths < 0.001) return QStringLiteral("< 0.001") + unit;
  if (hundredths > 99.9) return QStringLiteral("> 99.9") + unit;
  return QString::number(hundredths, 'g', hundredths < 10 ? 2 : 3) + unit;
}

}  // namespace shardlens::ui
