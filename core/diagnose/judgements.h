// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/slow_ranks.h"

#include <cstdint>
#include <map>

namespace shardlens {

class CollectiveTable;
struct RunState;

/// Who was slow in each group, judged again only when there is news: a running job of many collectives twice a second
/// at most, one with a long history once.
class Judgements {
 public:
  void update(const RunState& run, const CollectiveTable& collectives, std::int64_t now_ns);

  /// Of the collectives that there were when they were judged last, by group.
  [[nodiscard]] const std::map<std::uint32_t, Judgement>& byGroup() const { return by_group_; }

 private:
  std::map<std::uint32_t, Judgement> by_group_;
  std::int64_t collectives_ = -1;
  std::int64_t at_ns_ = 0;
};

}  // namespace shardlens
