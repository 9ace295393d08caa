// SPDX-License-Identifier: Apache-2.0
#include "core/audit/run_ledger.h"

#include <algorithm>
#include <bit>
#include <set>

namespace shardlens {
namespace {

constexpr std::int64_t kMostItems = 10'000'000;  ///< that are counted beyond the epochs that are counted anyway

/// The samples of 0 .. size - 1 without a bit.
void listNever(const SeenSamples& ever, std::int64_t size, RunLedger& run) {
  std::int64_t read = 0;
  for (const std::uint64_t word : ever) read += std::popcount(word);
  run.never_read = size - read;
  const auto wanted = std::min<std::size_t>(kShownIds, static_cast<std::size_t>(run.never_read));
  for (SampleIndex id = 0; run.never_read_ids.size() < wanted; ++id) {
    const bool seen = (ever[static_cast<std::size_t>(id / 64)] >> (id % 64) & 1) != 0;
    if (!seen) run.never_read_ids.push_back(id);
  }
}

}  // namespace

Result<RunLedger> runLedger(const Plan& plan, std::span<const Ledger> counted, SeenSamples ever,
                            const EpochRepeats& repeats, bool later_epochs, const Work& work) {
  RunLedger run;
  run.first_epoch = counted.front().epoch;
  std::set<std::int64_t> known;
  for (const Ledger& ledger : counted) known.insert(repeats.firstLike(ledger.epoch));
  std::int64_t left = later_epochs ? kMostItems : 0;
  std::int64_t epoch = run.first_epoch + static_cast<std::int64_t>(counted.size());
  for (; epoch < plan.epochs(); ++epoch) {
    if (known.contains(repeats.firstLike(epoch))) continue;
    left -= std::max<std::int64_t>(counted.front().handed_out, counted.front().dataset_size);
    if (left < 0) break;
    const auto more = ledgerOf(plan, Epoch{epoch}, {work.stop, {}}, &ever);
    if (!more) return more.error();
    known.insert(repeats.firstLike(epoch));
  }
  run.epochs = epoch - run.first_epoch;
  listNever(ever, counted.front().dataset_size, run);
  return run;
}

}  // namespace shardlens
