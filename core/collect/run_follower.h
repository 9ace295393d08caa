// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/thread_annotations.h"
#include "core/collect/job_process.h"
#include "core/collect/run_folder.h"
#include "core/collect/run_replay.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace shardlens {

/// One moment of a run as the window shows it: immutable, shared.
struct RunMoment {
  std::shared_ptr<const RunState> state;
  std::shared_ptr<const BatchProof> proof;
  std::shared_ptr<const RunFacts> facts;  ///< null before the recording says
  /// An overview of all that was read so far, including later moments than this one; up to a second old while the run
  /// continues. Null before anything is known.
  std::shared_ptr<const Overview> overview = {};
  std::int64_t newest_ns = 0;  ///< the last moment that the recording holds so far
  bool live = false;           ///< the recording still grows, or is still being read for the first time
  std::optional<ProcessId> recorder;
  bool was_written = false;  ///< somebody still wrote the recording when it had been read as far as it went
};

/// Reads a run file as it grows, on a thread of its own, and delivers the state of the run, at most 20 times a second.
class RunFollower {
 public:
  /// Called on the follower's thread.
  using Deliver = std::function<void(RunMoment)>;

  /// For a recording, or a job that was started elsewhere.
  RunFollower(RunReplay replay, std::filesystem::path run_file, Deliver deliver);
  /// For a job of ours, whose run file need not exist yet; `starting` is the state until then.
  RunFollower(RunFolder folder, std::shared_ptr<JobProcess> job, RunState starting, Deliver deliver);
  /// Waits for the thread.
  ~RunFollower();

  /// Lets the thread end; does not wait for it. It may deliver once more.
  void requestStop();
  /// Whether the thread has ended, so that the destructor has nothing to wait for.
  [[nodiscard]] bool hasEnded() const { return ended_; }

  /// Shows the state at this moment from now on; negative = the newest one again. The newest request wins.
  void seek(std::int64_t ns);
  /// Whether the latest seek() was not delivered yet. A seek that shows nothing new delivers nothing.
  [[nodiscard]] bool isSeeking();

 private:
  void loop(const std::stop_token& stop);
  void openIfThere();
  [[nodiscard]] Work takeWish();
  void goBack();
  void catchUp(const Work& work);
  [[nodiscard]] bool writerIsAlive();
  void lookForEnd();
  void describeFailedStart();
  void renewOverview();
  void publish();
  void look(const std::stop_token& stop);
  void fail(const Error& error);
  void sleep(const std::stop_token& stop);

  std::filesystem::path run_file_;
  Deliver deliver_;
  std::optional<RunFolder> folder_;
  std::shared_ptr<JobProcess> job_;  ///< null for recordings
  RunState starting_;
  std::unique_ptr<RunReplay> replay_;
  std::int64_t until_ns_ = -1;                        ///< the moment that is requested
  std::int64_t known_end_ns_ = 0;                     ///< newest moment that an earlier reading reached
  std::shared_ptr<const Overview> overview_;          ///< of the reading that came furthest
  std::int64_t overview_to_ns_ = -1;                  ///< how far that reading was then
  std::chrono::steady_clock::time_point overviewed_;  ///< when it was made
  bool writer_alive_ = true;
  bool was_written_ = false;
  bool read_once_ = false;
  bool over_ = false;
  bool changed_ = true;

  std::atomic<bool> ended_ = false;
  Mutex mutex_;
  std::condition_variable_any wake_;
  std::int64_t wish_ns_ SHARDLENS_GUARDED_BY(mutex_) = -1;
  bool wished_ SHARDLENS_GUARDED_BY(mutex_) = false;
  bool seeks_ SHARDLENS_GUARDED_BY(mutex_) = false;
  std::stop_source advance_ SHARDLENS_GUARDED_BY(mutex_);  ///< stops the current reading when a newer request comes
  std::jthread thread_;                                    ///< last: it uses all of the above
};

}  // namespace shardlens
