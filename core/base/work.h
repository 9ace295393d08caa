// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace shardlens {

/// What is passed along with long work: a token to stop it and a callback for its progress.
/// A default Work never stops and has no progress callback. Long loops look at `stopped()` at least every 20 ms.
struct Work {
  std::stop_token stop;
  std::function<void(double fraction)> report;  ///< 0..1; called from the working thread; may be empty

  [[nodiscard]] bool stopped() const { return stop.stop_requested(); }
  void progress(double fraction) const {
    if (report) report(fraction);
  }
  /// The same stop token, with this part's 0..1 mapped to [from, to] of the whole.
  [[nodiscard]] Work part(double from, double to) const {
    if (!report) return Work{stop, {}};
    return Work{stop, [whole = report, from, to](double fraction) { whole(from + (to - from) * fraction); }};
  }
};

/// How many items a loop may handle between two checks of `stopped()`: a few milliseconds.
constexpr std::int64_t kItemsBetweenLooks = 1 << 18;

/// The error that stopped work returns.
inline Error cancelled() {
  return Error{ErrorCode::Cancelled, "Cancelled.", {}, {}};
}

}  // namespace shardlens
