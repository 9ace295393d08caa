// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/form.h"

#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field_table.h"
#include "core/spec/seeded.h"
#include "ui/scene/csv.h"
#include "ui/scene/design/list_edit.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>
#include <functional>

namespace shardlens::ui {
namespace {

constexpr const char* kSetEpoch = "sampler.set_epoch";
constexpr const char* kSamplerType = "sampler.type";
constexpr int kShownNumbers = 6;

/// The head a field stands under; the file's own grouping but for the few keys without one.
QString headOf(const Field& field) {
  const QString section = text(field.section()).section('.', 0, 0);
  return section.isEmpty() || section == "framework" ? QStringLiteral("training") : section;
}

/// In the order of the form. In English, what stands above the fields is the key of the file.
constexpr const char* kHeads[] = {QT_TRANSLATE_NOOP("design", "dataset"), QT_TRANSLATE_NOOP("design", "world"),
                                  QT_TRANSLATE_NOOP("design", "loader"),  QT_TRANSLATE_NOOP("design", "sampler"),
                                  QT_TRANSLATE_NOOP("design", "seeds"),   QT_TRANSLATE_NOOP("design", "training"),
                                  QT_TRANSLATE_NOOP("design", "run")};

FormSection& sectionNamed(std::vector<FormSection>& sections, const QString& head) {
  for (FormSection& section : sections) {
    if (section.head == head) return section;
  }
  sections.push_back({head, {}, head == "run"});
  return sections.back();
}

/// The choices of sampler.type are the catalogue: the field table cannot know them.
Field withSamplerTypes(Field field, SamplerCatalogue catalogue) {
  if (field.path != kSamplerType) return field;
  for (const SamplerInfo& info : catalogue) field.choices.push_back(info.type);
  field.kind = FieldKind::Choice;
  return field;
}

/// Whether the sampler reads this field of the dataset, or the file sets it.
bool isLookedAt(const PipelineSpec& spec, SamplerCatalogue catalogue, const Field& field) {
  const SamplerInfo* info = findSampler(catalogue, spec.sampler.type);
  const bool read = info != nullptr && std::count(info->reads.begin(), info->reads.end(), field.path) > 0;
  return read || getValue(spec, field) != field.fallback;
}

/// "0..9, 17" for 0, 1, ..., 9, 17; "8 x 500" for equal items; "1 000 000 items" for what is too long.
QString indicesText(const IndexList& list) {
  if (list.size() > 2 && list.facts().least == list.facts().greatest)
    return QString("%1 x %2").arg(list.size()).arg(list.front());
  const auto ranges = rangesText(list, kShownIndexText);
  return ranges ? *ranges : countOf(static_cast<qint64>(list.size()), "item");
}

/// "1, 0.5, 0.25", or their count where they are many.
QString numbersText(const NumberList& list) {
  QStringList out;
  for (const double item : list) {
    if (out.size() == kShownNumbers) return countOf(static_cast<qint64>(list.size()), "number");
    out.append(text(valueText(item)));
  }
  return out.join(", ");
}

QString entries(std::size_t count) {
  return count == 1 ? phrase("design", "1 entry")
                    : phrase("design", "%1 entries").arg(number(static_cast<qint64>(count)));
}

/// What the record says of this item, which may be that of a missing key.
const Value& valueIn(const Record& record, const Field& item) {
  const Value* said = record.find(item.path);
  return said != nullptr ? *said : item.fallback;
}

/// Whether the item means something in this record, or the file sets it.
bool isLookedAt(const Field& records, const Record& record, const Field& item) {
  if (item.of.empty() || valueIn(record, item) != item.fallback) return true;
  return std::ranges::count(item.of, std::get<std::string>(valueIn(record, records.items.front()))) > 0;
}

/// Calls `add` with the number of the record and the item for each item of each record that the form shows.
template <class Add>
void forEachItem(const Field& field, const RecordList& records, Add add) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const Field& item : field.items)
      if (isLookedAt(field, records[i], item)) add(i, item);
  }
}

/// The ledger of the shown epoch; null until the audit has counted it.
const Ledger* ledgerIn(const PlanSnapshot& answer) {
  if (!answer.audit) return nullptr;
  for (const Ledger& ledger : answer.audit->coverage) {
    if (ledger.epoch == answer.shape->epoch.value) return &ledger;
  }
  return nullptr;
}

bool answers(const PlanSnapshot& answer, const PipelineSpec& spec) {
  return answer.plan && answer.shape && answer.spec == spec;
}

QString seedsNote(const PlanSnapshot& answer, const PipelineSpec& spec) {
  if (!answers(answer, spec) || !answer.audit) return {};
  const SeedTable& seeds = answer.audit->seeds;
  if (seeds.ranks_unknown) return phrase("design", "seeds not known");
  if (seeds.distinct_ranks == 0) return phrase("design", "never seeded");
  return phrase("design", "%1 for %2")
      .arg(countOf(seeds.distinct_ranks, "different seed"), countOf(seeds.ranks, "rank"));
}

QString stepsNote(const PlanSnapshot& answer, const PipelineSpec& spec) {
  if (!answers(answer, spec)) return {};
  return phrase("design", "%1 per epoch").arg(countOf(answer.shape->steps, "step"));
}

QString paddingNote(const PlanSnapshot& answer, const PipelineSpec& spec) {
  if (!answers(answer, spec)) return {};
  const Ledger* ledger = ledgerIn(answer);
  if (ledger == nullptr) return {};
  return ledger->padding() == 0 ? phrase("design", "no padding")
                                : phrase("design", "%1 padded").arg(countOf(ledger->padding(), "sample"));
}

}  // namespace

