// SPDX-License-Identifier: Apache-2.0
#include "app/rank/socket_collectives.h"

#include "core/base/result.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace shardlens::rank {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a rank waits to be ended whose peer is gone.
constexpr std::chrono::seconds kPatience{60};
/// Floats that rank 0 takes of another rank at once.
constexpr std::size_t kPart = std::size_t{64} << 10;

struct Variables {
  const char* rank;
  const char* world_size;
};
constexpr std::array kVariables = {Variables{"RANK", "WORLD_SIZE"},
                                   Variables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                   Variables{"SLURM_PROCID", "SLURM_NTASKS"}};

std::optional<std::int64_t> numberOf(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  std::int64_t number = -1;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

Error cannotMeet(const std::string& why) {
  return Error{ErrorCode::Environment, "The ranks cannot meet: " + why + ".", {}, {}};
}

/// Another rank is gone, and with it the collective that this one is in.
[[noreturn]] void waitToBeEnded() {
  std::this_thread::sleep_for(kPatience);
  _exit(kJobFailed);
}

void sendAll(int peer, const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = send(peer, next, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) waitToBeEnded();
    next += sent;
    count -= static_cast<std::size_t>(sent);
  }
}

void receiveAll(int peer, void* bytes, std::size_t count) {
  char* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = recv(peer, next, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) waitToBeEnded();
    next += got;
    count -= static_cast<std::size_t>(got);
  }
}

/// Whether something can be read, or somebody accepted, before this moment.
bool isReady(const Socket& socket, Clock::time_point until) {
  pollfd waiting{socket.fd(), POLLIN, 0};
  int ready = 0;
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    ready = poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(0, left)));
  } while (ready < 0 && errno == EINTR);
  return ready == 1;
}

