// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tabs/seed_model.h"

#include "core/audit/words/finding_words.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"

#include <QBrush>
#include <QStringList>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace shardlens::ui {
namespace {

constexpr std::array<const char*, SeedModel::Columns> kKeys = {
    "epoch", "node", "rank", "local_rank", "worker", "seed", "stream_32", "first_ids", "same_as"};
constexpr std::int64_t kMostIdRanks = 1024;  ///< whose ids are compared: a few milliseconds

QString who(const SeedRow& row) {
  return row.worker < 0 ? SeedModel::tr("rank %1").arg(row.rank)
                        : SeedModel::tr("rank %1 worker %2").arg(row.rank).arg(row.worker);
}

/// The ranks' own rows of the first epoch; none where they are too many.
std::vector<SeedRow> comparedRows(const SeedTable& seeds) {
  std::vector<SeedRow> rows;
  for (const SeedRow& row : seeds.rows) {
    if (row.epoch != seeds.first_epoch || seeds.ranks > kMostIdRanks) break;
    if (row.worker < 0) rows.push_back(row);
  }
  return rows;
}

std::array<SampleIndex, 4> mosaicOf(const SeedTable& seeds, const SeedRow& row) {
  std::array<SampleIndex, 4> ids = {row.own_id, -1, -1, -1};
  const std::vector<std::int64_t> drawn = firstIds(seeds, row);
  if (!drawn.empty()) std::copy_n(drawn.begin(), 3, ids.begin() + 1);
  return ids;
}

/// "4, 9, 3, 0".
QString drawnText(const SeedTable& seeds, const SeedRow& row) {
  QStringList ids;
  for (const std::int64_t id : firstIds(seeds, row)) ids << QString::number(id);
  return ids.join(QStringLiteral(", "));
}

/// Doubles the quotes of a CSV field that needs any.
QString csvField(const QString& text) {
  return text.contains(',') ? '"' + text + '"' : text;
}

std::vector<std::uint32_t> rankStreams(const SeedTable& seeds) {
  std::vector<std::uint32_t> streams;
  for (const SeedRow& row : seeds.rows) {
    if (row.epoch != seeds.first_epoch) break;
    if (row.worker < 0) streams.push_back(row.stream);
  }
  return streams;
}

bool nodesRepeat(const std::vector<std::uint32_t>& streams, std::size_t per_node) {
  if (streams.size() <= per_node) return false;
  for (std::size_t i = per_node; i < streams.size(); ++i) {
    if (streams[i] != streams[i - per_node]) return false;
  }
  return true;
}

QString collisionTitle(const SeedTable& seeds, const PipelineSpec::World& world) {
  if (seeds.colliding_ranks == 0)
    return SeedModel::tr("%1 share a seed with another worker").arg(countOf(seeds.colliding_workers, "worker"));
  if (seeds.distinct_ranks == 1) {
    return seeds.ranks == 2 ? SeedModel::tr("Both ranks have the same seed")
                            : SeedModel::tr("All %1 have the same seed").arg(countOf(seeds.ranks, "rank"));
  }
  const auto per_node = world.ranks_per_node.ofEveryNode();
  if (seeds.distinct_ranks < seeds.ranks && per_node &&
      nodesRepeat(rankStreams(seeds), static_cast<std::size_t>(*per_node))) {
    return SeedModel::tr("Every node has the same %1").arg(countOf(*per_node, "seed"));
  }
  return SeedModel::tr("%1 for %2").arg(countOf(seeds.distinct_ranks, "different seed"), countOf(seeds.ranks, "rank"));
}

QString distinctTitle(const SeedTable& seeds) {
  const QString ranks = countOf(seeds.ranks, "rank");
  const QString workers = countOf(seeds.distinct_workers, "worker stream");
  if (seeds.ranks_unknown) return SeedModel::tr("How the script seeds is not known");
  if (seeds.distinct_ranks > 0 && seeds.distinct_ranks < seeds.ranks)  // ranks of one copy of the model have one
    return SeedModel::tr("%1 for %2").arg(countOf(seeds.distinct_ranks, "different seed"), ranks);
  if (seeds.distinct_ranks > 0 && seeds.workers_unknown)
    return SeedModel::tr("All %1 have different seeds; those of the workers are not known").arg(ranks);
  if (seeds.distinct_ranks == 0) {
    const QString never = text(words::neverSeeds());
    return seeds.distinct_workers > 0 ? SeedModel::tr("%1; %2 differ").arg(never, workers) : never;
  }
  if (seeds.distinct_workers > 0) return SeedModel::tr("All %1 and %2 have different seeds").arg(ranks, workers);
  return seeds.ranks == 1 ? SeedModel::tr("One rank: no seed to share")
                          : SeedModel::tr("All %1 have different seeds").arg(ranks);
}

}  // namespace

void SeedModel::setReport(std::shared_ptr<const AuditReport> report, const PipelineSpec::World& world) {
  beginResetModel();
  report_ = std::move(report);
  world_ = world;
  countGroups();
  countIds();
  select();
  endResetModel();
}

