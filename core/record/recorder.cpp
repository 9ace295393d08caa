// SPDX-License-Identifier: Apache-2.0
#include "core/record/recorder.h"

#include <array>
#include <ctime>
#include <fstream>
#include <unistd.h>

namespace shardlens {
namespace {

/// "0b2e5f0c-...": drawn anew by the kernel at each boot. Containers of one host see the same.
std::string bootId() {
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(in, id);
  return id;
}

/// "pid:[4026531836]"
std::string pidNamespace() {
  std::array<char, 64> name{};
  const ssize_t length = readlink("/proc/self/ns/pid", name.data(), name.size());
  return length > 0 ? std::string(name.data(), static_cast<std::size_t>(length)) : std::string();
}

std::int64_t nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::string hostName() {
  std::array<char, 256> host{};
  (void)gethostname(host.data(), host.size() - 1);
  return host.data();
}

}  // namespace

RunBegin beginHere() {
  RunBegin begin;
  begin.host = hostName();
  begin.cores = usableCores();
  begin.started_unix_ns = nanoseconds(CLOCK_REALTIME);
  return begin;
}

Recorder thisRecorder() {
  Recorder recorder;
  recorder.host = hostName();
  recorder.boot = bootId();
  recorder.pid_namespace = pidNamespace();
  const ProcessId self = thisProcess();
  recorder.pid = self.pid;
  recorder.start_time = static_cast<std::int64_t>(self.start_time);
  recorder.time_ns = nanoseconds(CLOCK_MONOTONIC);
  recorder.unix_ns = nanoseconds(CLOCK_REALTIME);
  return recorder;
}

std::optional<ProcessId> reachable(const Recorder& recorder) {
  const bool is_here = !recorder.boot.empty() && recorder.boot == bootId() && !recorder.pid_namespace.empty() &&
                       recorder.pid_namespace == pidNamespace();
  if (!is_here || recorder.pid <= 0) return std::nullopt;
  return ProcessId{static_cast<pid_t>(recorder.pid), static_cast<std::uint64_t>(recorder.start_time)};
}

Liveness livenessOf(const Recorder& recorder) {
  const auto process = reachable(recorder);
  if (!process) return Liveness::NotKnown;
  return isAlive(*process) ? Liveness::Alive : Liveness::Gone;
}

}  // namespace shardlens
