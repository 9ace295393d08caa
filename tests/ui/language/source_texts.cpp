// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/language/source_texts.h"

#include <QRegularExpression>

#include <algorithm>

namespace source_texts {
namespace {

/// The source without comments, with literals that stand beside each other as one.
QString joined(const QString& source) {
  static const QRegularExpression kNoise(R"re(("(?:[^"\\\n]|\\.)*")|'(?:[^'\\\n]|\\.)+'|R"\((?:.|\n)*?\)"|//[^\n]*)re");
  QString out;
  qsizetype at = 0;
  for (auto all = kNoise.globalMatch(source); all.hasNext();) {
    const auto match = all.next();
    out += source.mid(at, match.capturedStart() - at) + match.captured(1);
    at = match.capturedEnd();
  }
  out += source.mid(at);
  static const QRegularExpression kBeside(R"re((?<!\\)"\s*\n\s*")re");
  return out.remove(kBeside);
}

}  // namespace

bool isForReading(const QString& literal) {
  static const QRegularExpression kWords("[A-Za-z]{2,}\\S* +\\S*[A-Za-z]{2,}|^[&● ]*[A-Z][a-z]{2,}");
  return kWords.match(literal).hasMatch();
}

bool isForPrograms(const QString& before, const QString& literal) {
  static const QRegularExpression kCalls(
      R"re((?:#include |assert\([^;]*|keys?\([^()]*|QKeySequence\([^;]*|QRegularExpression[^;]*|QShortcut\([^;]*|replace\([^;]*|setObjectName\([^;]*|count(?:Of|ed)\([^;]*|queryItem\w*\([^;]*)$)re");
  static const QRegularExpression kCode(
      R"re(^(?:shardlens |# |--|<a href|<span style|\\b|\(|[a-z_]+,[a-z_,]+\\n$|[ ·%0-9]*$)|^(?:(?:Alt|Ctrl|Shift|F\d+|Esc|Home|End|Space|Up|Down|Left|Right|Arrow|and|Insert)(?:[+, ]+|$)[A-Z0-9.]?)+$)re");
  return kCalls.match(before).hasMatch() || kCode.match(literal).hasMatch();
}

bool isTranslated(const QString& before) {
  static const QRegularExpression kCalls(R"re(\b(?:tr|translate|phrase|QT_TRANSLATE_NOOP)\(\s*(?:[^()]*,\s*)?$)re");
  return kCalls.match(before).hasMatch();
}

QStringList untranslatedIn(const QString& source) {
  const QString code = joined(source);
  static const QRegularExpression kLiteral(R"re("((?:[^"\\\n]|\\.)*)")re");
  QStringList found;
  for (auto all = kLiteral.globalMatch(code); all.hasNext();) {
    const auto match = all.next();
    const QString literal = match.captured(1);
    constexpr qsizetype kBefore = 160;
    const qsizetype from = std::max<qsizetype>(0, match.capturedStart() - kBefore);
    const QString before = code.mid(from, match.capturedStart() - from);
    if (isForReading(literal) && !isTranslated(before) && !isForPrograms(before, literal)) found += literal;
  }
  return found;
}

}  // namespace source_texts
