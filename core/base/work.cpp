// SPDX-License-Identifier: Apache-2.0
#include "core/base/work.h"

namespace shardlens {

Work Work::part(double from, double to) const {
  if (!report) return Work{stop, {}};
  return Work{stop, [whole = report, from, to](double fraction) { whole(from + (to - from) * fraction); }};
}

Error cancelled() {
  return Error{ErrorCode::Cancelled, "Cancelled.", {}, {}};
}

}  // namespace shardlens
