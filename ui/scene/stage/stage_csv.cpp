// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/stage_csv.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

/// The items [first, last) that are in view.
std::pair<qint64, qint64> inView(const StageAxis& axis) {
  const auto first = std::max<qint64>(0, static_cast<qint64>(std::floor(axis.first)));
  return {first, std::min(axis.count, static_cast<qint64>(std::ceil(axis.first + axis.shown())))};
}

QString batchLine(const RankEpoch& rank, Step step) {
  QStringList ids;
  for (const SampleIndex id : rank.batchSamples(step)) ids += QString::number(id);
  return QString("%1,%2,%3,%4,").arg(rank.epoch().value).arg(rank.rank().value).arg(step.value).arg(rank.worker(step)) +
         ids.join(' ') + '\n';
}

}  // namespace

QString stageCsv(const StageInput& input, const StageAxis& steps, const StageAxis& ranks) {
  QString out = "epoch,rank,step,worker,samples\n";
  if (input.isEmpty()) return out;
  const auto [first_rank, last_rank] = inView(ranks);
  const auto [first_step, last_step] = inView(steps);
  qint64 ids = 0;
  qint64 left = 0;
  for (qint64 at = first_rank; at < last_rank; ++at) {
    const RankEpoch& rank = input.epoch->ranks[static_cast<std::size_t>(at)];
    for (Step step{first_step}; step.value < std::min<qint64>(last_step, rank.batches()); ++step) {
      const qint64 size = rank.batch(step).size();
      left += ids + size > kMostCsvIds ? 1 : 0;
      if (ids + size > kMostCsvIds) continue;
      ids += size;
      out += batchLine(rank, step);
    }
  }
  if (left > 0) out += QString("# %1 more batches in view\n").arg(left);
  return out;
}

}  // namespace shardlens::ui
