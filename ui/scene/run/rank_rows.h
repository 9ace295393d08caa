// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnose/run_state.h"
#include "core/spec/pipeline_spec.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace shardlens {
struct RunFacts;
}

namespace shardlens::ui {

struct RunLanes;

/// How the "now" of a rank is coloured, beside its words.
enum class NowTone { Unmeasured, Load, Compute, Wait, Transfer, Good, Bad };

/// One row of the table of ranks, in words.
struct RankRow {
  qint64 rank = 0;
  QString name;   ///< "5"
  QString place;  ///< "n1", or its host when ranks run on several
  QString step;
  QString rate;
  QString now;              ///< "waiting · all_reduce 12 ms"
  QStringList now_briefly;  ///< "waiting 12 ms", "waiting": where there is no room for it
  NowTone tone = NowTone::Unmeasured;
  double wait_share = -1;  ///< of its measured time, 0..1; negative = nothing measured yet
  bool is_culprit = false;
};

enum class RankOrder { ByRank, ByLateness };

/// Ranks in the order to show them: as they are, or who keeps the others waiting first. Ranks nobody has heard of come
/// first among the late ones: nothing is known that would excuse them.
std::vector<qint64> rankOrder(const RunState& state, RankOrder order);

/// How many ranks every node has; 0 where nodes differ.
qint64 equalNodeSize(const PipelineSpec::World& world);
/// Ranks per node of the nodes that this run emulates on one host; 0 for a job that was launched without a spec, and
/// where nodes differ.
qint64 emulatedNodeSize(const RunState& state, const RunFacts* facts);
/// The ranks that run on another node than the rank before them, ascending; none when every rank has a node of its own.
/// With one host, nodes are the emulated ones of `ranks_per_node` ranks.
std::vector<qint64> nodeStarts(const RunState& state, qint64 ranks_per_node);
/// The same for ranks of which only the number is known.
std::vector<qint64> nodeStarts(qint64 ranks, qint64 ranks_per_node);

/// The row of one rank. `ranks_per_node` of the spec names emulated nodes on one host.
RankRow rankRow(const RunState& state, qint64 rank, qint64 ranks_per_node);

/// Share of its measured time that a rank has waited for others, or of the whole run where it tells nothing but its
/// operations; negative when nothing was measured.
double waitShare(const RunState& state, const RankState& rank);

/// The table of ranks, a line for each: "rank 3 on n1: waiting · all_reduce 12 ms; step 4; 31 % waiting".
QString rowsText(const std::vector<RankRow>& rows);

/// What the lanes of these ranks show between two moments, a row of CSV for each piece of work. Ends after kMostPieces
/// rows; the last line says so.
QString lanesCsv(const RunLanes& lanes, const std::vector<qint64>& ranks, std::int64_t begin_ns, std::int64_t end_ns);
constexpr int kMostPieces = 50'000;

}  // namespace shardlens::ui
