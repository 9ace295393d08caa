// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <stop_token>
#include <thread>
#include <vector>

using namespace shardlens;

TEST_CASE("each task runs once") {
  std::vector<std::atomic<int>> runs(1000);
  const auto done = inParallel(runs.size(), {}, [&](std::size_t i, const Work&) -> Result<void> {
    ++runs[i];
    return {};
  });
  CHECK(done);
  for (const auto& count : runs) CHECK(count == 1);
}

TEST_CASE("what a task throws on any thread is the error of all") {
  const auto done = inParallel(64, {}, [](std::size_t i, const Work&) -> Result<void> {
    if (i % 2 == 1) throw std::bad_alloc();
    return {};
  });
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "there is not enough memory.");
}

TEST_CASE("the first error stops the other tasks by their own token") {
  const auto done = inParallel(2, {}, [](std::size_t i, const Work& work) -> Result<void> {
    if (i == 0) return Error{ErrorCode::BadInput, "the first", {}, {}};
    while (!work.stopped()) std::this_thread::yield();
    return cancelled();
  });
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "the first");
}

TEST_CASE("progress grows to 1 and is told by one thread at a time") {
  std::atomic<int> inside{0};
  std::atomic<bool> together{false};
  std::vector<double> told;
  const Work work{{}, [&](double fraction) {
                    if (++inside > 1) together = true;
                    told.push_back(fraction);
                    --inside;
                  }};
  REQUIRE(inParallel(500, work, [](std::size_t, const Work&) -> Result<void> { return {}; }));
  CHECK_FALSE(together);
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.back() == 1);
}

TEST_CASE("who listens to progress may run tasks itself, and may throw") {
  // Under a lock both would hang or end the program.
  const Work nested{
      {}, [](double) { (void)inParallel(2, {}, [](std::size_t, const Work&) -> Result<void> { return {}; }); }};
  CHECK(inParallel(8, nested, [](std::size_t, const Work&) -> Result<void> { return {}; }));

  const Work throwing{{}, [](double) { throw std::bad_alloc(); }};
  const auto done = inParallel(8, throwing, [](std::size_t, const Work&) -> Result<void> { return {}; });
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "there is not enough memory.");
}

TEST_CASE("while one thread listens to progress the others go on with their tasks") {
  if (std::thread::hardware_concurrency() < 2) return;
  std::atomic<int> done{0};
  std::atomic<bool> first{true};
  const Work work{{}, [&](double) {
                    if (!first.exchange(false)) return;
                    while (done < 100) std::this_thread::yield();  // for ever, if tasks waited for the listener
                  }};
  CHECK(inParallel(100, work, [&](std::size_t, const Work&) -> Result<void> {
    ++done;
    return {};
  }));
}

TEST_CASE("stopped work is cancelled") {
  std::stop_source stop;
  stop.request_stop();
  const auto done = inParallel(8, {stop.get_token(), {}}, [](std::size_t, const Work&) -> Result<void> { return {}; });
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ErrorCode::Cancelled);
}
