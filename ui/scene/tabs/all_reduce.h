// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/ring.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <vector>

namespace shardlens::ui {

/// The rounds of larger groups are not drawn.
constexpr std::size_t kMostReduceRanks = 16;

/// A chunk of what a rank holds.
struct ReduceChunk {
  QString text;      ///< its values, "1, 2"; empty where none are given
  double share = 0;  ///< of the ranks of the group that are reduced into it; 1: it is final
};

/// What a rank holds between two rounds.
struct ReduceRow {
  QString values;  ///< "[1, 2]"; empty where none are given
  std::vector<ReduceChunk> chunks;
};

/// A message from a row to another one.
struct ReduceArrow {
  std::size_t from = 0, to = 0;
  QString label;  ///< "chunk 0: [1]"
};

/// The rounds of one algorithm.
struct ReduceRounds {
  QString name;                                  ///< "Ring"
  QStringList phases;                            ///< by round: "reduce-scatter"
  std::vector<std::vector<ReduceArrow>> arrows;  ///< by round
  std::vector<std::vector<ReduceRow>> rows;      ///< by rank: before the first round, and after each

  [[nodiscard]] std::size_t rounds() const { return arrows.size(); }
};

/// An all_reduce, by a ring and by a tree.
struct AllReduceScene {
  QString title;  ///< "all_reduce (sum) · ranks 0 and 1 · [1, 2] + [3, 4] = [4, 6]"; no values where none is drawn
  QString tip;    ///< the same with a list of values a line
  QStringList sentences;            ///< what both take, and what else there is to know
  QStringList ranks;                ///< by row: "0"
  std::vector<ReduceRounds> drawn;  ///< ring and tree; none of more than kMostReduceRanks

  /// Of the algorithm that has most.
  [[nodiscard]] std::size_t rounds() const;
};

/// Whether the schedule names one, alone or in a preset.
bool hasAllReduce(const PipelineSpec& spec);

/// "schedule[0] · ranks 0 and 1": which of the schedule's all_reduces.
QString reducePlace(const schedule::AllReduce& call);

/// Of two ranks or more.
AllReduceScene allReduceScene(const schedule::AllReduce& call);

/// "Ring · round 1 of 2: reduce-scatter", after so many rounds; "Ring · done after 2 rounds".
QString reduceHead(const ReduceRounds& rounds, std::size_t done);

/// The same with what each rank sends then, or has at the end: a line each.
QString reduceWords(const AllReduceScene& scene, const ReduceRounds& rounds, std::size_t done);

/// All of them, for people.
QString allReduceText(const AllReduceScene& scene);

}  // namespace shardlens::ui
