// SPDX-License-Identifier: Apache-2.0
#include "core/launch/free_port.h"

#include "core/launch/launch_words.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace shardlens {
namespace {

/// The port that the system chooses for this socket; 0 when it chooses none.
int boundPort(int fd) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(fd, any, size) != 0 || getsockname(fd, any, &size) != 0) return 0;
  return ntohs(address.sin_port);
}

}  // namespace

Result<int> freePort() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int port = fd < 0 ? 0 : boundPort(fd);
  const std::string why = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
  if (fd >= 0) close(fd);
  if (port != 0) return port;
  return words::noFreePort(why);
}

}  // namespace shardlens
