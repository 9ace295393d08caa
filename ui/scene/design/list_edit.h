// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lists/list_reading.h"
#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>

namespace shardlens::ui {

/// What the items of a list must be in this spec: samples that the dataset has, or one item for each sample.
lists::ListRules listRules(const Field& field, const PipelineSpec& spec);
/// The same in words: "samples 0 to 15", "whole numbers of at least 0, one for each of 16 samples".
QString rulesText(const Field& field, const lists::ListRules& rules);

/// "0..9, 17" for 0, 1, ..., 9, 17. Nothing where the text would have more than `longest` characters, or there are too
/// many items to walk while the window waits.
std::optional<QString> rangesText(const IndexList& list, qsizetype longest);

/// A list as text that reads back as the same list: "0..7, 12". Nothing where the text would be too long to edit.
std::optional<QString> editableText(const Field& field, const Value& value);

/// An item of a text that is at fault.
struct ListSpan {
  int line = 0;  ///< counted from 0
  int from = 0;  ///< characters
  int length = 0;
  bool operator==(const ListSpan&) const = default;
};

/// What was read from a text or a file, ready to be shown and taken.
struct ListAnswer {
  std::optional<Value> value;   ///< nothing while something is at fault
  QString count;                ///< "8 items, from 0 to 7", "no items"
  QStringList faults;           ///< "line 3: ...", the last of them says how many more there are
  std::vector<int> lines;       ///< by fault: its line, counted from 0; -1 where it stands in none
  std::vector<ListSpan> spans;  ///< what to mark in the text: the items at fault, or the lines that hold them
  QStringList columns;          ///< of a table
  int column = -1;
};

/// Reads what was typed or pasted; for a worker. A text that is one of the field's choices is taken as that.
ListAnswer readListText(const Field& field, const lists::ListRules& rules, const std::string& text, const Work& work);
/// The same of a file in any of the formats; `column` of a table, or the first with numbers.
ListAnswer readListFile(const lists::ListRules& rules, const std::filesystem::path& path, std::optional<int> column,
                        const Work& work);

}  // namespace shardlens::ui
