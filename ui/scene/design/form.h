// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lists/list_reading.h"
#include "core/spec/field.h"
#include "core/spec/field_table.h"
#include "core/spec/pipeline_spec.h"
#include "ui/state/plan_service.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <vector>

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

/// One block of the form: its head and the fields under it, in the order of the file.
struct FormSection {
  QString head;
  std::vector<Field> fields;
  bool starts_collapsed = false;
};

/// The form of a spec whose sampler is one of `catalogue`: every field of it, grouped; behind a list of records, the
/// items of each record.
std::vector<FormSection> formOf(const PipelineSpec& spec, SamplerCatalogue catalogue);
/// Equal for two specs whose forms have the same rows: the sampler's type, what its parameters fall back to, and how
/// many records each list has.
std::string formShape(const PipelineSpec& spec, SamplerCatalogue catalogue);
/// The record that a list gets when the user adds one: every item as it is without being said.
Record freshRecord(const Field& records);

/// What stands left of the field: the key as the framework spells it.
QString fieldLabel(const Field& field);
/// What stands in the field: grouped digits, on and off, called and forgotten, ranges of indices.
QString fieldText(const Field& field, const Value& value);
/// How a choice is shown: "base + rank" for base+rank, "DistributedSampler" for torch.DistributedSampler.
QString choiceLabel(const Field& field, const std::string& choice);
/// What an index list may be shown as; longer ones are shown as a count and edited in the file.
constexpr std::size_t kShownIndexText = 20'000;

/// What follows from the field, to stand under it: "world size 8", "per rank · global batch 256". Empty for most.
QString derivedNote(const Field& field, const PipelineSpec& spec, const PlanSnapshot& answer);

/// Whether the value changes anything while the other fields are as they are: without a seed rule there is no base.
bool isInUse(const Field& field, const PipelineSpec& spec);

/// What is wrong, in a sentence. An exception that a framework raises without words is named, with what it means.
QString problemText(const Error& issue);

/// "world 8 (2 × 4) · global batch 256 · 10 010 steps · padded 1 · dropped 0": the plan in one line.
QString planLine(const PlanSnapshot& answer);
/// "plan in 21 ms · exact: torch 2.9".
QString timeLine(const PlanSnapshot& answer);

/// The fields of the form with their values, a line for each.
QString formText(const PipelineSpec& spec, SamplerCatalogue catalogue);
/// The same as CSV.
QString formCsv(const PipelineSpec& spec, SamplerCatalogue catalogue);

/// The text of a number after so many steps of one, kept in the field's range; empty when the text is no number.
QString steppedText(const Field& field, const QString& text, qint64 steps);

/// The same for dragging: a step is a hundredth of the number, at least 1 of a whole one and 0.01 of another.
QString scrubbedText(const Field& field, const QString& text, qint64 steps);

/// Whether dragging the field's label changes it.
constexpr bool isScrubbed(FieldKind kind) {
  return kind == FieldKind::Int || kind == FieldKind::IntOrList || kind == FieldKind::Float;
}

/// The unit as it stands in the field; empty where the name or the note below says it.
QString shownUnit(const Field& field, const QString& note);

/// A text without the backticks round its command lines of ShardLens.
QString withPlainCommands(QString text);

/// What the field means, as withPlainCommands().
QString helpText(const Field& field);

/// What the field is, for its tool tip: path, help, unit, default, and whether the value is that or was set here.
/// `example` says what the value was made up as; empty when it was not. As rich text.
QString fieldTip(const Field& field, const Value& value, const PipelineSpec& spec, const QString& example);

/// "the default (2)", "PyTorch's default (on)": what the field goes back to.
QString defaultText(const Field& field, const PipelineSpec& spec);

}  // namespace shardlens::ui
