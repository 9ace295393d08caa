// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lens/report.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// How a column's verdict is meant: a design that is wrong itself is not "good" in a column that deals it unchanged.
enum class LensTone { Neutral, Good, Warning, Bad };

/// The verdict in a few words, for the head of a column.
struct LensHead {
  LensTone tone = LensTone::Neutral;
  std::string text;  ///< "Same order", "26 of 250 samples lost"; empty for columns that were not requested
};
LensHead headOf(const JudgedColumn& judged);

/// What becomes of a part of the readings.
enum class ShareKind { Same, Moved, Fewer, Lost, Repeated, Added };

/// "same", "moved", "read less often", "lost", "repeated", "added".
std::string shareName(ShareKind kind);
/// What the share is of, in one sentence: for a legend.
std::string shareMeaning(ShareKind kind);

/// A part of the readings that a column or the first one has.
struct LensShare {
  ShareKind kind = ShareKind::Same;
  std::int64_t readings = 0;
  double share = 0;  ///< of all of them, 0..1
};
/// Those that are not empty, in the order of ShareKind; none where the column was not compared.
std::vector<LensShare> sharesOf(const JudgedColumn& judged);

/// The same in a line that breaks between them: "same 3 % · moved 22 % · lost 75 %".
std::string sharesText(const JudgedColumn& judged);

/// What the first column reads: "250 samples in 32 batches, 750 of them read again"; empty without an order.
std::string readText(const JudgedColumn& judged);

/// What taking this column's spec for the design would change: "changes nothing", "sets sampler.drop_last: true".
std::string changeText(const PipelineSpec& design, const LensColumn& column);

/// What it would cost in each epoch: "loses 26 samples, 7 steps instead of 8"; "no sample is lost or read more often";
/// empty where it is unknown.
std::string costText(const JudgedColumn& judged, const JudgedColumn& first);
/// Whether that is something to think about first: samples are lost or read again.
bool costsSamples(const JudgedColumn& judged);

}  // namespace shardlens
