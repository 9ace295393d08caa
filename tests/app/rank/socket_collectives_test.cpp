// SPDX-License-Identifier: Apache-2.0
// Ranks that meet over a socket, and what else may come to it.
#include "app/rank/socket_collectives.h"

#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace shardlens;
using namespace shardlens::rank;
using namespace shardlens::test;
using namespace std::chrono_literals;

namespace {

struct OfTwo : Session {
  explicit OfTwo(std::int64_t rank) {
    rank_ = rank;
    world_size_ = 2;
  }
  [[noreturn]] void abort(int exit_code) override { _exit(exit_code); }
};

sockaddr_un addressIn(const TempFolder& folder) {
  const std::string path = (folder / "ranks").string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(path.size() < sizeof(address.sun_path));
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

const sockaddr* plain(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

Socket newSocket() {
  return Socket(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// Somebody who connects to rank 0 and says this.
Socket visitor(const sockaddr_un& address, const std::string& said) {
  Socket mine = newSocket();
  while (::connect(mine.fd(), plain(address), sizeof(address)) != 0) std::this_thread::sleep_for(1ms);
  if (!said.empty())
    CHECK(send(mine.fd(), said.data(), said.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(said.size()));
  return mine;
}

std::string failureOf(const Result<std::unique_ptr<Collectives>>& made) {
  REQUIRE_FALSE(made);
  return made.error().message;
}

std::ptrdiff_t openFiles() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

}  // namespace

TEST_CASE("two ranks meet, sum, and leave nothing behind") {
  const TempFolder folder;
  const auto before = openFiles();
  std::array<float, 2> sums{};
  const auto work = [&](std::int64_t rank) {
    auto made = SocketCollectives::connect(folder.path().string(), OfTwo(rank));
    if (!made || !(*made)->prepare(3) || !(*made)->fill(static_cast<float>(rank) + 1) || !(*made)->allReduce()) return;
    const auto is_three = (*made)->isEverywhere(3);
    if (is_three && *is_three) sums[static_cast<std::size_t>(rank)] = 3;
    (*made)->barrier();
  };
  std::jthread other(work, 1);
  work(0);
  other.join();
  CHECK(sums == std::array<float, 2>{3, 3});
  CHECK(openFiles() == before);
  CHECK_FALSE(std::filesystem::exists(folder / "ranks"));
}

TEST_CASE("a process that comes and is no rank ends the meeting in time") {
  const std::int64_t too_large = 2;
  const std::string number(reinterpret_cast<const char*>(&too_large), sizeof(too_large));
  for (const std::string& said : {std::string(), std::string("hello"), number}) {
    CAPTURE(said.size());
    const TempFolder folder;
    const sockaddr_un address = addressIn(folder);
    std::jthread stranger([&] {
      const Socket mine = visitor(address, said);
      std::array<char, 1> end{};
      while (recv(mine.fd(), end.data(), end.size(), 0) < 0 && (errno == EAGAIN || errno == EINTR))
        std::this_thread::sleep_for(1ms);
    });
    const auto made =
        SocketCollectives::connect(folder.path().string(), OfTwo(0), 1s);  // for the stranger to come, too
    CHECK(failureOf(made) == "The ranks cannot meet: a process came that is no rank of this job.");
    CHECK_FALSE(std::filesystem::exists(folder / "ranks"));
  }
}

TEST_CASE("ranks that do not come are told of, and no socket stays open") {
  const TempFolder folder;
  const auto before = openFiles();
  CHECK(failureOf(SocketCollectives::connect(folder.path().string(), OfTwo(0), 10ms)) ==
        "The ranks cannot meet: only 1 of 2 came in time.");
  CHECK(failureOf(SocketCollectives::connect(folder.path().string(), OfTwo(1), 10ms)) ==
        "The ranks cannot meet: rank 0 did not come in time.");
  CHECK(openFiles() == before);
  CHECK_FALSE(std::filesystem::exists(folder / "ranks"));
}

TEST_CASE("a rank does not wait at a door where nobody is taken in") {
  const TempFolder folder;
  const sockaddr_un address = addressIn(folder);
  const Socket door = newSocket();
  REQUIRE(bind(door.fd(), plain(address), sizeof(address)) == 0);
  REQUIRE(listen(door.fd(), 0) == 0);
  std::vector<Socket> waiting;
  do {
    waiting.push_back(newSocket());
  } while (::connect(waiting.back().fd(), plain(address), sizeof(address)) == 0);
  CHECK(failureOf(SocketCollectives::connect(folder.path().string(), OfTwo(1), 50ms)) ==
        "The ranks cannot meet: rank 0 did not come in time.");
}