std::vector<FormSection> formOf(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  std::vector<FormSection> sections;
  for (const char* head : kHeads) sectionNamed(sections, head);
  for (const Field* field : fieldsOf(spec, catalogue)) {
    if (field->optional && !isLookedAt(spec, catalogue, *field)) continue;
    std::vector<Field>& fields = sectionNamed(sections, headOf(*field)).fields;
    fields.push_back(withSamplerTypes(*field, catalogue));
    if (field->kind != FieldKind::Records) continue;
    forEachItem(*field, std::get<RecordList>(getValue(spec, *field)),
                [&](std::size_t i, const Field& item) { fields.push_back(itemField(*field, i, item)); });
  }
  std::erase_if(sections, [](const FormSection& section) { return section.fields.empty(); });
  for (FormSection& section : sections) {
    for (const char* head : kHeads) {
      if (section.head == QLatin1String(head)) section.head = phrase("design", head);
    }
  }
  return sections;
}

std::string formShape(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  std::string shape = spec.sampler.type;
  for (const Field* field : fieldsOf(spec, catalogue)) {
    if (field->kind == FieldKind::Records) {
      forEachItem(*field, std::get<RecordList>(getValue(spec, *field)), [&](std::size_t i, const Field& item) {
        shape += " " + field->path + "[" + std::to_string(i) + "]." + item.path;
      });
    }
    if (field->section() == "sampler") shape += " " + valueText(field->fallback);
  }
  return shape;
}

Record freshRecord(const Field& records) {
  Record record;
  for (const Field& item : records.items) record.set(item.path, item.fallback);
  return record;
}

QString fieldLabel(const Field& field) {
  if (recordPath(field.path)) return text(field.key());
  const QString path = text(field.path);
  const QString label = path.contains('.') ? path.section('.', 1) : path;
  return path.startsWith("world.") ? QString(label).replace('_', ' ') : label;
}

QString fieldText(const Field& field, const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    if (field.path == kSetEpoch) return *flag ? phrase("design", "called") : phrase("design", "forgotten");
    return *flag ? phrase("design", "on") : phrase("design", "off");
  }
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return number(*whole);
  if (const auto* list = std::get_if<IndexList>(&value)) return indicesText(*list);
  if (const auto* list = std::get_if<NumberList>(&value)) return numbersText(*list);
  if (const auto* list = std::get_if<RecordList>(&value))
    return list->empty() ? phrase("design", "none") : entries(list->size());
  if (const auto* name = std::get_if<std::string>(&value)) return choiceLabel(field, *name);
  return text(valueText(value));
}

QString choiceLabel(const Field& field, const std::string& choice) {
  // The class first: where there is little room, the framework is what gets cut.
  if (field.path == kSamplerType) return text(choice).section('.', -1) + " · " + text(choice).section('.', 0, -2);
  if (choice.starts_with("base+")) return text(choice).replace("+", " + ");
  return text(choice);
}

bool isInUse(const Field& field, const PipelineSpec& spec) {
  return field.path != "seeds.base" || isSeeded(spec) || !sampling::rankSeedPath(spec).empty();
}

QString derivedNote(const Field& field, const PipelineSpec& spec, const PlanSnapshot& answer) {
  const std::string& path = field.path;
  if (!isInUse(field, spec)) return phrase("design", "unused: seeds.rule is unseeded");
  if (path == "dataset.size") return phrase("design", "samples");
  if (path == "world.ranks_per_node") return phrase("design", "world size %1").arg(number(spec.worldSize()));
  if (path == "loader.batch_size")
    return (sampling::splitsBatches(spec) ? phrase("design", "of all ranks · global batch %1")
                                          : phrase("design", "per rank · global batch %1"))
        .arg(number(sampling::globalBatch(spec)));
  if (path == "loader.drop_last") return stepsNote(answer, spec);
  if (path == "sampler.drop_last") return paddingNote(answer, spec);
  if (path == "seeds.rule") return seedsNote(answer, spec);
  return field.kind == FieldKind::Records ? fieldText(field, getValue(spec, field)) : QString();
}

QString problemText(const Error& issue) {
  if (!issue.message.empty()) return text(issue.message);
  return issue.raised.empty() ? text(issue.hint) : QString("%1: %2").arg(text(issue.raised), text(issue.hint));
}

QString planLine(const PlanSnapshot& answer) {
  if (!answer.plan) return {};
  const PipelineSpec& spec = answer.spec;
  const QString size = number(spec.worldSize());
  const auto every = spec.world.ranks_per_node.ofEveryNode();
  QStringList parts = {
      every ? phrase("design", "world %1 (%2 × %3)").arg(size, number(spec.world.nodes), number(*every))
            : phrase("design", "world %1 (%2)").arg(size, text(spec.world.text())),
      phrase("design", "global batch %1").arg(number(sampling::globalBatch(spec))),
  };
  if (answer.shape) {
    parts << countOf(answer.shape->steps, "step");
    if (const Ledger* ledger = ledgerIn(answer))
      parts << phrase("design", "padded %1").arg(number(ledger->padding()))
            << phrase("design", "dropped %1").arg(number(ledger->dropped()));
  } else {
    parts << phrase("design", "counting the steps");
  }
  return parts.join(" · ");
}

QString timeLine(const PlanSnapshot& answer) {
  if (!answer.epoch) return {};
  const QString time =
      answer.plan_ms < 1 ? phrase("design", "under 1 ms") : durationText(qRound64(answer.plan_ms * 1e6));
  return phrase("design", "plan in %1 · exact: torch %2").arg(time, text(answer.spec.framework.torch));
}

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
