// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/run/screen.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace shardlens::cli {
namespace {

/// What stands before each piece of text in the queue.
struct ScreenHead {
  std::uint32_t fd = 0;
  std::uint32_t length = 0;
};

/// Writes until the descriptor takes no more for ever.
bool writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EAGAIN) {  // somebody else has made our terminal or pipe non-blocking
      pollfd wanted{fd, POLLOUT, 0};
      (void)::poll(&wanted, 1, 100);
    } else if (wrote < 0 && errno != EINTR) {
      return false;
    }
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

/// An output that cannot be written is given up by itself: the other one may have a reader.
class TwoOutputs : public FrameSink {
 public:
  Result<void> write(std::string_view frames) override {
    while (frames.size() >= sizeof(ScreenHead)) {
      ScreenHead head;
      std::memcpy(&head, frames.data(), sizeof(head));
      const std::string_view text = frames.substr(sizeof(head), head.length);
      bool& is_open = is_open_.at(head.fd);
      is_open = is_open && writeAll(static_cast<int>(head.fd), text);
      frames.remove_prefix(sizeof(head) + text.size());
    }
    return {};
  }

 private:
  std::array<bool, 3> is_open_ = {false, true, true};
};

}  // namespace

Result<Screen> Screen::open() {
  auto queue = WriteQueue::start(std::make_unique<TwoOutputs>());
  if (!queue) return queue.error();
  return Screen(*std::move(queue));
}

void Screen::put(int fd, std::string_view text) {
  const ScreenHead head{static_cast<std::uint32_t>(fd), static_cast<std::uint32_t>(text.size())};
  std::string frame(reinterpret_cast<const char*>(&head), sizeof(head));
  queue_->push(frame.append(text));
}

void Screen::finish() {
  queue_->wait();
}

}  // namespace shardlens::cli
