// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/yaml/exporter.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace shardlens::ui {

/// A line of a comparison for people: marked with + or - as well as coloured.
enum class DiffMark { Same, Added, Removed };

struct DiffText {
  QString text;                 ///< every line with its mark and a space before it
  std::vector<DiffMark> marks;  ///< by line
  int added = 0;
  int removed = 0;
};

/// How the file on disk becomes the exported one.
DiffText diffText(const std::string& before, const std::string& after);

/// A title, summary or help of a target or an option, in the window's language.
QString exportWords(const std::string& words);

/// The title of a target, in the window's language.
QString exportTitle(const yaml::ExportTarget& target);

/// Where a target's main file goes when no other place is chosen: beside the spec.
QString defaultExportPath(const QString& spec_path, const yaml::ExportTarget& target);

/// `shardlens export SPEC --to TARGET --script FILE -o FILE`, quoted for a shell, with those of the target's options
/// that do not say the usual. Empty paths leave their place to the reader.
QString exportCommand(const QString& spec_path, const yaml::ExportTarget& target, const yaml::ExportContext& context,
                      const QString& output);

/// What saving would do to the files, in one line: "torchrun.sh is new", "differs from the file on disk (+3 -1)".
QString diskStatus(const std::vector<yaml::ExportDestination>& destinations);

/// A word as a shell takes it back: quoted only when it must be.
QString shellWord(const QString& word);

}  // namespace shardlens::ui
