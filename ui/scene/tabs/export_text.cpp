// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tabs/export_text.h"

#include "core/base/phrase.h"
#include "core/yaml/text_diff.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace shardlens::ui {
namespace {

DiffMark markOf(yaml::DiffLine::Kind kind) {
  switch (kind) {
    case yaml::DiffLine::Kind::Added:
      return DiffMark::Added;
    case yaml::DiffLine::Kind::Removed:
      return DiffMark::Removed;
    case yaml::DiffLine::Kind::Same:
      break;
  }
  return DiffMark::Same;
}

QString fileName(const yaml::ExportDestination& destination) {
  return QString::fromStdString(destination.path.filename().string());
}

QString statusOf(const yaml::ExportDestination& destination) {
  if (!destination.present) return phrase("tabs", "Will create %1").arg(fileName(destination));
  if (destination.isSame()) return phrase("tabs", "%1 is up to date").arg(fileName(destination));
  if (destination.hasAll()) return phrase("tabs", "%1 has all of it, and more").arg(fileName(destination));
  const DiffText diff = diffText(*destination.present, destination.file.text);
  return phrase("tabs", "%1 on disk differs (+%2 \u2212%3)")
      .arg(fileName(destination))
      .arg(diff.added)
      .arg(diff.removed);
}

}  // namespace

DiffText diffText(const std::string& before, const std::string& after) {
  DiffText diff;
  QStringList lines;
  for (const yaml::DiffLine& line : yaml::diffLines(before, after)) {
    const DiffMark mark = markOf(line.kind);
    const QString sign = mark == DiffMark::Added     ? QStringLiteral("+ ")
                         : mark == DiffMark::Removed ? QStringLiteral("- ")
                                                     : QStringLiteral("  ");
    lines << sign + QString::fromUtf8(line.text.data(), static_cast<qsizetype>(line.text.size()));
    diff.marks.push_back(mark);
    diff.added += mark == DiffMark::Added;
    diff.removed += mark == DiffMark::Removed;
  }
  diff.text = lines.join('\n');
  return diff;
}

QString shellWord(const QString& word) {
  static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
  if (kPlain.match(word).hasMatch()) return word;
  QString quoted = word;
  return '\'' + quoted.replace(QLatin1String("'"), QLatin1String("'\\''")) + '\'';
}

QString exportCommand(const QString& spec_path, const yaml::ExportTarget& target, const yaml::ExportContext& context,
                      const QString& output) {
  QString command = QStringLiteral("shardlens export %1 --to %2")
                        .arg(spec_path.isEmpty() ? QStringLiteral("SPEC") : shellWord(spec_path), text(target.id));
  for (const std::string& id : target.options) {
    const yaml::ExportOption& option = *yaml::findOption(id);
    const std::string said = yaml::optionText(context, option);
    if (said != yaml::optionText({}, option))
      command += QStringLiteral(" --%1 %2").arg(text(id), shellWord(text(said)));
  }
  if (!output.isEmpty()) command += QStringLiteral(" -o ") + shellWord(output);
  return command;
}

QString diskStatus(const std::vector<yaml::ExportDestination>& destinations) {
  QStringList parts;
  for (const yaml::ExportDestination& destination : destinations) parts << statusOf(destination);
  return parts.join(QStringLiteral(" · "));
}

QString exportWords(const std::string& words) {
  return text(worded("export", words.c_str()));
}

QString exportTitle(const yaml::ExportTarget& target) {
  return exportWords(target.title);
}

QString defaultExportPath(const QString& spec_path, const yaml::ExportTarget& target) {
  const QString folder = spec_path.isEmpty() ? QString() : QFileInfo(spec_path).path() + '/';
  return folder + text(target.file_name);
}

}  // namespace shardlens::ui
