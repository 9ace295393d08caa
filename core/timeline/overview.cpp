// SPDX-License-Identifier: Apache-2.0
#include "core/timeline/overview.h"

#include <algorithm>

namespace shardlens {
namespace {

constexpr std::size_t kPhases = 5;

/// What a stretch of a lane was spent with, while it is summed up.
struct Bucket {
  std::int64_t number = -1;
  std::array<std::int64_t, kPhases> ns{};
  std::array<std::int64_t, kPhases> longest{};
  std::array<Span, kPhases> spans{};  ///< the longest one of each phase: its step stands for all of them
};

void addTo(Bucket& bucket, const Span& span, std::int64_t from, std::int64_t to) {
  const auto phase = static_cast<std::size_t>(span.phase);
  bucket.ns[phase] += to - from;
  if (to - from <= bucket.longest[phase]) return;
  bucket.longest[phase] = to - from;
  bucket.spans[phase] = span;
}

/// Appends the span that takes the place of all in the bucket; none when most of its time was not measured.
void put(const Bucket& bucket, std::int64_t width, std::vector<Span>& out) {
  if (bucket.number < 0) return;
  std::int64_t measured = 0;
  for (const std::int64_t ns : bucket.ns) measured += ns;
  const auto most = static_cast<std::size_t>(std::max_element(bucket.ns.begin(), bucket.ns.end()) - bucket.ns.begin());
  if (bucket.ns[most] < width - measured) return;
  Span span = bucket.spans[most];
  span.begin_ns = bucket.number * width;
  span.end_ns = span.begin_ns + width;
  out.push_back(span);
}

/// The lane at this resolution; what is left of the last, begun bucket stays as it is.
std::vector<Span> coarse(const std::vector<Span>& spans, std::int64_t width) {
  std::vector<Span> out;
  if (spans.empty()) return out;
  const std::int64_t whole = spans.back().end_ns / width;  // buckets that are over
  Bucket bucket;
  for (const Span& span : spans) {
    std::int64_t at = span.begin_ns;
    for (; at < span.end_ns && at / width < whole; at = std::min(span.end_ns, (at / width + 1) * width)) {
      const std::int64_t number = at / width;
      if (number != bucket.number) {
        put(bucket, width, out);
        bucket = {};
        bucket.number = number;
      }
      addTo(bucket, span, at, std::min(span.end_ns, (number + 1) * width));
    }
    if (at >= span.end_ns) continue;
    put(bucket, width, out);
    bucket = {};
    Span rest = span;
    rest.begin_ns = at;
    out.push_back(rest);
  }
  put(bucket, width, out);
  return out;
}

}  // namespace

OverviewBuilder::OverviewBuilder(std::int64_t ranks, std::size_t most_spans, std::size_t most_steps)
    : most_spans_(most_spans), coarsen_at_(most_spans), most_steps_(std::max<std::size_t>(2, most_steps)) {
  for (std::int64_t rank = 0; rank < ranks; ++rank) lanes_.push_back({rank, {}});
  open_.resize(lanes_.size());
}

void OverviewBuilder::add(std::int64_t rank, const Span& span) {
  if (rank < 0 || rank >= static_cast<std::int64_t>(lanes_.size()) || span.end_ns <= span.begin_ns) return;
  if (span.begin_ns < 0) return;  // of a clock that was set right later
  auto& spans = lanes_[static_cast<std::size_t>(rank)].spans;
  auto place = spans.end();
  while (place != spans.begin() && std::prev(place)->begin_ns > span.begin_ns) --place;
  spans.insert(place, span);
  end_ns_ = std::max(end_ns_, span.end_ns);
  addStep(open_[static_cast<std::size_t>(rank)], span);
  if (++spans_ > coarsen_at_) coarsen();
}

void OverviewBuilder::addStep(OpenSteps& open, const Span& span) {
  auto found = std::find_if(open.begin(), open.end(),
                            [&](const Open& one) { return one.epoch == span.epoch && one.step == span.step; });
  if (found == open.end()) {
    close(kept_, open.back());
    if (kept_.size() > most_steps_) halveSteps();
    std::move_backward(open.begin(), std::prev(open.end()), open.end());
    open.front() = {span.epoch, span.step, span.begin_ns, span.end_ns, 0};
    found = open.begin();
  }
  found->begin_ns = std::min(found->begin_ns, span.begin_ns);
  found->end_ns = std::max(found->end_ns, span.end_ns);
  if (span.phase == Phase::Compute) found->compute_ns += span.end_ns - span.begin_ns;
}

void OverviewBuilder::close(std::vector<Kept>& kept, const Open& open) {
  if (open.step < 0) return;
  const Key key{open.epoch, open.step};
  auto place = std::upper_bound(kept.begin(), kept.end(), key,
                                [](const Key& a, const Kept& b) { return a < Key(b.time.epoch, b.time.step); });
  if (place != kept.begin() && key <= std::prev(place)->last) {
    --place;
  } else {
    place = kept.insert(place, {{open.epoch, open.step, 1, open.begin_ns, open.begin_ns, 0, 0, 0}, key, 0, 0, 0});
  }
  StepTime& time = place->time;
  time.begin_ns = std::min(time.begin_ns, open.begin_ns);
  place->compute_sum += open.compute_ns;
  ++place->counted;
  if (open.end_ns - open.begin_ns <= time.longest_ns) return;
  time.longest_ns = open.end_ns - open.begin_ns;
  time.slowest_ns = open.begin_ns;
}

std::int64_t OverviewBuilder::longestOfAll(const Kept& one) {
  return one.time.steps == 1 ? one.time.longest_ns : one.longest_sum;
}

/// Two and two become one that keeps the longer one's length.
void OverviewBuilder::halveSteps() {
  std::vector<Kept> half;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const Kept& one = kept_[i];
    if (i % 2 == 0) {
      half.push_back(one);
      continue;
    }
    Kept& first = half.back();
    first.last = one.last;
    first.longest_sum = longestOfAll(first) + longestOfAll(one);
    first.time.steps += one.time.steps;
    first.compute_sum += one.compute_sum;
    first.counted += one.counted;
    if (one.time.longest_ns <= first.time.longest_ns) continue;
    first.time.longest_ns = one.time.longest_ns;
    first.time.slowest_ns = one.time.slowest_ns;
  }
  kept_ = std::move(half);
}

