// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/shown_ids.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <vector>

namespace shardlens {

/// How often each sample of the dataset is handed out in one epoch, over all ranks and batches.
struct Coverage {
  std::int64_t epoch = 0;
  std::int64_t dataset_size = 0;
  std::int64_t handed_out = 0;          ///< items in batches, padding included
  std::int64_t seen = 0;                ///< distinct samples
  std::int64_t missing = 0;             ///< samples that no rank gets: dataset_size - seen
  std::int64_t duplicated = 0;          ///< distinct samples handed out more than once
  std::int64_t padding = 0;             ///< items yielded only to make the order divide evenly, over all ranks
  std::int64_t padding_positions = 0;   ///< the same, counted once when several ranks read the same slice
  std::int64_t dropped_by_sampler = 0;  ///< positions of the order that lie in no rank's slice
  std::int64_t dropped_by_loader =
      0;  ///< items of short last batches that loader.drop_last throws away, over all ranks
  /// [k] = number of samples handed out k times, k up to the most; [255] counts "255 times or more".
  std::vector<std::int64_t> times_seen;
  std::vector<SampleIndex> missing_ids;     ///< the first kShownIds, ascending
  std::vector<SampleIndex> duplicated_ids;  ///< likewise
  std::vector<SampleIndex> padding_ids;     ///< likewise, without repeats

  bool operator==(const Coverage&) const = default;
};

/// Counts one epoch of the plan. Cancelled within 50 ms when `work` says so; Environment when memory does not suffice.
Result<Coverage> coverageOf(const Plan& plan, Epoch epoch, const Work& work = {});

}  // namespace shardlens
