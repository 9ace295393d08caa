// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/links.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <vector>

namespace shardlens::ui {
namespace {

/// A piece of the text, and what it names.
struct Name {
  qsizetype from = 0;
  qsizetype to = 0;
  Selected place;
  QString kind;
  bool is_command = false;  ///< to be copied
};

/// Digits in groups of three, as number() writes them.
const QString kNumber = QStringLiteral("\\d+(?:[\\x{202f}\\x{2009}]\\d{3})*");

const QRegularExpression& namePattern() {
  static const QRegularExpression kPattern(
      QString("(?<!local )\\b((?:rank|epoch|step|sample|worker|seed)(?=s?\\b)|样本|种子)s?[ \\x{a0}]"
              "(%1(?:(?:, | and | to | 和 | 至 )%1)*)(?![\\w.]*\\d)")
          .arg(kNumber),
      QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
  return kPattern;
}

quint64 valueOf(QString digits) {
  digits.remove(QChar(0x202f)).remove(QChar(0x2009));
  return digits.toULongLong();
}

/// In Chinese sentences these two have Chinese names, the others the English ones.
QString kindNamed(const QString& word) {
  if (word == QStringLiteral("样本")) return "sample";
  return word == QStringLiteral("种子") ? QString("seed") : word.toLower();
}

Selected placeNamed(const QString& kind, quint64 value, const Selected& context) {
  Selected place;
  const auto id = static_cast<qint64>(value);
  if (kind == "rank") place.ranks = {id};
  if (kind == "epoch") place.epoch = id;
  if (kind == "sample") place.sample = id;
  if (kind == "seed") place.seed = value;
  if (kind == "step") {
    place.epoch = context.epoch;
    place.step = id;
  }
  if (kind == "worker" && context.ranks.size() == 1) {
    place.ranks = context.ranks;
    place.epoch = context.epoch;
  }
  if (kind == "worker") place.worker = id;
  return place;
}

/// One name for each number of "ranks 0, 1 and 2"; one alone for a pair of ranks and for samples from one to another.
void addNames(std::vector<Name>& names, const QRegularExpressionMatch& match, const Selected& context) {
  static const QRegularExpression kNumbers(kNumber);
  const QString kind = kindNamed(match.captured(1));
  const QString list = match.captured(2);
  std::vector<Name> each;
  for (auto found = kNumbers.globalMatch(list); found.hasNext();) {
    const auto number = found.next();
    const qsizetype at = match.capturedStart(2) + number.capturedStart();
    each.push_back({at, at + number.capturedLength(), placeNamed(kind, valueOf(number.captured()), context), kind});
  }
  each.front().from = match.capturedStart();
  Name& first = each.front();
  const Name& last = each.back();
  const bool pair = kind == "rank" && each.size() == 2 && (list.contains(" and ") || list.contains(" 和 "));
  const bool range = kind == "sample" && each.size() == 2 && (list.contains(" to ") || list.contains(" 至 "));
  if (pair) first.place.ranks.push_back(last.place.ranks.front());
  if (range) first.place.samples = *last.place.sample - *first.place.sample + 1;
  if (pair || range) {
    first.to = last.to;
    each.resize(1);
  }
  names.insert(names.end(), each.begin(), each.end());
}

/// "rank 3 · epoch 1 · step 7" is one place.
bool joins(const Name& before, const Name& next, const QString& text) {
  if (before.is_command || next.is_command) return false;
  const QString gap = text.mid(before.to, next.from - before.to);
  if (gap != ", " && gap != " · " && gap != " " && gap != "，") return false;
  const Selected& a = before.place;
  const Selected& b = next.place;
  if (a.ranks.size() > 1 || a.seed || b.seed || before.kind == next.kind) return false;
  const bool follows = (next.kind == "epoch" && !a.epoch) || (next.kind == "step" && !a.step) ||
                       (next.kind == "worker" && !a.worker && a.ranks.size() == 1) ||
                       (next.kind == "rank" && a.ranks.empty() && !a.sample);
  return follows;
}

void join(Name& before, const Name& next) {
  before.to = next.to;
  before.kind = next.kind;
  if (next.place.epoch) before.place.epoch = next.place.epoch;
  if (next.place.step) before.place.step = next.place.step;
  if (next.place.worker) before.place.worker = next.place.worker;
  if (!next.place.ranks.empty()) before.place.ranks = next.place.ranks;
}

/// "Pairs 0-4, 1-5": one name for each.
void addPairs(std::vector<Name>& names, const QString& text) {
  static const QRegularExpression kPairs("(?:\\bpairs?|\\brank 对)[ \\x{a0}]((?:\\d+-\\d+(?:, )?)+)",
                                         QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression kPair("(\\d+)-(\\d+)");
  for (auto lists = kPairs.globalMatch(text); lists.hasNext();) {
    const auto list = lists.next();
    for (auto found = kPair.globalMatch(list.captured(1)); found.hasNext();) {
      const auto pair = found.next();
      const qsizetype at = list.capturedStart(1) + pair.capturedStart();
      Selected place;
      place.ranks = {pair.captured(1).toLongLong(), pair.captured(2).toLongLong()};
      names.push_back({at, at + pair.capturedLength(), place, "pair"});
    }
  }
}

/// The command lines that sentences of core name, as words::debuggerCommand() writes them.
const QRegularExpression& commandPattern() {
  static const QRegularExpression kCommand("gdb -p (?:\\d+|PID) -batch -ex bt");
  return kCommand;
}

void addCommands(std::vector<Name>& names, const QString& text) {
  static const QRegularExpression kQuoted("`shardlens [^`]+`");
  for (const QRegularExpression* pattern : {&commandPattern(), &kQuoted}) {
    for (auto found = pattern->globalMatch(text); found.hasNext();) {
      const auto command = found.next();
      names.push_back({command.capturedStart(), command.capturedEnd(), {}, "command", true});
    }
  }
}

std::vector<Name> namesIn(const QString& text, const Selected& context) {
  std::vector<Name> all;
  for (auto found = namePattern().globalMatch(text); found.hasNext();) addNames(all, found.next(), context);
  addPairs(all, text);
  addCommands(all, text);
  std::sort(all.begin(), all.end(), [](const Name& a, const Name& b) { return a.from < b.from; });
  std::vector<Name> names;
  for (const Name& name : all) {
    if (!names.empty() && name.from < names.back().to) continue;  // it is a word of a command
    if (!names.empty() && joins(names.back(), name, text)) {
      join(names.back(), name);
    } else {
      names.push_back(name);
    }
  }
  // A worker says nothing without its rank.
  std::erase_if(names, [](const Name& name) { return name.place.worker && name.place.ranks.empty(); });
  return names;
}

constexpr auto kCopyLink = "copy:";

QString escaped(const QString& text) {
  // Qt's HTML turns the narrow space of large numbers into one at which a line may break.
  return text.toHtmlEscaped().replace('\n', "<br>").replace(QChar(0x202f), QChar::Nbsp);
}

/// Its font says what the backticks of a terminal's text say.
QString commandLink(const QString& named) {
  const QString command = QString(named).remove('`');
  return QString("<a href=\"%1\" style=\"color:%2;text-decoration:none;font-family:'%3'\">%4</a>")
      .arg((kCopyLink + command).toHtmlEscaped(), theme().accent.name(), monoFont().family(), escaped(command));
}

std::optional<qint64> numberAfter(const QString& query, const QString& words) {
  const QRegularExpression pattern("(?:^|\\s)(?:" + words + ")\\s*[:=]?\\s*(\\d+)(?=\\s|$)",
                                   QRegularExpression::CaseInsensitiveOption);
  const auto match = pattern.match(query);
  if (!match.hasMatch()) return std::nullopt;
  bool fits = false;
  const qint64 number = match.captured(1).toLongLong(&fits);
  return fits ? std::optional(number) : std::nullopt;
}

/// A number alone, also in groups of three digits.
std::optional<qint64> numberIn(const QString& query) {
  static const QRegularExpression kOneNumber("^\\d+(?:[\\s\u2009\u202f_]\\d{3})*$");
  static const QRegularExpression kNotDigits("\\D");
  bool fits = false;
  const qint64 number = QString(query).remove(kNotDigits).toLongLong(&fits);
  return fits && kOneNumber.match(query).hasMatch() ? std::optional(number) : std::nullopt;
}

QString placeText(const Selected& place) {
  QStringList parts;
  if (place.ranks.size() == 1) parts += phrase("common", "rank %1").arg(place.ranks[0]);
  if (place.ranks.size() == 2) parts += phrase("common", "ranks %1 and %2").arg(place.ranks[0]).arg(place.ranks[1]);
  if (place.epoch) parts += phrase("common", "epoch %1").arg(*place.epoch);
  if (place.step) parts += phrase("common", "step %1").arg(*place.step);
  if (place.sample) parts += phrase("common", "sample %1").arg(number(*place.sample));
  return parts.join(" · ");
}

bool isInside(const Selected& place, const PipelineSpec& spec) {
  const bool has_ranks = std::ranges::all_of(place.ranks, [&](qint64 rank) { return rank < spec.worldSize(); });
  return has_ranks && (!place.epoch || *place.epoch < spec.epochs) &&
         (!place.sample || *place.sample < spec.dataset.size);
}

void addPlace(std::vector<LocatorHit>& hits, const Selected& place, const PipelineSpec& spec, const QString& detail) {
  if (place == Selected{} || !isInside(place, spec)) return;
  hits.push_back({placeText(place), detail, {}, place});
}

void addPlaces(std::vector<LocatorHit>& hits, const QString& query, const PipelineSpec& spec) {
  Selected place;
  if (const auto sample = numberIn(query)) {
    place.sample = sample;
    return addPlace(hits, place, spec, phrase("common", "where it goes in each epoch"));
  }
  static const QRegularExpression kPair("^(?:ranks?|r)?\\s*(\\d{1,9})(?:\\s*(?:[,&+-]|and)\\s*|\\s+)(\\d{1,9})$",
                                        QRegularExpression::CaseInsensitiveOption);
  if (const auto pair = kPair.match(query); pair.hasMatch()) {
    place.ranks = {pair.captured(1).toLongLong(), pair.captured(2).toLongLong()};
    if (place.ranks[0] != place.ranks[1]) addPlace(hits, place, spec, phrase("common", "what they share"));
    return;
  }
  if (const auto rank = numberAfter(query, "rank|r")) place.ranks = {*rank};
  place.epoch = numberAfter(query, "epoch|e");
  place.step = numberAfter(query, "step|s");
  place.sample = numberAfter(query, "sample|id");
  addPlace(hits, place, spec, phrase("common", "go there"));
}

/// Smaller is better; negative: no match. Every word must occur; words at the beginning count more.
int scoreOf(const QString& text, const QStringList& words) {
  int score = 0;
  for (const QString& word : words) {
    const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
    if (at < 0) return -1;
    const bool starts_word = at == 0 || !text[at - 1].isLetterOrNumber();
    score += at == 0 ? 0 : starts_word ? 1 : 3;
  }
  return score;
}

}  // namespace

std::optional<QString> copiedBy(const QString& link) {
  if (!link.startsWith(kCopyLink)) return std::nullopt;
  return link.mid(QString(kCopyLink).size());
}

QString commandsApart(QString text) {
  static const QRegularExpression kCommand(" *(" + commandPattern().pattern() + ")");
  return text.replace(kCommand, "\n\\1").trimmed();
}

QString unbroken(const QString& text) {
  static const QRegularExpression kCount("(?<=\\d) (?=\\p{L})");
  static const QRegularExpression kInChineseNoun("(?<=[\\x{a0}\\x{2060}]\\p{Han})(?=\\p{Han})");
  QString out = QString(text).replace(kCount, QString(QChar(0xa0)));
  for (qsizetype before = -1; before != out.size();) {
    before = out.size();
    out.replace(kInChineseNoun, QString(QChar(0x2060)));  // one more character each time
  }
  return out;
}

QString breakable(const QString& text) {
  constexpr int kLong = 22;
  static const QRegularExpression kLongWord(QString("\\S{%1,}").arg(kLong));
  static const QRegularExpression kSeam("(?<=[a-z])(?=[A-Z])|(?<=[._/=])(?=[^._/=])");
  QString out;
  qsizetype done = 0;
  for (auto words = kLongWord.globalMatch(text); words.hasNext();) {
    const auto word = words.next();
    out += text.mid(done, word.capturedStart() - done);
    out += word.captured().replace(kSeam, QString(QChar(0x200b)));
    done = word.capturedEnd();
  }
  return done == 0 ? text : out + text.mid(done);
}

QString linkText(const QString& text, const Selected& place) {
  return QString("<a href=\"%1\" style=\"color:%2;text-decoration:none\">%3</a>")
      .arg(linkTo(place).toHtmlEscaped(), theme().accent.name(), escaped(text));
}

QString linkedSamples(const QString& ids) {
  static const QRegularExpression kIds("\\d+(?=, |$| )");
  QString out;
  qsizetype done = 0;
  for (auto found = kIds.globalMatch(ids); found.hasNext();) {
    const auto id = found.next();
    // "and 12 more" counts samples.
    const bool is_id = id.capturedStart() == 0 || ids.mid(id.capturedStart() - 2, 2) == ", ";
    if (!is_id) continue;
    Selected place;
    place.sample = id.captured().toLongLong();
    out += escaped(ids.mid(done, id.capturedStart() - done)) + linkText(id.captured(), place);
    done = id.capturedEnd();
  }
  return out + escaped(ids.mid(done));
}

QString linked(const QString& text, const Selected& context) {
  const std::vector<Name> names = namesIn(text, context);
  if (names.empty()) return text;
  QString out;
  qsizetype done = 0;
  for (const Name& name : names) {
    out += escaped(text.mid(done, name.from - done));
    const QString words = text.mid(name.from, name.to - name.from);
    out += name.is_command ? commandLink(words) : linkText(words, name.place);
    done = name.to;
  }
  return out + escaped(text.mid(done));
}

std::vector<LocatorHit> locate(const QString& query, const PipelineSpec& spec,
                               const std::vector<LocatorTarget>& targets) {
  std::vector<LocatorHit> hits;
  const QString asked = query.trimmed();
  if (asked.isEmpty()) return hits;
  addPlaces(hits, asked, spec);
  const QStringList words = asked.split(' ', Qt::SkipEmptyParts);
  std::vector<std::pair<int, const LocatorTarget*>> matches;
  for (const LocatorTarget& target : targets) {
    const int score = scoreOf(target.text + " " + target.id, words);
    if (score >= 0) matches.emplace_back(score, &target);
  }
  std::stable_sort(matches.begin(), matches.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [score, target] : matches) {
    if (hits.size() == kMostHits) break;
    // An action may be in two menus.
    if (std::ranges::find(hits, target->text, &LocatorHit::text) != hits.end()) continue;
    hits.push_back({target->text, target->detail, {*target}, {}});
  }
  return hits;
}

}  // namespace shardlens::ui
