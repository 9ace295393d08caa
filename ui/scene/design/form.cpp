// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/form.h"

#include "core/base/file.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field_table.h"
#include "core/spec/pipeline_spec.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

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
      .arg(countOf(seeds.distinct_ranks, seeds.distinct_ranks == 1 ? "seed" : "different seed"),
           countOf(seeds.ranks, "rank"));
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

constexpr std::size_t kLongestFile = std::size_t{2} << 30;
constexpr std::size_t kMostShown = 1'000'000;  // more are not walked while the window waits
constexpr qsizetype kLongestText = 200'000;    // characters that a text editor shows without delay

/// Lists of samples; other lists of whole numbers say something of each sample, or of each shard.
bool isOfSamples(const Field& field) {
  return field.path.starts_with("sampler.") && field.path.ends_with("indices");
}

QString limitText(const lists::ListRules& rules) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kGreatest = std::numeric_limits<std::int64_t>::max();
  QString kind = rules.whole ? phrase("design", "whole numbers") : phrase("design", "numbers");
  if (rules.min == kLeast && rules.max == kGreatest) return kind;
  if (rules.max == kGreatest) return phrase("design", "%1 of at least %2").arg(kind, number(rules.min));
  return phrase("design", "%1 from %2 to %3").arg(kind, number(rules.min), number(rules.max));
}

std::optional<QString> realText(const NumberList& list) {
  QString out;
  for (const double item : list) {
    if (!out.isEmpty()) out += ", ";
    out += text(valueText(item));
    if (out.size() > kLongestText) return std::nullopt;
  }
  return out;
}

/// "8 items, from 0 to 7". Works out the facts of the list, so that nobody walks it on the window's thread.
QString countText(const Value& items) {
  const auto tell = [](std::size_t size, const QString& least, const QString& greatest) {
    if (size == 0) return phrase("design", "no items");
    const QString count = countOf(static_cast<qint64>(size), "item");
    return least == greatest ? phrase("design", "%1, all %2").arg(count, least)
                             : phrase("design", "%1, from %2 to %3").arg(count, least, greatest);
  };
  if (const auto* whole = std::get_if<IndexList>(&items)) {
    return tell(whole->size(), number(whole->facts().least), number(whole->facts().greatest));
  }
  const auto& real = std::get<NumberList>(items);
  return tell(real.size(), text(valueText(real.facts().least)), text(valueText(real.facts().greatest)));
}

ListAnswer answerOf(lists::ListReading reading) {
  ListAnswer answer;
  answer.count = countText(reading.items);
  for (const lists::ListFault& fault : reading.faults) {
    answer.faults << (fault.where.empty() ? QString() : text(fault.where) + ": ") + text(fault.message);
    answer.lines.push_back(static_cast<int>(fault.line.value_or(0)) - 1);
  }
  if (const qint64 more = reading.fault_count - std::ssize(reading.faults); more > 0) {
    answer.faults << phrase("design", "and %1 more").arg(number(more));
    answer.lines.push_back(-1);
  }
  for (const std::string& column : reading.columns) answer.columns << text(column);
  answer.column = reading.columns.empty() ? -1 : static_cast<int>(reading.column);
  if (reading.fault_count == 0) answer.value = std::move(reading.items);
  return answer;
}

ListAnswer failed(const Error& error) {
  ListAnswer answer;
  answer.faults << (error.hint.empty()
                        ? text(error.message)
                        : phrase("design", "%1 To fix it, %2").arg(text(error.message), text(error.hint)));
  answer.lines.push_back(-1);
  return answer;
}

bool isAtFault(const lists::ListRules& rules, const QString& item, const Work& work) {
  lists::ListRules of_one = rules;
  of_one.count.reset();
  const auto reading = lists::readList(of_one, item.toStdString(), lists::ListFormat::Text, {}, work);
  return !reading || reading->fault_count > 0;
}

/// The items of a line that are at fault by themselves; the line where it takes more than one to be wrong.
void addSpans(const lists::ListRules& rules, const QString& line, int number, std::vector<ListSpan>& spans,
              const Work& work) {
  static const QRegularExpression kWord("[^,\\s\\[\\]]+");
  static const QRegularExpression kWithBlanks("[^,\\[\\]]+");  // "64 x 1000"
  const std::size_t before = spans.size();
  const bool repeats = line.contains('x') || line.contains(QChar(0xd7)) || line.contains('*');
  auto items = (repeats ? kWithBlanks : kWord).globalMatch(line);
  while (items.hasNext()) {
    const QRegularExpressionMatch item = items.next();
    const QString words = item.captured().trimmed();
    if (words.isEmpty() || !isAtFault(rules, words, work)) continue;
    const auto from = item.capturedStart() + item.captured().indexOf(words);
    spans.push_back({number, static_cast<int>(from), static_cast<int>(words.size())});
  }
  if (spans.size() == before) spans.push_back({number, 0, static_cast<int>(line.size())});
}

