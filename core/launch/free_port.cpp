// SPDX-License-Identifier: Apache-2.0
#include "core/launch/free_port.h"

#include "core/launch/launch_words.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <netinet/in.h>
#include <random>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace shardlens {
namespace {

/// Binds the socket to this port, or to one that the system chooses where it is 0. 0 where that is not possible.
int boundPort(int fd, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(fd, any, size) != 0 || getsockname(fd, any, &size) != 0) return 0;
  return ntohs(address.sin_port);
}

/// A port below those that the system gives to connections and to whoever asks for any: such a one would be taken by
/// chance while the ranks load their libraries, before the first of them listens. 0 where there is none.
int ungivenPort(int fd) {
  constexpr int kFirst = 10'000;
  constexpr int kEnd = 29'000;  // torchrun's usual ports follow, and those that Kubernetes gives to services
  constexpr int kTries = 64;
  std::ifstream in("/proc/sys/net/ipv4/ip_local_port_range");
  int given = 0;
  in >> given;
  if (given <= kFirst) return 0;
  std::random_device source;
  std::uniform_int_distribution<int> any(kFirst, std::min(kEnd, given) - 1);
  int port = 0;
  for (int i = 0; i < kTries && port == 0; ++i) port = boundPort(fd, any(source));
  return port;
}

}  // namespace

Result<int> freePort() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port = fd < 0 ? 0 : ungivenPort(fd);
  if (fd >= 0 && port == 0) port = boundPort(fd, 0);
  const std::string why = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
  if (fd >= 0) close(fd);
  if (port != 0) return port;
  return words::noFreePort(why);
}

}  // namespace shardlens
