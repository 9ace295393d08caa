// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/inspection.h"

#include "core/base/text.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>
#include <unordered_set>

namespace shardlens::ui {
namespace {

constexpr std::int64_t kLookEvery = 1 << 16;  // items between two looks at the stop token: well under a millisecond
constexpr std::size_t kMostHolders = 12;

const RankEpoch* rankOf(const PlanSnapshot& answer, qint64 rank) {
  if (!answer.epoch || rank < 0 || rank >= static_cast<qint64>(answer.epoch->ranks.size())) return nullptr;
  return &answer.epoch->ranks[static_cast<std::size_t>(rank)];
}

void addHost(Inspection& out, const PlanSnapshot& answer, qint64 rank) {
  out.facts.push_back({phrase("design", "node, local rank"),
                       QString("%1, %2").arg(answer.spec.nodeOf(Rank{rank})).arg(answer.spec.localRankOf(Rank{rank}))});
}

/// The seed of the rank (worker -1) or of one of its workers in the epoch, when the audit's table has it.
QString seedText(const PlanSnapshot& answer, std::int64_t epoch, std::int64_t rank, std::int64_t worker) {
  if (!answer.audit) return {};
  for (const SeedRow& row : answer.audit->seeds.rows) {
    if (row.epoch == epoch && row.rank == rank && row.worker == worker) return QString::number(row.seed);
  }
  return {};
}

QString workerText(const PlanSnapshot& answer, const RankEpoch& rank, Step step) {
  const std::int64_t worker = rank.worker(step);
  const QString who = worker < 0 ? phrase("design", "main process") : phrase("design", "worker %1").arg(worker);
  const QString seed = seedText(answer, rank.epoch().value, rank.rank().value, worker);
  return seed.isEmpty() ? who : phrase("design", "%1 (seed %2)").arg(who, seed);
}

QString positionsText(const RankEpoch& rank, RankEpoch::Range items) {
  if (items.size() == 1) return number(rank.position(items.first));
  const QString places =
      QString("%1 … %2").arg(number(rank.position(items.first)), number(rank.position(items.last - 1)));
  const Slice& slice = rank.slice();
  return slice.block() == 1 && slice.stride() > 1
             ? phrase("design", "%1, stride %2").arg(places, number(slice.stride()))
             : places;
}

void addChips(Inspection& out, const RankEpoch& rank, RankEpoch::Range items) {
  out.samples = items.size();
  const std::int64_t last = std::min<std::int64_t>(items.last, items.first + static_cast<std::int64_t>(kMostChips));
  for (std::int64_t k = items.first; k < last; ++k) out.chips.push_back({rank.sample(k), rank.isPadding(k), false});
}

Inspection inspectBatch(const PlanSnapshot& answer, qint64 rank, qint64 step) {
  const RankEpoch* who = rankOf(answer, rank);
  Inspection out;
  if (who == nullptr) return out;
  out.title =
      phrase("design", "rank %1 · epoch %2 · step %3").arg(rank).arg(answer.epoch->epoch.value).arg(number(step));
  addHost(out, answer, rank);
  if (step < 0 || step >= who->batches()) {
    out.sentence = phrase("design", "Rank %1 has no batch at this step: it takes %2 in this epoch.")
                       .arg(rank)
                       .arg(countOf(who->batches(), "step"));
    return out;
  }
  const RankEpoch::Range items = who->batch(Step{step});
  out.facts.push_back({phrase("design", "loader worker"), workerText(answer, *who, Step{step})});
  out.facts.push_back({phrase("design", "batch"), countOf(items.size(), "sample")});
  out.facts.push_back({phrase("design", "positions"), positionsText(*who, items)});
  const QString fingerprint = QString::fromStdString(fingerprintText(who->batchFingerprint(Step{step})));
  out.facts.push_back({phrase("design", "fingerprint"), fingerprint});
  addChips(out, *who, items);
  out.complete = answer.epoch->ranks.size() < 2;
  return out;
}

/// The seeds of the rank, and of its worker when one is meant.
void addSeeds(Inspection& out, const PlanSnapshot& answer, qint64 rank, std::optional<qint64> worker) {
  const auto add = [&](const QString& name, qint64 process) {
    const QString seed = seedText(answer, answer.epoch->epoch.value, rank, process);
    if (seed.isEmpty()) return;
    Selected place;
    place.seed = seed.toULongLong();
    out.facts.push_back({name, seed, place});
  };
  add(phrase("design", "seed"), -1);
  if (worker && *worker >= 0) add(phrase("design", "seed of worker %1").arg(*worker), *worker);
}

Inspection inspectRank(const PlanSnapshot& answer, qint64 rank, std::optional<qint64> worker) {
  const RankEpoch* who = rankOf(answer, rank);
  Inspection out;
  if (who == nullptr) return out;
  out.title = phrase("design", "rank %1 · epoch %2").arg(rank).arg(answer.epoch->epoch.value);
  if (worker) {
    out.title += " · " + (*worker < 0 ? phrase("design", "main process") : phrase("design", "worker %1").arg(*worker));
  }
  addHost(out, answer, rank);
  if (answer.shape && answer.shape->epoch == answer.epoch->epoch) {
    const RankEpochShape& shape = answer.shape->ranks[static_cast<std::size_t>(rank)];
    out.facts.push_back({phrase("design", "samples"), number(shape.samples)});
    out.facts.push_back({phrase("design", "batches"), number(shape.batches)});
    out.facts.push_back({phrase("design", "padding items"), number(static_cast<qint64>(who->padding().size()))});
    out.facts.push_back({phrase("design", "items dropped by the loader"), number(shape.dropped)});
  }
  addSeeds(out, answer, rank, worker);
  return out;
}

Inspection inspectPair(const PlanSnapshot& answer, qint64 a, qint64 b) {
  Inspection out;
  if (rankOf(answer, a) == nullptr || rankOf(answer, b) == nullptr) return out;
  out.title = phrase("design", "ranks %1 and %2 · epoch %3").arg(a).arg(b).arg(answer.epoch->epoch.value);
  for (const qint64 rank : {a, b}) {
    out.facts.push_back({phrase("design", "rank %1").arg(rank), phrase("design", "node %1, local rank %2")
                                                                    .arg(answer.spec.nodeOf(Rank{rank}))
                                                                    .arg(answer.spec.localRankOf(Rank{rank}))});
  }
  out.complete = false;
  return out;
}

const Ledger* coverageOfShown(const PlanSnapshot& answer) {
  if (!answer.audit) return nullptr;
  for (const Ledger& coverage : answer.audit->coverage) {
    if (coverage.epoch == answer.epoch->epoch.value) return &coverage;
  }
  return nullptr;
}

/// Nothing is selected: the shown epoch as a whole.
Inspection inspectEpoch(const PlanSnapshot& answer) {
  Inspection out;
  const qint64 ranks = answer.spec.worldSize();
  const QString title = ranks == 1   ? phrase("design", "epoch %1, the only rank")
                        : ranks == 2 ? phrase("design", "epoch %1, both ranks")
                                     : phrase("design", "epoch %1, all %2").replace("%2", countOf(ranks, "rank"));
  out.title = title.arg(answer.epoch->epoch.value);
  out.is_overview = true;
  if (const Ledger* coverage = coverageOfShown(answer)) {
    out.facts.push_back({phrase("design", "handed out"), countOf(coverage->handed_out, "sample")});
    out.facts.push_back({phrase("design", "seen"),
                         phrase("design", "%1 of %2").arg(number(coverage->seen), number(coverage->dataset_size))});
    out.facts.push_back({phrase("design", "never seen"), number(coverage->missing)});
    out.facts.push_back({phrase("design", "more than once"), number(coverage->duplicated)});
    out.facts.push_back({phrase("design", "padding"), countOf(coverage->padding(), "item")});
    out.facts.push_back({phrase("design", "dropped"), countOf(coverage->dropped(), "sample")});
  }
  if (answer.audit) {
    const MemoryEstimate& memory = answer.audit->memory;
    out.facts.push_back({phrase("design", "epoch order"),
                         phrase("design", "%1 in memory")
                             .arg(QString::fromStdString(byteSize(static_cast<double>(memory.order_bytes))))});
    out.facts.push_back({phrase("design", "prefetched per rank"), countOf(memory.prefetched_samples, "sample")});
  }
  return out;
}

/// Ids that stand for one place of the dataset strip.
Inspection inspectBin(qint64 first, qint64 count) {
  Inspection out;
  out.title = phrase("design", "samples %1 to %2").arg(number(first), number(first + count - 1));
  out.facts.push_back({phrase("design", "in the dataset"),
                       phrase("design", "%1 from id %2 on").arg(countOf(count, "sample"), number(first))});
  out.sentence = phrase("design", "Choose one to see where it goes in each epoch.");
  const qint64 last = first + std::min<qint64>(count, static_cast<qint64>(kMostChips));
  for (qint64 id = first; id < last; ++id) out.chips.push_back({id, false, false});
  out.samples = count;
  return out;
}

QString holderText(const SeedRow& row) {
  return row.worker < 0 ? phrase("design", "rank %1").arg(row.rank)
                        : phrase("design", "rank %1 worker %2").arg(row.rank).arg(row.worker);
}

/// Every process that has this seed in the shown epoch, or in the first epoch that has any.
Inspection inspectSeed(const PlanSnapshot& answer, quint64 seed) {
  Inspection out;
  out.title = phrase("design", "seed %1").arg(seed);
  QStringList holders;
  qint64 count = 0;
  std::optional<qint64> epoch;
  const std::vector<SeedRow> none;
  for (const SeedRow& row : answer.audit ? answer.audit->seeds.rows : none) {
    if (row.seed != seed) continue;
    if (!epoch) epoch = row.epoch;
    if (row.epoch != *epoch) continue;
    if (static_cast<std::size_t>(count++) < kMostHolders) holders += holderText(row);
  }
  if (!epoch) {
    out.sentence = phrase("design", "No process has this seed in the epochs that were audited.");
    return out;
  }
  out.about.epoch = epoch;
  out.facts.push_back({phrase("design", "epoch"), QString::number(*epoch), out.about});
  out.facts.push_back({phrase("design", "processes"), number(count)});
  out.facts.push_back({phrase("design", "held by"), holders.join("\n")});
  if (count > holders.size()) out.sentence = phrase("design", "And %1 more.").arg(number(count - holders.size()));
  return out;
}

Inspection inspectSample(const PlanSnapshot& answer, qint64 sample) {
  Inspection out;
  out.title = phrase("design", "sample %1").arg(number(sample));
  if (sample < 0 || sample >= answer.spec.dataset.size) {
    out.sentence = phrase("design", "The dataset has no such sample: ids go from 0 to %1.")
                       .arg(number(answer.spec.dataset.size - 1));
  }
  return out;
}

/// What the selection is about, once it is known that there is a plan.
Inspection inspectSelected(const PlanSnapshot& answer, const Selected& selected) {
  if (selected.sample && (selected.ranks.empty() || selected.follows_sample)) {
    return selected.samples > 1 ? inspectBin(*selected.sample, selected.samples)
                                : inspectSample(answer, *selected.sample);
  }
  if (selected.ranks.size() >= 2) return inspectPair(answer, selected.ranks[0], selected.ranks[1]);
  if (selected.ranks.size() == 1 && selected.step) return inspectBatch(answer, selected.ranks[0], *selected.step);
  if (!selected.ranks.empty()) return inspectRank(answer, selected.ranks[0], selected.worker);
  if (selected.seed) return inspectSeed(answer, *selected.seed);
  return inspectEpoch(answer);
}

/// Calls visit(k) for every item that stands in a batch; false when stopped.
template <class Visit>
bool eachItem(const RankEpoch& rank, const Work& work, Visit visit) {
  const std::int64_t batches = rank.batches();
  const std::int64_t end = batches == 0 ? 0 : rank.batch(Step{batches - 1}).last;
  for (std::int64_t k = 0; k < end; ++k) {
    if (k % kLookEvery == 0 && work.stopped()) return false;
    visit(k);
  }
  return !work.stopped();
}

bool markShared(Inspection& out, const PlanSnapshot& answer, qint64 own, const Work& work) {
  std::unordered_set<std::int64_t> wanted;
  for (const SampleChip& chip : out.chips) wanted.insert(chip.id);
  std::unordered_set<std::int64_t> found;
  std::int64_t with = 0;
  for (const RankEpoch& rank : answer.epoch->ranks) {
    if (rank.rank().value == own) continue;
    const std::size_t before = found.size();
    bool any = false;
    const bool done = eachItem(rank, work, [&](std::int64_t k) {
      const std::int64_t id = rank.sample(k);
      if (wanted.count(id) == 0) return;
      found.insert(id);
      any = true;
    });
    if (!done) return false;
    with += any || found.size() > before ? 1 : 0;
  }
  for (SampleChip& chip : out.chips) chip.shared = found.count(chip.id) > 0;
  if (!found.empty()) {
    out.sentence = (found.size() == 1 ? phrase("design", "%1 of %2 also goes to %3 in this epoch.")
                                      : phrase("design", "%1 of %2 also go to %3 in this epoch."))
                       .arg(number(static_cast<std::int64_t>(found.size())), countOf(out.samples, "sample"),
                            countOf(with, "other rank"));
  }
  return true;
}

bool addSharedIds(Inspection& out, const PlanSnapshot& answer, qint64 a, qint64 b, const Work& work) {
  const auto shared = sharedSamples(*answer.plan, answer.epoch->epoch, Rank{a}, Rank{b}, kMostChips, work);
  if (!shared) return false;
  for (const SampleIndex id : *shared) out.chips.push_back({id, false, true});
  out.samples = static_cast<qint64>(shared->size());
  if (answer.audit && a < answer.audit->ranks.size && b < answer.audit->ranks.size && answer.epoch->epoch.value == 0) {
    out.samples = answer.audit->ranks.at(a, b);
  }
  out.sentence = shared->empty() ? phrase("design", "They share no sample in this epoch.")
                                 : phrase("design", "They share %1 in this epoch.").arg(countOf(out.samples, "sample"));
  return true;
}

QString severityWord(const Finding& finding) {
  const std::string_view name = severityName(finding.severity);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

using LifeClock = std::chrono::steady_clock;

/// Lines come this often: enough to see them come, and little for the window to do.
constexpr std::chrono::milliseconds kHandOverEvery{80};

/// Epochs that are searched together: two rounds of every core.
std::int64_t epochsTogether() {
  return 2 * static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
}

void addRows(std::vector<LifeRow>& rows, qint64 epoch, const std::vector<Sighting>& sightings) {
  if (sightings.empty()) rows.push_back({epoch, std::nullopt});
  for (const Sighting& sighting : sightings) rows.push_back({epoch, sighting});
}

}  // namespace

Inspection inspect(const PlanSnapshot& answer, const Selected& selected) {
  if (!answer.plan || !answer.epoch) return {};
  Inspection out = inspectSelected(answer, selected);
  if (!out.about.epoch) out.about.epoch = answer.epoch->epoch.value;
  if (selected.ranks.size() == 1) out.about.ranks = selected.ranks;
  return out;
}

std::optional<Inspection> inspectFully(const PlanSnapshot& answer, const Selected& selected, const Work& work) {
  Inspection out = inspect(answer, selected);
  if (out.complete) return out;
  bool done = true;
  if (selected.ranks.size() >= 2) {
    done = addSharedIds(out, answer, selected.ranks[0], selected.ranks[1], work);
  } else {
    done = markShared(out, answer, selected.ranks[0], work);
  }
  if (!done) return std::nullopt;
  out.complete = true;
  return out;
}

QString asYaml(const Inspection& inspection) {
  QString out = "# " + inspection.title + "\n";
  for (const auto& [name, value, place] : inspection.facts) {
    out +=
        QString(name).replace(", ", "_and_").replace(' ', '_') + ": \"" + QString(value).replace('\n', "; ") + "\"\n";
  }
  if (inspection.chips.empty()) return out;
  QStringList ids;
  for (const SampleChip& chip : inspection.chips) ids += QString::number(chip.id);
  return out + "samples: [" + ids.join(", ") + "]\n";
}

QString asCsv(const Inspection& inspection) {
  QString out = "sample,padding,shared\n";
  for (const SampleChip& chip : inspection.chips) {
    out += QString("%1,%2,%3\n").arg(chip.id).arg(chip.padding ? 1 : 0).arg(chip.shared ? 1 : 0);
  }
  return out;
}

QString twinOf(const Selected& selected, const QString& spec_path) {
  const QString file = spec_path.isEmpty() ? QString("spec.yaml") : spec_path;
  if (selected.sample && (selected.ranks.empty() || selected.follows_sample))
    return QString("shardlens find %1 %2").arg(file, QString::number(*selected.sample));
  QString command = "shardlens plan " + file;
  if (selected.epoch) command += QString(" --epoch %1").arg(*selected.epoch);
  if (!selected.ranks.empty()) command += QString(" --rank %1").arg(selected.ranks[0]);
  return command;
}

QString findingCounts(const std::vector<Finding>& findings) {
  const auto count = [&](Severity severity) {
    return std::ranges::count_if(findings, [&](const Finding& one) { return one.severity == severity; });
  };
  QStringList parts;
  if (const auto errors = count(Severity::Error)) parts += countOf(errors, "error");
  if (const auto warnings = count(Severity::Warning)) parts += countOf(warnings, "warning");
  if (parts.isEmpty()) {
    parts += std::ranges::any_of(findings, &Finding::leaves_open) ? phrase("design", "no problems in what is known")
                                                                  : phrase("design", "no problems");
  }
  const auto proofs = std::ranges::count_if(findings, [](const Finding& one) { return one.is_proof; });
  const auto notes = count(Severity::Info) - proofs;
  if (notes > 0) parts += countOf(notes, "note");
  if (proofs > 0) parts += phrase("design", "%1 fine").arg(proofs);
  return parts.join(" · ");
}

QString findingsText(const std::vector<Finding>& findings) {
  QString out;
  for (const Finding& finding : findings) {
    out += severityWord(finding) + ": " + text(finding.title) + '\n' + text(finding.message) + '\n';
    if (finding.fix() != nullptr) out += phrase("design", "Fix: %1").arg(text(finding.fix()->label)) + '\n';
    out += '\n';
  }
  return out.trimmed() + '\n';
}

QString findingsCsv(const std::vector<Finding>& findings) {
  QString out = "severity,code,title,message\n";
  const auto quoted = [](const std::string& field) { return '"' + text(field).replace('"', "\"\"") + '"'; };
  for (const Finding& finding : findings) {
    out += severityWord(finding) + ',' + text(finding.code) + ',' + quoted(finding.title) + ',' +
           quoted(finding.message) + '\n';
  }
  return out;
}

Selected placeOf(const Finding& finding) {
  const Where& where = finding.where;
  Selected place;
  place.ranks.assign(where.example.begin(), where.example.end());
  if (where.epoch) place.epoch = *where.epoch;
  if (where.step) place.step = *where.step;
  if (!where.samples.empty()) place.sample = where.samples.front();
  if (where.seed) place.seed = *where.seed;
  place.finding = QString::fromStdString(finding.code);
  return place;
}

Result<void> followSample(const Plan& plan, SampleIndex sample, const Work& work,
                          const std::function<void(std::vector<LifeRow> rows)>& take) {
  std::vector<LifeRow> rows;
  auto last = LifeClock::now();
  const auto all = static_cast<double>(plan.epochs());
  for (std::int64_t epoch = 0; epoch < plan.epochs();) {
    const std::int64_t count = std::min(epochsTogether(), plan.epochs() - epoch);
    const auto from = static_cast<double>(epoch);
    const auto found =
        findSample(plan, Epoch{epoch}, count, sample, work.part(from / all, (from + static_cast<double>(count)) / all));
    if (!found) return found.error();
    for (const std::vector<Sighting>& sightings : *found) addRows(rows, epoch++, sightings);
    if (epoch < plan.epochs() && LifeClock::now() - last < kHandOverEvery) continue;
    last = LifeClock::now();
    take(std::exchange(rows, {}));
  }
  return {};
}

void LifeModel::begin(SampleIndex sample, qint64 epochs) {
  beginResetModel();
  sample_ = sample;
  epochs_ = epochs;
  read_ = padding_ = left_out_ = 0;
  rows_.clear();
  endResetModel();
}

void LifeModel::append(const std::vector<LifeRow>& rows) {
  if (rows.empty()) return;
  const int first = rowCount();
  beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  for (const LifeRow& row : rows) {
    const bool read = row.at && row.at->step;
    read_ += read ? 1 : 0;
    left_out_ += row.at ? 0 : 1;
    padding_ += read && row.at->padding ? 1 : 0;
  }
  endInsertRows();
}

Selected LifeModel::placeOf(int row) const {
  const LifeRow& line = rows_[static_cast<std::size_t>(row)];
  Selected place;
  place.sample = sample_;
  place.follows_sample = true;
  place.epoch = line.epoch;
  if (!line.at) return place;
  place.ranks = {line.at->rank.value};
  if (line.at->step) place.step = line.at->step->value;
  return place;
}

int LifeModel::rowOf(const Selected& place) const {
  if (!place.epoch) return -1;
  auto line = std::lower_bound(rows_.begin(), rows_.end(), *place.epoch,
                               [](const LifeRow& row, qint64 epoch) { return row.epoch < epoch; });
  for (; line != rows_.end() && line->epoch == *place.epoch; ++line) {
    const bool rank = place.ranks.empty() || (line->at && line->at->rank.value == place.ranks.front());
    const bool step = !place.step || (line->at && line->at->step && line->at->step->value == *place.step);
    if (rank && step) return static_cast<int>(line - rows_.begin());
  }
  return -1;
}

QString LifeModel::summary() const {
  QStringList parts = {phrase("design", "Read %1 in %2").arg(countOf(read_, "time"), countOf(epochs_, "epoch"))};
  if (padding_ > 0) parts += phrase("design", "as padding %1").arg(countOf(padding_, "time"));
  if (left_out_ > 0) parts += phrase("design", "left out of %1").arg(countOf(left_out_, "epoch"));
  const qint64 dropped = static_cast<qint64>(rows_.size()) - read_ - left_out_;
  if (dropped > 0) parts += phrase("design", "dropped by the loader %1").arg(countOf(dropped, "time"));
  return phrase("design", "%1.").arg(parts.join("; "));
}

QString LifeModel::csv() const {
  QString out = "sample,epoch,rank,step,worker,item,padding\n";
  for (const LifeRow& row : rows_) {
    out += QString("%1,%2,").arg(sample_).arg(row.epoch);
    if (!row.at) {
      out += ",,,,\n";
      continue;
    }
    const Sighting& at = *row.at;
    out += QString("%1,%2,%3,%4,%5\n")
               .arg(at.rank.value)
               .arg(at.step ? QString::number(at.step->value) : QString())
               .arg(at.worker)
               .arg(at.item)
               .arg(at.padding ? 1 : 0);
  }
  return out;
}

int LifeModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LifeModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : Columns;
}

QString LifeModel::text(const LifeRow& row, int column) const {
  if (column == EpochColumn) return number(row.epoch);
  if (!row.at) return column == RankColumn ? phrase("design", "none") : QString();
  const Sighting& at = *row.at;
  switch (column) {
    case RankColumn:
      return number(at.rank.value);
    case StepColumn:
      return at.step ? number(at.step->value) : phrase("design", "dropped");
    case WorkerColumn:
      if (at.worker >= 0) return number(at.worker);
      return at.step ? phrase("design", "main") : QString();
    default:
      return !at.step ? QString() : at.padding ? phrase("design", "%1 pad").arg(number(at.item)) : number(at.item);
  }
}

QVariant LifeModel::data(const QModelIndex& index, int role) const {
  const LifeRow& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return text(row, index.column());
  if (role != Qt::ToolTipRole && role != Qt::AccessibleTextRole) return {};
  if (!row.at) return phrase("design", "epoch %1: in no batch").arg(number(row.epoch));
  const Sighting& at = *row.at;
  QString tip = phrase("design", "epoch %1: rank %2").arg(number(row.epoch), number(at.rank.value));
  if (!at.step && at.worker >= 0)
    return phrase("design", "%1, in the short batch of worker %2, which the loader drops").arg(tip).arg(at.worker);
  if (!at.step) return phrase("design", "%1, dropped by the loader").arg(tip);
  tip = phrase("design", "%1, step %2, place %3 in the batch").arg(tip, number(at.step->value), number(at.item));
  tip = at.worker < 0 ? phrase("design", "%1, loaded by the main process").arg(tip)
                      : phrase("design", "%1, loaded by worker %2").arg(tip).arg(at.worker);
  return at.padding ? phrase("design", "%1, as padding").arg(tip) : tip;
}

QVariant LifeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  constexpr std::array kNames = {QT_TRANSLATE_NOOP("design", "epoch"), QT_TRANSLATE_NOOP("design", "rank"),
                                 QT_TRANSLATE_NOOP("design", "step"), QT_TRANSLATE_NOOP("design", "worker"),
                                 QT_TRANSLATE_NOOP("design", "place")};
  return phrase("design", kNames[static_cast<std::size_t>(section)]);
}

}  // namespace shardlens::ui

#include "moc_inspection.cpp"
