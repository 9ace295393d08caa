// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/audit.h"
#include "ui/scene/number_text.h"
#include "ui/scene/tabs/heat.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace shardlens::ui {

/// What is to be said about a part of a plan: a sentence, why, and what would mend it.
struct OverlapVerdict {
  QString title;
  QStringList reasons;
  Tone tone = Tone::Note;
  std::optional<Fix> fix;
};

/// How much of the smaller rank's samples each pair shares.
Heat rankHeat(const Overlap& overlap);
/// 1 where two epochs have the same order.
Heat epochHeat(const EpochRepeats& repeats);

/// Whether every sample that is handed out twice is a repeated one that makes the order divide evenly.
bool onlyPaddingRepeats(const Ledger& coverage);

/// The colour and meaning of shared samples in this report: padding alone is no problem.
Tone rankTone(const AuditReport& report);
Tone epochTone(const AuditReport& report);

/// "ranks 2 and 6 share 320 292 samples (100 %)"
QString pairSentence(const Overlap& overlap, qint64 a, qint64 b);
QString epochSentence(const EpochRepeats& repeats, qint64 a, qint64 b);

/// The pairs that share samples: "rank_a,rank_b,shared".
QString overlapCsv(const Overlap& overlap);

/// About all pairs: that none shares a sample, or the worst one. `world` is the number of ranks of the job.
OverlapVerdict rankOverview(const AuditReport& report, qint64 world);
/// About one pair. `padding`: their shared samples are known to be padding.
OverlapVerdict rankVerdict(const AuditReport& report, qint64 a, qint64 b, bool padding);
OverlapVerdict epochOverview(const AuditReport& report);
OverlapVerdict epochVerdict(const AuditReport& report, qint64 a, qint64 b);

}  // namespace shardlens::ui
