// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"

#include <QString>

namespace shardlens::ui {

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
