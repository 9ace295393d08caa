// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/locator.h"

#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace shardlens::ui {
namespace {

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
