// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/form_copy.h"

#include "ui/scene/csv.h"
#include "ui/scene/design/form.h"
#include "ui/scene/number_text.h"

#include <functional>

namespace shardlens::ui {
namespace {

void eachField(const PipelineSpec& spec, SamplerCatalogue catalogue,
               const std::function<void(const Field&, const QString&)>& take) {
  for (const FormSection& section : formOf(spec, catalogue)) {
    for (const Field& field : section.fields) {
      if (field.kind != FieldKind::Records) take(field, fieldText(field, getValue(spec, field)));
    }
  }
}

}  // namespace

QString formText(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  QString out;
  eachField(spec, catalogue,
            [&out](const Field& field, const QString& value) { out += text(field.path) + ": " + value + '\n'; });
  return out;
}

QString formCsv(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  QString out = csvLine({"field", "value"});
  eachField(spec, catalogue, [&out](const Field& field, const QString& value) {
    out += csvLine({text(field.path), QString(value).remove(QChar(0x202F))});  // digits are grouped for people
  });
  return out;
}

}  // namespace shardlens::ui