/// Does not block: connecting fails while the other side takes nobody in.
Socket newSocket() {
  return Socket(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// From now on calls wait, as a collective does.
bool makeBlocking(const Socket& socket) {
  return fcntl(socket.fd(), F_SETFL, 0) == 0;
}

/// Nothing when the path is too long for a socket.
std::optional<sockaddr_un> addressIn(const std::string& job_dir) {
  const std::string path = job_dir + "/ranks";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (job_dir.empty() || path.size() >= sizeof(address.sun_path)) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

/// The others, by rank, as they come to this door.
Result<std::vector<Socket>> acceptAll(const Socket& door, std::int64_t world_size, Clock::time_point until) {
  std::vector<Socket> peers(static_cast<std::size_t>(world_size - 1));
  for (std::int64_t come = 1; come < world_size; ++come) {
    if (!isReady(door, until))
      return cannotMeet("only " + std::to_string(come) + " of " + std::to_string(world_size) + " came in time");
    Socket peer(accept4(door.fd(), nullptr, nullptr, SOCK_CLOEXEC));
    std::int64_t rank = 0;
    // A rank says its number at once, and as a whole.
    if (peer.fd() < 0 || !isReady(peer, until) ||
        recv(peer.fd(), &rank, sizeof(rank), MSG_DONTWAIT) != static_cast<ssize_t>(sizeof(rank)) || rank < 1 ||
        rank >= world_size)
      return cannotMeet("a process came that is no rank of this job");
    Socket& place = peers[static_cast<std::size_t>(rank - 1)];
    if (place.fd() >= 0) return cannotMeet("two processes say that they are one rank");
    place = std::move(peer);
  }
  return peers;
}

/// Meets the others at a door that is there for that time only.
Result<std::vector<Socket>> meetAll(const sockaddr_un& address, std::int64_t world_size, Clock::time_point until) {
  const Socket door = newSocket();
  (void)unlink(address.sun_path);
  const auto* const at = reinterpret_cast<const sockaddr*>(&address);
  if (door.fd() < 0 || bind(door.fd(), at, sizeof(address)) != 0) return cannotMeet(std::strerror(errno));
  auto peers = listen(door.fd(), static_cast<int>(world_size)) == 0 ? acceptAll(door, world_size, until)
                                                                    : cannotMeet(std::strerror(errno));
  (void)unlink(address.sun_path);
  return peers;
}

Result<Socket> connectTo(const sockaddr_un& address, std::int64_t rank, Clock::time_point until) {
  while (Clock::now() < until) {
    Socket peer = newSocket();
    if (peer.fd() < 0) return cannotMeet(std::strerror(errno));
    if (::connect(peer.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
      if (send(peer.fd(), &rank, sizeof(rank), MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof(rank)) &&
          makeBlocking(peer))
        return peer;
      return cannotMeet("rank 0 is gone");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // rank 0 is not there yet
  }
  return cannotMeet("rank 0 did not come in time");
}

}  // namespace

Result<std::unique_ptr<SocketSession>> SocketSession::fromEnvironment() {
  for (const Variables& variables : kVariables) {
    const auto rank = numberOf(variables.rank);
    const auto world_size = numberOf(variables.world_size);
    if (!rank || !world_size || *rank < 0 || *rank >= *world_size) continue;
    auto session = std::make_unique<SocketSession>();
    session->rank_ = *rank;
    session->world_size_ = *world_size;
    return session;
  }
  return Error{ErrorCode::BadInput,
               "Nothing says which rank this process is.",
               {},
               "start it with a launcher that sets RANK and WORLD_SIZE"};
}

void SocketSession::abort(int exit_code) {
  _exit(exit_code);
}

Socket::~Socket() {
  if (fd_ >= 0) close(fd_);
}

Result<std::unique_ptr<Collectives>> SocketCollectives::connect(const std::string& job_dir, const Session& session,
                                                                std::chrono::milliseconds patience) {
  if (session.groups() > 1)
    return Error{ErrorCode::Usage, "socket_rank sums over all ranks.", {}, "leave --groups out, or use mpi_rank"};
  std::unique_ptr<SocketCollectives> made(new SocketCollectives);
  made->is_root_ = session.rank() == 0;
  if (session.worldSize() == 1) return std::unique_ptr<Collectives>(std::move(made));
  const auto address = addressIn(job_dir);
  if (!address)
    return Error{ErrorCode::Usage,
                 "socket_rank needs a folder in which its ranks can meet, with a short path.",
                 {},
                 "--job-dir DIR, the same for all ranks"};
  const auto until = Clock::now() + patience;
  if (made->is_root_) {
    auto peers = meetAll(*address, session.worldSize(), until);
    if (!peers) return peers.error();
    made->peers_ = *std::move(peers);
  } else {
    auto root = connectTo(*address, session.rank(), until);
    if (!root) return root.error();
    made->peers_.push_back(*std::move(root));
  }
  return std::unique_ptr<Collectives>(std::move(made));
}

Result<void> SocketCollectives::prepare(std::size_t floats) {
  part_.resize(std::min(floats, kPart));
  return gradient_.resize(floats);
}

Result<void> SocketCollectives::fill(float mine) {
  gradient_.fill(mine);
  return {};
}

Result<void> SocketCollectives::allReduce() {
  const std::size_t bytes = gradient_.size() * sizeof(float);
  if (!is_root_) {
    sendAll(peers_.front().fd(), gradient_.data(), bytes);
    receiveAll(peers_.front().fd(), gradient_.data(), bytes);
    return {};
  }
  for (const Socket& peer : peers_) {
    for (std::size_t done = 0; done < gradient_.size(); done += part_.size()) {
      const std::size_t count = std::min(part_.size(), gradient_.size() - done);
      receiveAll(peer.fd(), part_.data(), count * sizeof(float));
      std::transform(part_.begin(), part_.begin() + static_cast<std::ptrdiff_t>(count), gradient_.data() + done,
                     gradient_.data() + done, [](float theirs, float sum) { return sum + theirs; });
    }
  }
  for (const Socket& peer : peers_) sendAll(peer.fd(), gradient_.data(), bytes);
  return {};
}

void SocketCollectives::barrier() {
  char here = 1;
  if (!is_root_) {
    sendAll(peers_.front().fd(), &here, 1);
    receiveAll(peers_.front().fd(), &here, 1);
    return;
  }
  for (const Socket& peer : peers_) receiveAll(peer.fd(), &here, 1);
  for (const Socket& peer : peers_) sendAll(peer.fd(), &here, 1);
}

}  // namespace shardlens::rank
