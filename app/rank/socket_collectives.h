// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/rank/collectives.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::rank {

/// The place of this process among the ranks, as its launcher says it in the environment.
class SocketSession : public Session {
 public:
  /// BadInput when no variable that we know says it.
  static Result<std::unique_ptr<SocketSession>> fromEnvironment();
  [[noreturn]] void abort(int exit_code) override;
};

/// A socket, closed at its end; -1: none.
class Socket {
 public:
  explicit Socket(int fd = -1) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket();
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

/// Collectives over a socket to rank 0, which sums in the order of the ranks: ranks of one host that share the job's
/// folder. When another rank is gone the call does not return: as with NCCL, whoever started the ranks ends them. After
/// a minute of that the process ends by itself.
class SocketCollectives : public Collectives {
 public:
  /// Waits until all ranks are there. Environment when they do not come in time, or when another process does.
  static Result<std::unique_ptr<Collectives>> connect(const std::string& job_dir, const Session& session,
                                                      std::chrono::milliseconds patience = std::chrono::minutes(1));
  Result<void> prepare(std::size_t floats) override;
  Result<void> fill(float mine) override;
  Result<void> allReduce() override;
  Result<bool> isEverywhere(float expected) override { return gradient_.isEverywhere(expected); }
  void barrier() override;

 private:
  SocketCollectives() = default;

  HostGradient gradient_;
  std::vector<float> part_;    ///< of another rank's gradient
  std::vector<Socket> peers_;  ///< of rank 0: all others, by rank; of the others: rank 0
  bool is_root_ = false;
};

}  // namespace shardlens::rank
