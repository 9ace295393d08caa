// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/selection.h"

#include <QStringList>
#include <QUrl>
#include <QUrlQuery>

namespace shardlens::ui {
namespace {

const QString kScheme = QStringLiteral("select");

std::optional<qint64> numberOf(const QUrlQuery& query, const QString& key) {
  bool fits = false;
  const qint64 number = query.queryItemValue(key).toLongLong(&fits);
  return fits ? std::optional(number) : std::nullopt;
}

bool isOneBatch(const Selected& place) {
  Selected plain = place;
  plain.ranks.clear();
  plain.epoch.reset();
  plain.step.reset();
  return place.ranks.size() == 1 && place.step && plain == Selected{};
}

/// Both are batches of the Stage, and one step or one rank apart.
bool areNextToEachOther(const Selected& a, const Selected& b) {
  if (!isOneBatch(a) || !isOneBatch(b) || a.epoch != b.epoch) return false;
  return std::llabs(a.ranks[0] - b.ranks[0]) + std::llabs(*a.step - *b.step) == 1;
}

}  // namespace

QString linkTo(const Selected& place) {
  QUrlQuery query;
  QStringList ranks;
  for (const qint64 rank : place.ranks) ranks += QString::number(rank);
  if (!ranks.isEmpty()) query.addQueryItem("rank", ranks.join(','));
  const auto add = [&query](const char* key, const auto& value) {
    if (value) query.addQueryItem(key, QString::number(*value));
  };
  add("epoch", place.epoch);
  add("step", place.step);
  add("worker", place.worker);
  add("seed", place.seed);
  add("sample", place.sample);
  if (place.samples != 1) query.addQueryItem("samples", QString::number(place.samples));
  if (place.follows_sample) query.addQueryItem("follow", "1");
  if (place.finding) query.addQueryItem("finding", *place.finding);
  return kScheme + ":" + query.toString(QUrl::FullyEncoded);
}

std::optional<Selected> selectedBy(const QString& link) {
  if (!link.startsWith(kScheme + ":")) return std::nullopt;
  const QUrlQuery query(link.mid(kScheme.size() + 1));
  Selected place;
  for (const QString& rank : query.queryItemValue("rank").split(',', Qt::SkipEmptyParts)) {
    place.ranks.push_back(rank.toLongLong());
  }
  place.epoch = numberOf(query, "epoch");
  place.step = numberOf(query, "step");
  place.worker = numberOf(query, "worker");
  bool fits = false;
  const quint64 seed = query.queryItemValue("seed").toULongLong(&fits);
  if (fits) place.seed = seed;
  place.sample = numberOf(query, "sample");
  place.samples = numberOf(query, "samples").value_or(1);
  place.follows_sample = query.hasQueryItem("follow");
  if (query.hasQueryItem("finding")) place.finding = query.queryItemValue("finding", QUrl::FullyDecoded);
  return place == Selected{} ? std::nullopt : std::optional(place);
}

void Selection::select(Selected selected) {
  if (selected == current()) return;
  visited_.resize(at_ + 1);
  if (areNextToEachOther(selected, current())) {
    visited_.back() = std::move(selected);
  } else {
    visited_.push_back(std::move(selected));
  }
  if (visited_.size() > kMostVisited) visited_.erase(visited_.begin());
  at_ = visited_.size() - 1;
  emit changed();
}

void Selection::selectRank(qint64 rank) {
  if (rank < 0) return;
  Selected selected = current();
  selected.ranks = {rank};
  select(std::move(selected));
}

void Selection::forget() {
  visited_ = {Selected{}};
  at_ = 0;
  emit changed();
}

void Selection::goBack() {
  if (canGoBack()) goTo(at_ - 1);
}

void Selection::goForward() {
  if (canGoForward()) goTo(at_ + 1);
}

void Selection::goTo(std::size_t place) {
  at_ = place;
  emit changed();
}

}  // namespace shardlens::ui

#include "moc_selection.cpp"
