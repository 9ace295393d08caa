// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/time_lost.h"

#include <cstdint>
#include <optional>
#include <vector>

/// Which ranks are slow, when, and whether that is more than chance.
///
/// The question about a history of collectives (TimeLost) is: does a set of members come later than all the
/// rest? Nothing is assumed about the times, which have heavy tails and depend on each other. The only assumption is
/// what "no rank is slow" means: that the members of a group could change places. Then each of them is equally likely
/// to be the latest, whatever the noise.
///
/// **The test.** The collectives looked at are cut into at most 24 blocks of equal length. In each block a member's
/// score is the sum of its places in the order of arrival; a sum of places does not care how late the latest was, so
/// one pause of five seconds counts like one of five milliseconds. A block agrees with a set of k of n members when all
/// of their scores are above all others. Chance makes it agree with a probability of 1 in (n over k); the number of
/// blocks that agree is then binomial.
///
/// **Steps that depend on each other.** What slows a rank by chance (a page cache, a neighbour on its core) often slows
/// its next steps, too, and a streak of the same last rank then means little. A block is therefore made so long that
/// the set's lateness in one hardly depends on the one before: the correlation from step to step is measured by how
/// often the lateness stays on one side of its median, inside the window and outside it, with a margin of one
/// standard error, and a block has (1 + c) / (1 - c) rows. That leaves few blocks of a short run, and the test is
/// silent; unless the set is clearly late: by so many times more than it or the others vary that it is no fluctuation,
/// however long fluctuations last (2.5 times in five blocks, 3.5 in three, 8 in fewer, 16 in less than twelve
/// collectives).
///
/// **Looking often.** The set is the one of the highest total scores, so the probability is multiplied by (n over k),
/// and by n - 1 for the choice of k. Of the allowed 1 in 100, four parts are for the whole run, four for windows inside
/// it (half, quarter, ... of its length, each shifted by half of itself, an equal part for each length), two for the
/// last seconds. The groups of a run share it.
///
/// **Few collectives.** In less than a dozen collectives of few ranks, places show little: of two ranks, chance makes
/// one the last in all of eight in 1 run of 128. Yet steps may take minutes. A set is named in five collectives or
/// more, too, with the chance that its places have, if it is late by 16 times more than it or the others vary, and that
/// costs half a second.
///
/// **More than significant.** A verdict is about what is worth fixing. The set must cost 5 % of the time it is about,
/// and 2 % of the run or half a second, and each of its members typically comes half a millisecond later than the
/// others.
///
/// **Ranks that wait for a core.** Where more ranks than cores share a host, a rank that is ready lets the others of
/// its core use up their time slices, and often it is the same rank in every step: 2.8 ms late with two ranks a core, 5
/// ms with four, was measured without any slow rank, in 51 of 60 collectives. That rank is late, but not slow. So there
/// it has to be later than that explains, and later than a third of the worst. Other load on the host shows in how
/// long ranks take to leave a collective after all have come: on an idle host that varies by a tenth of a millisecond,
/// on a busy one by 8 to 14. Where the ranks could fill the host, their lateness must also exceed this variation, or be
/// so steady that neither explains it: three quarters of the slices in nine of ten collectives.
///
/// Ends of an interval are where the sum of the set's gains, less half of the typical one for each collective, is
/// largest; a part beyond them belongs to the interval, too, if the set still gains a quarter of that there. If no set
/// is found although much time is lost, the last rank changes: the verdict says that instead.
namespace shardlens {

/// What a group's ranks share.
struct Ground {
  std::int64_t ranks_per_core = 1;  ///< rounded up
  bool is_tight = false;            ///< the ranks take more than half of the cores: other programs there delay them
  std::int64_t groups = 1;          ///< that are judged in this run
};

/// Members that come later than the others over some collectives.
struct SlowRanks {
  std::vector<std::int64_t> ranks;  ///< ascending
  std::int64_t worst = 0;           ///< of these, the one that gains most when it alone is fixed
  RowRange rows;
  bool is_whole_run = false;
  bool is_open = false;  ///< extends to the last collective
  std::int64_t from_ns = 0, to_ns = 0;
  std::int64_t collectives = 0;
  std::int64_t left_out = 0;     ///< as TimeLost has it
  std::int64_t last_in = 0;      ///< of these collectives, how many one of the set entered last
  Owed owed;                     ///< over these collectives
  std::vector<double> alone_ms;  ///< what fixing each of the ranks alone gains
  double behind_ms = 0;          ///< median of: their median arrival after that of the others
  double share = 0;              ///< of the time of these collectives that fixing all of them gains
  double confidence = 0;         ///< 1 minus the probability that chance does this
};

/// What the collectives of one group show.
struct Judgement {
  std::vector<SlowRanks> slow;             ///< most gain first, few
  std::optional<SometimesLate> sometimes;  ///< only when no rank is slow
  std::optional<Wandering> wandering;      ///< only when no rank is slow, not even sometimes
  double waited_ms = 0;                    ///< of all members, in all collectives
  std::vector<Pause> pauses;               ///< the longest few, in the order of time
  std::optional<Pause> at_start;           ///< the longest wait for a rank that was still starting
};

Judgement judge(const TimeLost& lost, const Ground& ground);

}  // namespace shardlens
