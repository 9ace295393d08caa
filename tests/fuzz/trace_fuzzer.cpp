// SPDX-License-Identifier: Apache-2.0
// Any bytes are a trace of another tool, a part of one, or damage. They are read as a pickle, as JSON and as lines of
// JSON; what comes out is taken for the dumps of two ranks, joined, and judged as a recording is.
#include "core/collect/trace_source.h"
#include "core/diagnose/reducer.h"
#include "core/traces/readers.h"
#include "core/traces/trace_tree.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

using namespace shardlens;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  (void)std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

class Judge : public EventSink {
 public:
  explicit Judge(const TraceSource& source) { reducer_.setTrace(source.end()); }
  void event(const Event& event) override { reducer_.apply(event); }
  [[nodiscard]] RunState state() const { return reducer_.snapshot(); }

 private:
  Reducer reducer_;
};

void judge(traces::ForeignJob job) {
  traces::joinRanks(job);
  constexpr std::int64_t kMostRanks = 256;  // larger worlds are slow, not different
  if (job.world_size > kMostRanks) return;
  TraceSource source(std::move(job));
  Judge sink(source);
  drive(source, sink);
  require(source.ended(), "a trace ends");
  (void)sink.state();
}

void judge(const traces::RankTrace& trace) {
  traces::ForeignJob job;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    job.ranks.push_back(trace);
    job.ranks.back().rank = rank;
  }
  if (!job.ranks.back().calls.empty()) job.ranks.back().calls.pop_back();
  judge(std::move(job));
}

void read(const traces::ParsedTrace& parsed, std::size_t size) {
  require(parsed.fault.what.empty() || parsed.fault.offset <= size, "a fault is in the file");
  require(parsed.tree.size() <= size + 1, "memory is bounded by the file");
  if (traces::isRas(parsed.tree)) judge(traces::readRas(parsed.tree));
  if (traces::isFlightRecorder(parsed.tree)) judge(traces::readFlightRecorder(parsed.tree));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read(traces::readPickle(bytes), size);
  read(traces::readJson(bytes), size);
  const std::string mended = traces::withCommas(bytes);
  read(traces::readJson(mended), mended.size());
  traces::InspectorLines lines;
  (void)lines.add(bytes);
  judge(lines.job());
  return 0;
}
