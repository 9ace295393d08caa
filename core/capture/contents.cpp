// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/probe_reader.h"
#include "core/capture/recorded_batches.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace shardlens::capture {
namespace {

using Unit = MarkedBatch::Unit;

/// Collects the marks of one rank.
class RankMarks {
 public:
  explicit RankMarks(const RankLoader& rank) : rank_(rank) {
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      const PassFacts& pass = rank.passes[i];
      place_[pass.number] = i;
      passes_.push_back({rank.rank, i, pass.epoch, pass.ended, {}, {}});
    }
  }

  void take(const MarkedBatch& batch) {
    const auto found = place_.find(batch.pass);
    if (found == place_.end() || why_not_) return;
    RecordedPass& pass = passes_[found->second];
    if (batch.unit == Unit::TooLong || batch.unit == Unit::Unreadable) {
      why_not_ =
          batch.unit == Unit::TooLong
              ? worded("capture",
                       "What the stream gave was not compared, because that would have taken longer than 2 "
                       "microseconds a sample. With SHARDLENS_PROBE_CONTENTS=1 in its environment, the job's next "
                       "run is compared.")
              : worded("capture",
                       "What the stream gave was not compared: the probe reads CPU tensors and text, also in lists "
                       "and dictionaries, and this is something else.");
    } else if (batch.step != static_cast<std::int64_t>(pass.ends.size()) || unit_.value_or(batch.unit) != batch.unit) {
      why_not_ = words::contentsLacking(rank_.rank);
    } else {
      unit_ = batch.unit;
      pass.ids.insert(pass.ids.end(), batch.marks.begin(), batch.marks.end());
      pass.ends.push_back(static_cast<std::int64_t>(pass.ids.size()));
    }
  }