void SeedModel::setFilter(const SeedFilter& filter) {
  if (filter == filter_) return;
  beginResetModel();
  filter_ = filter;
  select();
  endResetModel();
}

const std::vector<SeedRow>& SeedModel::table() const {
  static const std::vector<SeedRow> kNone;
  return report_ ? report_->seeds.rows : kNone;
}

void SeedModel::countGroups() {
  others_.assign(table().size(), {});
  for (std::size_t at = 0; at < table().size(); ++at) {
    if (table()[at].equal_to < 0) continue;
    Others& others = others_[static_cast<std::size_t>(table()[at].equal_to)];
    if (others.count++ == 0) others.first = static_cast<std::int32_t>(at);
  }
}

void SeedModel::countIds() {
  std::map<SampleIndex, qint64> ranks;  // that would draw the id
  for (const SeedRow& row : report_ ? comparedRows(report_->seeds) : std::vector<SeedRow>()) {
    const auto ids = mosaicOf(report_->seeds, row);
    for (const SampleIndex id : std::set<SampleIndex>(ids.begin() + 1, ids.end())) ++ranks[id];
  }
  shared_ids_.clear();
  for (const auto& [id, count] : ranks) {
    if (id >= 0 && count > 1) shared_ids_.emplace(id, static_cast<qint64>(shared_ids_.size()));
  }
}

std::array<StageChip, 4> SeedModel::tiles(int row) const {
  const SeedRow& seed = seedRow(row);
  const bool is_compared = seed.worker < 0 && seed.epoch == report_->seeds.first_epoch;
  const std::array<SampleIndex, 4> ids = mosaicOf(report_->seeds, seed);
  std::array<StageChip, 4> chips;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const auto shared = is_compared && i > 0 ? shared_ids_.find(ids[i]) : shared_ids_.end();
    const QColor colour = shared == shared_ids_.end() ? theme().cell_empty : labelColor(theme(), shared->second);
    chips[i] = {.sample = ids[i], .colour = colour.rgb()};
  }
  return chips;
}

qint64 SeedModel::largestId() const {
  return report_ ? std::max<qint64>(0, report_->seeds.dataset_size - 1) : 0;
}

bool SeedModel::passes(std::size_t at) const {
  const SeedRow& row = table()[at];
  if (filter_.only_collisions && row.equal_to < 0 && others_[at].count == 0) return false;
  if (filter_.rank && *filter_.rank != row.rank) return false;
  if (filter_.seed && *filter_.seed != row.seed) return false;
  return !filter_.epoch || *filter_.epoch == row.epoch;
}

void SeedModel::select() {
  shown_.clear();
  for (std::size_t at = 0; at < table().size(); ++at) {
    if (passes(at)) shown_.push_back(static_cast<std::int32_t>(at));
  }
}

int SeedModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int SeedModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(Columns);
}

qint64 SeedModel::total() const {
  return static_cast<qint64>(table().size());
}

const SeedRow& SeedModel::seedRow(int row) const {
  return table()[static_cast<std::size_t>(shown_[static_cast<std::size_t>(row)])];
}

bool SeedModel::collides(int row) const {
  return seedRow(row).equal_to >= 0 ||
         others_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(row)])].count > 0;
}

int SeedModel::rowOf(const Selected& place) const {
  if (!place.seed && place.ranks.empty() && !place.epoch) return -1;
  const auto matches = [&](const SeedRow& row) {
    if (place.seed && row.seed != *place.seed) return false;
    if (!place.ranks.empty() && row.rank != place.ranks.front()) return false;
    if (place.epoch && row.epoch != *place.epoch) return false;
    return !place.worker || row.worker == *place.worker;
  };
  for (int row = 0; row < rowCount(); ++row) {
    if (matches(seedRow(row))) return row;
  }
  return -1;
}

int SeedModel::sameAs(int row) const {
  const auto it = std::lower_bound(shown_.begin(), shown_.end(), seedRow(row).equal_to);
  return it == shown_.end() || *it != seedRow(row).equal_to ? -1 : static_cast<int>(it - shown_.begin());
}

QString SeedModel::sameText(std::size_t at) const {
  const SeedRow& row = table()[at];
  if (row.equal_to >= 0) return tr("same as %1").arg(who(table()[static_cast<std::size_t>(row.equal_to)]));
  const Others& others = others_[at];
  if (others.count == 0) return {};
  const QString first = tr("same as %1").arg(who(table()[static_cast<std::size_t>(others.first)]));
  return others.count == 1 ? first : tr("%1 and %2").arg(first, countOf(others.count - 1, "other"));
}

QString SeedModel::idsTip(const SeedRow& row) const {
  const QString draw = QStringLiteral("torch.randint(0, %1, (4,))").arg(report_->seeds.dataset_size);
  const QString ids = drawnText(report_->seeds, row);
  if (ids.isEmpty()) return {};
  return row.own_id < 0 ? tr("%1 right after the seed: %2").arg(draw, ids)
                        : tr("first sample of the rank in epoch %1: %2; %3 right after the seed: %4")
                              .arg(QString::number(row.epoch), QString::number(row.own_id), draw, ids);
}

