// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/note.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>
#include <string_view>

namespace shardlens::ui {

/// How a verdict is coloured; always beside its words.
enum class Tone { Fine, Error, Warning, Note };

/// The tone of a problem.
Tone toneOf(Severity severity);
/// "error", "warning", "fine" or "": the style's name of the tone.
const char* toneName(Tone tone);

/// UTF-8 as the window shows it.
QString text(const std::string& utf8);
/// 1281167 -> "1 281 167" with thin spaces that no line breaks at.
QString number(qint64 value);
/// "1 sample", "2 samples"; in another language what kCounted in the source has for the noun.
QString countOf(qint64 value, std::string_view noun);
/// As core's: "320 ns", "18 ms", "1.4 s", "7.9 min".
QString durationText(std::int64_t ns);
/// 0.00071 -> "0.071 %", 1 -> "100 %", never "0 %" or "100 %" when it is not exactly that.
QString percent(double share);

/// One line of CSV as RFC 4180 has it, with its end: cells with a comma, a quote or a line break are quoted.
QString csvLine(const QStringList& cells);

}  // namespace shardlens::ui
