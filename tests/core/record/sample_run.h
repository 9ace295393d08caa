// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/frame.h"
#include "core/record/payload.h"
#include "core/record/recording_reader.h"
#include "core/record/recording_writer.h"
#include "tests/support/events.h"
#include "tests/support/temp_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace shardlens::test {

/// One event of each kind that a recorder writes.
inline std::vector<Event> sampleRun() {
  Event first = begin(2);
  auto& header = std::get<RunBegin>(first.what);
  header.command = "shardlens run 'a b.yaml'";
  header.spec_yaml = "name: x\n";
  std::vector<Event> events = {first};
  addStep(events, 1, 0, 5, 1, 1, 9);
  events.push_back(slot(10, 1, SL_PHASE_LOAD, 9.5, {0, 2, 3, 4}));
  events.push_back({at(10), LauncherSays{1, 0, 9}});
  events.push_back({at(10), RunClock{0, "node-1", ClockOffset{-4000, 20}}});
  events.push_back({at(10), RunClock{0, "node-1", std::nullopt}});
  RankStack stack{.rank = 1, .taken_ns = at(10.5), .pid = 4712, .worker = 2, .sample = 40771};
  stack.frames = {{"<module>", "/home/me/train.py", 88, "for x in loader:", true},
                  {"read", "/usr/lib/io.py", 7, "", false}};
  stack.exception = {"ValueError: no number", "/home/me/train.py", 41};
  stack.quiet = {at(9), 8, 7, {"augment", "/home/me/train.py", 57, "", true}};
  events.push_back({at(10.5), stack});
  events.push_back({at(11), RankProcess{1, 4711, ProcessState::Stopped, "node-1"}});
  events.push_back({at(12), RankDropped{0, 17}});
  events.push_back({at(13), LogLine{1, true, "not \xff utf-8, and a\ttab"}});
  events.push_back({at(14), Tick{}});
  events.push_back({at(15), RunStopping{true, "The user stopped the job."}});
  events.push_back({at(16), RunEnd{JobStatus::Stopped, 4, "stopped"}});
  return events;
}

/// A recorder whose process is certainly gone: process 1 of this boot began earlier.
inline Recorder goneRecorder() {
  Recorder recorder = thisRecorder();
  recorder.pid = 1;
  recorder.start_time += 1;
  return recorder;
}

/// A recorder on another host, whose wall clock stands `later_ns` later at the same reading of its own clock.
inline Recorder farRecorder(const std::string& host, std::int64_t later_ns = 0) {
  return {host, "boot of " + host, "pid:[1]", 7, 7, kStart, kStart + later_ns};
}

inline void appendEvent(std::string& bytes, const Event& event) {
  if (const auto encoded = payload::encode(event)) frame::append(bytes, encoded->kind, encoded->rank, encoded->bytes);
}

/// A segment as its recorder writes it; not closed.
inline std::string segmentOf(const std::vector<Event>& events, const Recorder& recorder = goneRecorder()) {
  std::string bytes = frame::fileHeader(frame::Content::Segment);
  frame::append(bytes, frame::Kind::Recorder, -1, payload::encode(recorder));
  for (const Event& event : events) appendEvent(bytes, event);
  return bytes;
}

/// A recording with these segments.
inline std::filesystem::path recordingOf(const std::filesystem::path& folder,
                                         const std::vector<std::string>& segments) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    spill(folder / ("host-" + std::to_string(i) + ".slseg"), segments[i]);
  }
  return folder;
}

/// Two events say the same when their payloads are the same bytes.
inline bool same(const Event& a, const Event& b) {
  const auto left = payload::encode(a);
  const auto right = payload::encode(b);
  return left && right && left->kind == right->kind && left->rank == right->rank && left->bytes == right->bytes &&
         a.time_ns == b.time_ns;
}

inline std::vector<Event> readAll(RecordingReader& reader) {
  std::vector<Event> events;
  for (auto more = reader.readMore(); !more.empty(); more = reader.readMore()) {
    events.insert(events.end(), more.begin(), more.end());
  }
  return events;
}

}  // namespace shardlens::test