QString SeedModel::text(std::size_t at, int column) const {
  const SeedRow& row = table()[at];
  switch (column) {
    case EpochColumn:
      return QString::number(row.epoch);
    case NodeColumn:
      return QString::number(world_.nodeOf(Rank{row.rank}));
    case RankColumn:
      return QString::number(row.rank);
    case LocalRankColumn:
      return QString::number(world_.localRankOf(Rank{row.rank}));
    case WorkerColumn:
      return row.worker < 0 ? QString() : QString::number(row.worker);
    case SeedColumn:
      return QString::number(row.seed);
    case StreamColumn:
      return QString::number(row.stream);
    case IdsColumn:
      return '[' + drawnText(report_->seeds, row) + ']';
    default:
      return sameText(at);
  }
}

QVariant SeedModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto at = static_cast<std::size_t>(shown_[static_cast<std::size_t>(index.row())]);
  switch (role) {
    case Qt::DisplayRole: {
      const bool own_process = index.column() == WorkerColumn && table()[at].worker < 0;
      return own_process ? QStringLiteral("\u2013") : text(at, index.column());
    }
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(index.column() == SameColumn ? Qt::AlignVCenter | Qt::AlignLeft
                                                              : Qt::AlignVCenter | Qt::AlignRight);
    case Qt::ForegroundRole:
      return collides(index.row()) && index.column() >= SeedColumn ? QVariant(QBrush(theme().error)) : QVariant();
    case Qt::FontRole:
      return index.column() == SeedColumn || index.column() == StreamColumn ? QVariant(monoFont()) : QVariant();
    case Qt::ToolTipRole:
      if (index.column() == IdsColumn) return idsTip(table()[at]);
      return index.column() == WorkerColumn && table()[at].worker < 0 ? tr("main process of the rank") : QVariant();
    default:
      return {};
  }
}

QVariant SeedModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(section == SameColumn ? Qt::AlignLeft : Qt::AlignRight);
  if (role != Qt::DisplayRole) return {};
  static const QStringList kNames{tr("epoch"), tr("node"),          tr("rank"),      tr("local rank"), tr("worker"),
                                  tr("seed"),  tr("32-bit stream"), tr("first ids"), tr("equal to")};
  return kNames.value(section);
}

QString SeedModel::csv(const std::vector<int>& rows) const {
  QStringList lines;
  QStringList fields;
  for (const char* key : kKeys) fields << QLatin1String(key);
  lines << fields.join(',');
  for (const int row : rows) {
    fields.clear();
    const auto at = static_cast<std::size_t>(shown_[static_cast<std::size_t>(row)]);
    for (int column = 0; column < Columns; ++column) fields << csvField(text(at, column));
    lines << fields.join(',');
  }
  return lines.join('\n') + '\n';
}

QString SeedModel::yaml(const std::vector<int>& rows) const {
  QString out = QStringLiteral("seeds:\n");
  for (const int row : rows) {
    const auto at = static_cast<std::size_t>(shown_[static_cast<std::size_t>(row)]);
    QStringList fields;
    for (int column = 0; column < Columns; ++column) {
      const QString value = text(at, column);
      if (!value.isEmpty())
        fields << QStringLiteral("%1: %2").arg(QLatin1String(kKeys[static_cast<std::size_t>(column)]), value);
    }
    out += QStringLiteral("  - {%1}\n").arg(fields.join(QStringLiteral(", ")));
  }
  return out;
}

QString sharedIdsText(const SeedTable& seeds) {
  if (seeds.dataset_size < 2 || (seeds.truncated && seeds.epochs < 2)) return {};  // the table may lack ranks
  std::map<std::uint32_t, qint64> ranks;                                           // with this stream
  for (const SeedRow& row : comparedRows(seeds)) ++ranks[row.stream];
  qint64 alike = 0;
  for (const auto& [stream, count] : ranks) {
    if (count > 1) alike += count;
  }
  return alike == 0 ? QString()
                    : SeedModel::tr("%1 of %2 would share random ids").arg(number(alike), countOf(seeds.ranks, "rank"));
}

SeedVerdict seedVerdict(const AuditReport& report, const PipelineSpec::World& world) {
  const SeedTable& seeds = report.seeds;
  SeedVerdict verdict;
  const bool collide = seeds.colliding_ranks > 0 || seeds.colliding_workers > 0;
  if (!collide) {
    verdict.title = distinctTitle(seeds);
    if (seeds.distinct_ranks > 0) return verdict;
  } else {
    verdict.title = collisionTitle(seeds, world);
  }
  verdict.tone = Tone::Warning;
  for (const Finding& finding : report.findings) {
    if (finding.is_proof || finding.topic != FindingTopic::Seeds) continue;
    verdict.tone = toneOf(finding.severity);
    if (const Fix* fix = finding.fix()) verdict.fix = *fix;
    break;
  }
  return verdict;
}

}  // namespace shardlens::ui

#include "moc_seed_model.cpp"
