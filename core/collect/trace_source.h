// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/collect/event_source.h"
#include "core/diagnose/operation.h"
#include "core/traces/foreign_job.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace shardlens {

/// The events of a job that another tool traced: as a recording of ours would have them, in the order of their times by
/// the clock of the first rank. What the trace does not hold (steps, samples, the end of the job) is in no event.
class TraceSource : public EventSource {
 public:
  explicit TraceSource(traces::ForeignJob job);

  /// Holds back what is later than this moment of the run; negative: nothing.
  void setLimit(std::int64_t until_ns) { until_ns_ = until_ns; }
  void setWork(const Work& work) { work_ = work; }
  bool pull(EventSink& sink) override;

  [[nodiscard]] bool ended() const { return has_ended_; }
  [[nodiscard]] bool isDamaged() const { return job_.is_damaged; }
  /// Sentences about what was not read and what is not known.
  [[nodiscard]] std::string note() const;
  [[nodiscard]] std::shared_ptr<const TraceEnd> end() const { return end_; }

 private:
  /// The beginning or the end of a call.
  struct Moment {
    std::int64_t ns = 0;
    std::uint32_t trace = 0;  ///< of job_.ranks
    std::uint32_t call = 0;   ///< twice its place, plus one for its end
  };
  void begin(EventSink& sink);
  static void tellProcess(EventSink& sink, std::int64_t rank, std::int64_t pid, const std::string& host);
  void tellGroup(EventSink& sink, std::uint32_t group);
  void finish(EventSink& sink);
  void order();
  void addMoments(std::uint32_t trace, std::int64_t offset_ns);
  void learnEnd();
  void add(EventSink& sink, const Moment& moment) const;
  void add(EventSink& sink, std::uint32_t trace, const sl_record& record) const;
  [[nodiscard]] TracedCall told(const traces::Call& call) const;

  traces::ForeignJob job_;
  std::vector<std::int64_t> clock_error_ns_;  ///< by trace; -1: not known
  std::vector<Moment> moments_;
  std::int64_t first_ns_ = 0;  ///< the time of day of the first moment; 0: not known
  std::int64_t last_ns_ = 0;   ///< the latest moment that the traces prove, from the first one on
  std::size_t next_ = 0;
  bool has_begun_ = false;
  bool has_ended_ = false;
  std::int64_t until_ns_ = -1;
  Work work_;
  std::shared_ptr<const TraceEnd> end_;
};

}  // namespace shardlens
