// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/field_step.h"

#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"
#include "ui/scene/design/form.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace shardlens::ui {
namespace {

constexpr qint64 kParts = 100;  ///< a step of dragging is one of so many parts of the number

/// `value` + `steps`, kept inside the field's range.
std::int64_t moved(const Field& field, std::int64_t value, qint64 steps) {
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  if (steps > 0 && value > kHighest - steps) return field.max;
  if (steps < 0 && value < kLowest - steps) return field.min;
  return std::clamp<std::int64_t>(value + steps, field.min, field.max);
}

QString movedText(const Field& field, double value, double by) {
  return fieldText(field, std::clamp(value + by, static_cast<double>(field.min), static_cast<double>(field.max)));
}

QString frameworkOwner(const PipelineSpec& spec) {
  const std::string_view title = sampling::frameworkTitle(sampling::frameworkOf(spec.sampler.type));
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())) + "'s";
}

}  // namespace

QString steppedText(const Field& field, const QString& text, qint64 steps) {
  const auto value = parseValue(field, text.toStdString());
  if (!value) return {};
  if (const auto* whole = std::get_if<std::int64_t>(&*value)) return fieldText(field, moved(field, *whole, steps));
  if (const auto* real = std::get_if<double>(&*value)) return movedText(field, *real, static_cast<double>(steps));
  return {};
}

QString scrubbedText(const Field& field, const QString& text, qint64 steps) {
  const auto value = parseValue(field, text.toStdString());
  if (!value) return {};
  if (const auto* whole = std::get_if<std::int64_t>(&*value)) {
    const std::int64_t part = std::max<std::int64_t>(1, std::abs(*whole / kParts));
    return fieldText(field, moved(field, *whole, steps * part));
  }
  const auto* real = std::get_if<double>(&*value);
  if (real == nullptr) return {};
  const double part = std::max(1.0, std::round(std::abs(*real))) / static_cast<double>(kParts);
  return movedText(field, *real, static_cast<double>(steps) * part);
}

QString unitOf(const Field& field) {
  // Ranks, epochs and batches are the same in every language.
  constexpr std::array kUnits = {QT_TRANSLATE_NOOP("design", "samples"),
                                 QT_TRANSLATE_NOOP("design", "samples each"),
                                 QT_TRANSLATE_NOOP("design", "tokens each"),
                                 QT_TRANSLATE_NOOP("design", "class of each"),
                                 QT_TRANSLATE_NOOP("design", "nodes"),
                                 QT_TRANSLATE_NOOP("design", "per rank"),
                                 QT_TRANSLATE_NOOP("design", "ms per batch"),
                                 QT_TRANSLATE_NOOP("design", "ms per step"),
                                 QT_TRANSLATE_NOOP("design", "batches per worker")};
  const auto* const unit = std::ranges::find(kUnits, field.unit);
  return unit == kUnits.end() ? text(field.unit) : phrase("design", *unit);
}

QString shownUnit(const Field& field, const QString& note) {
  const QString unit = unitOf(field);
  const QString label = fieldLabel(field);
  const bool is_said = note.startsWith(unit) || label.contains(unit) || label.contains(text(field.unit));
  return is_said ? QString() : unit;
}

QString defaultText(const Field& field, const PipelineSpec& spec) {
  const QString shown = fieldText(field, field.fallback);
  const QString value = shown.isEmpty() ? phrase("design", "none") : shown;
  const bool of_framework = field.path.starts_with("sampler.") && field.path != "sampler.type";
  return of_framework ? phrase("design", "%1 default (%2)").arg(frameworkOwner(spec), value)
                      : phrase("design", "the default (%1)").arg(value);
}

QString withPlainCommands(QString text) {
  static const QRegularExpression kCommand("`(shardlens [^`]+)`");
  return text.replace(kCommand, "\\1");
}

QString helpText(const Field& field) {
  return withPlainCommands(text(worded("fields", field.help.c_str())));
}

QString fieldTip(const Field& field, const Value& value, const PipelineSpec& spec, const QString& example) {
  QStringList facts;
  if (!field.unit.empty()) facts << phrase("design", "Unit: %1.").arg(unitOf(field).toHtmlEscaped());
  const QString standard = defaultText(field, spec).toHtmlEscaped();
  if (value == field.fallback) {
    facts << phrase("design", "This is %1.").arg(standard);
  } else {
    facts << (example.isEmpty() ? phrase("design", "Set here, instead of %1.").arg(standard)
                                : phrase("design", "Made up: %1.").arg(example.toHtmlEscaped()));
  }
  if (isScrubbed(field.kind)) facts << phrase("design", "Drag the name to change it.");
  return QString("<b>%1</b><br>%2<br>%3").arg(text(field.path), helpText(field).toHtmlEscaped(), facts.join(' '));
}

}  // namespace shardlens::ui