/// What came since the last time is summed up, too; coarser only when the sums themselves take too much room. What is
/// left of a begun stretch stays as it is, so that there may be a little more than wanted.
void OverviewBuilder::coarsen() {
  const auto ranks = static_cast<std::int64_t>(std::max<std::size_t>(1, lanes_.size()));
  const std::int64_t most = std::max<std::int64_t>(1, static_cast<std::int64_t>(most_spans_) / (2 * ranks));
  if (resolution_ns_ == 0) resolution_ns_ = end_ns_ / most + 1;
  while (end_ns_ / resolution_ns_ > most) resolution_ns_ *= 2;
  spans_ = 0;
  for (Lane& lane : lanes_) {
    lane.spans = coarse(lane.spans, resolution_ns_);
    spans_ += lane.spans.size();
  }
  coarsen_at_ = std::max(most_spans_, spans_ + most_spans_ / 4);
}

Overview OverviewBuilder::overview() const {
  Overview all;
  all.lanes = {lanes_, 0, end_ns_};
  all.resolution_ns = resolution_ns_;
  std::vector<Kept> kept = kept_;
  for (const OpenSteps& open : open_) {
    for (auto one = open.rbegin(); one != open.rend(); ++one) close(kept, *one);
  }
  std::vector<std::int64_t> lengths;
  for (Kept& one : kept) {
    one.time.compute_ns = std::min(one.time.longest_ns, one.compute_sum / std::max<std::int64_t>(1, one.counted));
    one.time.usual_ns = longestOfAll(one) / one.time.steps;
    all.steps.push_back(one.time);
    lengths.push_back(one.time.longest_ns);
  }
  std::sort(all.steps.begin(), all.steps.end(),
            [](const StepTime& a, const StepTime& b) { return a.begin_ns < b.begin_ns; });
  if (lengths.empty()) return all;
  const auto place = lengths.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(lengths.size() - 1));
  std::nth_element(lengths.begin(), place, lengths.end());
  all.usual_longest_ns = *place;
  return all;
}

}  // namespace shardlens