  /// After the last one: why the contents of this rank are not known.
  [[nodiscard]] std::optional<std::string> whyNot() const {
    if (why_not_) return why_not_;
    const std::int64_t untold = rank_.has_end ? 0 : 1;  // who was killed may have said so before it wrote the contents
    for (const RecordedPass& pass : passes_) {
      const auto recorded = static_cast<std::int64_t>(pass.ends.size());
      if (rank_.passes[pass.index].read() <= recorded + (recorded > 0 ? untold : 0)) continue;
      return unit_ ? words::contentsLacking(rank_.rank)
                   : worded("capture", "What the stream gave was not compared: its contents are not recorded.");
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Unit> unit() const { return unit_; }
  [[nodiscard]] std::vector<RecordedPass> passes() && { return std::move(passes_); }

 private:
  const RankLoader& rank_;
  std::map<std::int64_t, std::size_t> place_;  ///< of a pass, by its number in the process
  std::vector<RecordedPass> passes_;
  std::optional<Unit> unit_;
  std::optional<std::string> why_not_;
};

/// What a rank got in a pass, whatever the order.
std::vector<SampleIndex> sorted(const RecordedPass& pass) {
  std::vector<SampleIndex> marks = pass.ids;
  std::ranges::sort(marks);
  return marks;
}

bool areOne(const std::vector<SampleIndex>& ascending) {
  return ascending.empty() || ascending.front() == ascending.back();
}

/// Ranks that got the same, as often, in the first pass where any did. One content over and over says nothing.
std::optional<RunFinding> ranksAlike(const std::vector<RecordedPass>& passes, bool by_batch) {
  std::map<std::pair<std::size_t, std::vector<SampleIndex>>, std::vector<const RecordedPass*>> alike;
  for (const RecordedPass& pass : passes) {
    if (auto marks = sorted(pass); !areOne(marks)) alike[{pass.index, std::move(marks)}].push_back(&pass);
  }
  std::vector<std::vector<std::int64_t>> groups;
  std::optional<std::size_t> index;
  bool in_order = true;
  for (const auto& [key, group] : alike) {
    if (group.size() < 2 || index.value_or(key.first) != key.first) continue;
    index = key.first;
    std::vector<std::int64_t>& ranks = groups.emplace_back();
    for (const RecordedPass* const pass : group) {
      ranks.push_back(pass->rank);
      in_order = in_order && pass->ids == group.front()->ids && pass->ends == group.front()->ends;
    }
  }
  if (groups.empty()) return std::nullopt;
  std::ranges::sort(groups);
  return RunFinding{"run-ranks-share-samples", worded("capture", "Ranks read the same data"),
                    words::ranksGotTheSame(groups, static_cast<std::int64_t>(*index), by_batch, in_order)};
}

/// Whether each content came as often as there are workers, or a multiple of that, as where each worker reads the whole
/// stream.
bool comesByWorkers(const std::vector<SampleIndex>& ascending, std::int64_t workers) {
  for (auto from = ascending.begin(); from != ascending.end();) {
    const auto to = std::upper_bound(from, ascending.end(), *from);
    if ((to - from) % workers != 0) return false;
    from = to;
  }
  return true;
}

/// Workers of a rank that got the same, in the first pass where any did.
std::optional<RunFinding> workersAlike(const JobLoader& job, const std::vector<RecordedPass>& passes, bool by_batch) {
  for (const RecordedPass& pass : passes) {
    const std::int64_t workers = job.rankLoader(pass.rank)->loader.num_workers;
    const std::vector<SampleIndex> marks = sorted(pass);
    if (workers < 2 || !pass.exhausted || areOne(marks) || !comesByWorkers(marks, workers)) continue;
    return RunFinding{
        "run-workers-share-samples", worded("capture", "Workers read the same data"),
        filled(by_batch
                   ? worded("capture",
                            "In pass %1 of this stream, each batch that rank %2 got came %3 times, or a multiple of "
                            "that, by what it holds; the loader has %3 workers, and each of them reads the whole "
                            "stream unless the dataset divides it by get_worker_info().")
                   : worded("capture",
                            "In pass %1 of this stream, each sample that rank %2 got came %3 times, or a multiple of "
                            "that, by what it holds; the loader has %3 workers, and each of them reads the whole "
                            "stream unless the dataset divides it by get_worker_info()."),
               std::to_string(pass.index), std::to_string(pass.rank), grouped(workers))};
  }
  return std::nullopt;
}

}  // namespace

Result<StreamContents> contentsOf(const RecordedJob& job, std::size_t loader, const Work& work) {
  StreamContents contents;
  const JobLoader& meant = job.loaders[loader];
  std::vector<RecordedPass> passes;
  std::optional<Unit> unit;
  for (const RankLoader& rank : meant.ranks) {
    RankMarks marks(rank);
    const auto read = readMarks(
        job.files[rank.process], [&marks](const MarkedBatch& batch) { marks.take(batch); }, work);
    if (!read) return read.error();
    if (work.stopped()) return cancelled();
    const auto why_not = marks.whyNot();
    const bool is_other = unit && marks.unit() && *unit != *marks.unit();
    if (why_not || is_other) {
      contents.not_compared = why_not.value_or(words::contentsLacking(rank.rank));
      return contents;
    }
    if (marks.unit()) unit = marks.unit();
    std::vector<RecordedPass> of_rank = std::move(marks).passes();
    std::move(of_rank.begin(), of_rank.end(), std::back_inserter(passes));
  }
  if (isDispatched(meant))  // what rank 0 sent the others is not recorded
    std::erase_if(passes, [](const RecordedPass& pass) { return pass.rank != 0; });
  sortPasses(passes);
  contents.by_batch = unit == Unit::Batch;
  contents.passes = readingOf(meant, passes).passes;
  if (auto found = ranksAlike(passes, contents.by_batch)) contents.findings.push_back(*std::move(found));
  if (auto found = workersAlike(meant, passes, contents.by_batch)) contents.findings.push_back(*std::move(found));
  return contents;
}

}  // namespace shardlens::capture
