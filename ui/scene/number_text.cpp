// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/number_text.h"

#include "core/base/text.h"
#include "ui/state/phrase.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace shardlens::ui {
namespace {

/// What the window counts. Other languages translate these whole; English makes its own plurals.
constexpr std::array kCounted = {QT_TRANSLATE_NOOP("count", "%1 byte"),
                                 QT_TRANSLATE_NOOP("count", "%1 common sample"),
                                 QT_TRANSLATE_NOOP("count", "%1 core"),
                                 QT_TRANSLATE_NOOP("count", "%1 different seed"),
                                 QT_TRANSLATE_NOOP("count", "%1 environment variable"),
                                 QT_TRANSLATE_NOOP("count", "%1 epoch"),
                                 QT_TRANSLATE_NOOP("count", "%1 error"),
                                 QT_TRANSLATE_NOOP("count", "%1 extra reading"),
                                 QT_TRANSLATE_NOOP("count", "%1 id"),
                                 QT_TRANSLATE_NOOP("count", "%1 item"),
                                 QT_TRANSLATE_NOOP("count", "%1 message"),
                                 QT_TRANSLATE_NOOP("count", "%1 method"),
                                 QT_TRANSLATE_NOOP("count", "%1 more pair"),
                                 QT_TRANSLATE_NOOP("count", "%1 node"),
                                 QT_TRANSLATE_NOOP("count", "%1 note"),
                                 QT_TRANSLATE_NOOP("count", "%1 primary sample"),
                                 QT_TRANSLATE_NOOP("count", "%1 secondary sample"),
                                 QT_TRANSLATE_NOOP("count", "%1 number"),
                                 QT_TRANSLATE_NOOP("count", "%1 order"),
                                 QT_TRANSLATE_NOOP("count", "%1 other rank"),
                                 QT_TRANSLATE_NOOP("count", "%1 other"),
                                 QT_TRANSLATE_NOOP("count", "%1 padding item"),
                                 QT_TRANSLATE_NOOP("count", "%1 pair"),
                                 QT_TRANSLATE_NOOP("count", "%1 pasted character"),
                                 QT_TRANSLATE_NOOP("count", "%1 problem"),
                                 QT_TRANSLATE_NOOP("count", "%1 rank"),
                                 QT_TRANSLATE_NOOP("count", "%1 record"),
                                 QT_TRANSLATE_NOOP("count", "%1 repeated sample"),
                                 QT_TRANSLATE_NOOP("count", "%1 round"),
                                 QT_TRANSLATE_NOOP("count", "%1 row"),
                                 QT_TRANSLATE_NOOP("count", "%1 sample"),
                                 QT_TRANSLATE_NOOP("count", "%1 sampler"),
                                 QT_TRANSLATE_NOOP("count", "%1 seed"),
                                 QT_TRANSLATE_NOOP("count", "%1 shared sample"),
                                 QT_TRANSLATE_NOOP("count", "%1 step"),
                                 QT_TRANSLATE_NOOP("count", "%1 optimizer step"),
                                 QT_TRANSLATE_NOOP("count", "%1 time"),
                                 QT_TRANSLATE_NOOP("count", "%1 unknown message"),
                                 QT_TRANSLATE_NOOP("count", "%1 warning"),
                                 QT_TRANSLATE_NOOP("count", "%1 worker stream"),
                                 QT_TRANSLATE_NOOP("count", "%1 worker"),
                                 QT_TRANSLATE_NOOP("count", "%1 batch"),
                                 QT_TRANSLATE_NOOP("count", "%1 collective"),
                                 QT_TRANSLATE_NOOP("count", "%1 group"),
                                 QT_TRANSLATE_NOOP("count", "%1 such item"),
                                 QT_TRANSLATE_NOOP("count", "%1 slice"),
                                 QT_TRANSLATE_NOOP("count", "%1 more group"),
                                 QT_TRANSLATE_NOOP("count", "%1 different stream"),
                                 QT_TRANSLATE_NOOP("count", "%1 process"),
                                 QT_TRANSLATE_NOOP("count", "%1 more step"),
                                 QT_TRANSLATE_NOOP("count", "%1 fewer step"),
                                 QT_TRANSLATE_NOOP("count", "%1 more sample"),
                                 QT_TRANSLATE_NOOP("count", "%1 more item"),
                                 QT_TRANSLATE_NOOP("count", "%1 place"),
                                 QT_TRANSLATE_NOOP("count", "%1 second"),
                                 QT_TRANSLATE_NOOP("count", "%1 pass"),
                                 QT_TRANSLATE_NOOP("count", "%1 more pass"),
                                 QT_TRANSLATE_NOOP("count", "%1 attribute"),
                                 QT_TRANSLATE_NOOP("count", "%1 combination"),
                                 QT_TRANSLATE_NOOP("count", "%1 more rule"),
                                 QT_TRANSLATE_NOOP("count", "%1 32-bit output")};

QString csvCell(QString cell) {
  const bool plain =
      std::none_of(cell.cbegin(), cell.cend(), [](QChar c) { return c == ',' || c == '"' || c == '\n' || c == '\r'; });
  if (plain) return cell;
  return '"' + cell.replace('"', QLatin1String("\"\"")) + '"';
}

}  // namespace

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
  // Core puts a blank between sentences, which a full stop of the width of a letter has itself.
  return QString::fromStdString(utf8).replace(QStringLiteral("\u3002 "), QStringLiteral("\u3002"));
}

QString number(qint64 value) {
  return QString::fromStdString(grouped(value));
}

QString countOf(qint64 value, std::string_view noun) {
  const QString one = "%1 " + QString::fromUtf8(noun.data(), static_cast<qsizetype>(noun.size()));
  for (const char* known : kCounted) {
    if (one != QLatin1String(known)) continue;
    const QString here = phrase("count", known);
    if (here != one) return here.arg(number(value));
  }
  return QString::fromStdString(counted(value, noun));
}

QString durationText(std::int64_t ns) {
  return QString::fromStdString(shardlens::durationText(ns));
}

QString percent(double share) {
  const double hundredths = share * 100;
  const QString unit = QStringLiteral("\u202f%");
  if (share <= 0 || share >= 1) return QString::number(share <= 0 ? 0 : 100) + unit;
  if (hundredths < 0.001) return QStringLiteral("< 0.001") + unit;
  if (hundredths > 99.9) return QStringLiteral("> 99.9") + unit;
  return QString::number(hundredths, 'g', hundredths < 10 ? 2 : 3) + unit;
}

QString csvLine(const QStringList& cells) {
  QStringList written;
  for (const QString& cell : cells) written += csvCell(cell);
  return written.join(',') + '\n';
}

}  // namespace shardlens::ui
