// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/list_edit.h"

#include "core/base/file.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace shardlens::ui {
namespace {

constexpr std::size_t kLongestFile = std::size_t{2} << 30;
constexpr std::size_t kMostShown = 1'000'000;  // more are not walked while the window waits
constexpr qsizetype kLongestText = 200'000;    // characters that a text editor shows without delay

/// Lists of samples; other lists of whole numbers say something of each sample, or of each shard.
bool isOfSamples(const Field& field) {
  return field.path.starts_with("sampler.") && field.path.ends_with("indices");
}

bool isOfEachSample(const Field& field) {
  return field.path == "dataset.labels" || field.path == "dataset.lengths";
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

}  // namespace

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
  if (isOfEachSample(field)) rules.count = spec.dataset.size;
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

}  // namespace shardlens::ui