/// Lines are few, as faults are; a line that is too long to be taken apart is marked as a whole.
std::vector<ListSpan> spansOf(const lists::ListRules& rules, const QString& given, const std::vector<int>& lines,
                              const Work& work) {
  constexpr qsizetype kLongestLine = 4000;
  std::vector<ListSpan> spans;
  const QStringList all = given.split('\n');
  for (const int line : std::set<int>(lines.begin(), lines.end())) {
    if (line < 0 || line >= all.size() || work.stopped()) continue;
    if (all[line].size() > kLongestLine) {
      spans.push_back({line, 0, static_cast<int>(all[line].size())});
    } else {
      addSpans(rules, all[line], line, spans, work);
    }
  }
  return spans;
}

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

void eachField(const PipelineSpec& spec, SamplerCatalogue catalogue,
               const std::function<void(const Field&, const QString&)>& take) {
  for (const FormSection& section : formOf(spec, catalogue)) {
    for (const Field& field : section.fields) {
      if (field.kind != FieldKind::Records) take(field, fieldText(field, getValue(spec, field)));
    }
  }
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
  if (choice == sampling::kRecordedBatches) return text(sampling::samplerName(choice));
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

std::optional<QString> rangesText(const IndexList& list, qsizetype longest) {
  if (list.size() > 2 && list.facts().is_run)
    return QString::number(list.front()) + ".." + QString::number(list.back());
  if (list.size() > kMostShown) return std::nullopt;
  QString out;
  for (std::size_t i = 0; i < list.size();) {
    std::size_t j = i;
    while (j + 1 < list.size() && list[j + 1] == list[j] + 1) ++j;
    if (!out.isEmpty()) out += ", ";
    out += QString::number(list[i]);
    if (j > i) out += (j == i + 1 ? ", " : "..") + QString::number(list[j]);
    i = j + 1;
    if (out.size() > longest) return std::nullopt;
  }
  return out;
}

lists::ListRules listRules(const Field& field, const PipelineSpec& spec) {
  lists::ListRules rules = lists::rulesOf(field);
  if (isOfSamples(field)) {
    rules.min = std::max<std::int64_t>(rules.min, 0);
    rules.max = std::min(rules.max, spec.dataset.size - 1);
  }
  if (field.path == "dataset.labels" || field.path == "dataset.lengths") rules.count = spec.dataset.size;
  return rules;
}

QString rulesText(const Field& field, const lists::ListRules& rules) {
  if (isOfSamples(field)) return phrase("design", "samples %1 to %2").arg(number(rules.min), number(rules.max));
  QString out = limitText(rules);
  if (rules.count) out = phrase("design", "%1, one for each of %2").arg(out, countOf(*rules.count, "sample"));
  for (const std::string& choice : field.choices)
    out = (choice == field.choices.front() ? phrase("design", "%1, or %2") : QStringLiteral("%1, %2"))
              .arg(out, text(choice));
  return out;
}

std::optional<QString> editableText(const Field& /*field*/, const Value& value) {
  if (const auto* name = std::get_if<std::string>(&value)) return text(*name);
  if (const auto* whole = std::get_if<IndexList>(&value)) return rangesText(*whole, kLongestText);
  return realText(std::get<NumberList>(value));
}

ListAnswer readListText(const Field& field, const lists::ListRules& rules, const std::string& text_given,
                        const Work& work) {
  const std::string name = text(text_given.substr(0, 64)).trimmed().toStdString();
  if (std::ranges::find(field.choices, name) != field.choices.end()) {
    ListAnswer answer;
    answer.value.emplace(name);
    answer.count = text(name);
    return answer;
  }
  auto reading = lists::readList(rules, text_given, lists::ListFormat::Text, {}, work);
  if (!reading) return failed(reading.error());
  ListAnswer answer = answerOf(*std::move(reading));
  if (!answer.lines.empty()) answer.spans = spansOf(rules, text(text_given), answer.lines, work);
  return answer;
}

ListAnswer readListFile(const lists::ListRules& rules, const std::filesystem::path& path, std::optional<int> column,
                        const Work& work) {
  const auto bytes = readFile(path, kLongestFile, work);
  if (!bytes) return failed(bytes.error());
  const auto wanted = column ? std::optional(static_cast<std::size_t>(*column)) : std::nullopt;
  const lists::ListFormat format = lists::formatOf(path.filename().string(), *bytes);
  auto reading = lists::readList(rules, *bytes, format, wanted, work);
  return reading ? answerOf(*std::move(reading)) : failed(reading.error());
}

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
                                 QT_TRANSLATE_NOOP("design", "batches per optimizer step"),
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
