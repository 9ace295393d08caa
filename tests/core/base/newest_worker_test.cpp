// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <new>
#include <thread>

using namespace shardlens;

namespace {

void waitFor(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

}  // namespace

TEST_CASE("a newer job stops the one under way") {
  std::atomic<bool> begun{false};
  std::atomic<bool> stopped{false};
  std::atomic<bool> second{false};
  NewestWorker worker;
  REQUIRE(worker.submit([&](const Work& work) {
    begun = true;
    while (!work.stopped()) std::this_thread::yield();
    stopped = true;
  }));
  waitFor(begun);
  REQUIRE(worker.submit([&](const Work&) { second = true; }));
  waitFor(second);
  waitFor(stopped);
}

TEST_CASE("a job that waits gives way to a newer one, and the newest one runs") {
  std::atomic<bool> release{false};
  std::atomic<int> begun{0};
  std::atomic<int> waited{0};
  std::atomic<bool> newest{false};
  NewestWorker worker;
  // Two that do not heed their token keep both threads.
  for (int i = 0; i < 2; ++i) {
    REQUIRE(worker.submit([&](const Work&) {
      ++begun;
      waitFor(release);
    }));
    while (begun <= i) std::this_thread::yield();
  }
  for (int i = 0; i < 10; ++i) REQUIRE(worker.submit([&](const Work&) { ++waited; }));
  REQUIRE(worker.submit([&](const Work&) { newest = true; }));
  release = true;
  waitFor(newest);
  CHECK(waited == 0);
}

TEST_CASE("a job that throws does not end the worker") {
  std::atomic<bool> done{false};
  NewestWorker worker;
  REQUIRE(worker.submit([](const Work&) { throw std::bad_alloc(); }));
  REQUIRE(worker.submit([&](const Work&) { done = true; }));
  waitFor(done);
}

TEST_CASE("cancelled jobs are stopped, and a worker that goes away waits for them") {
  std::atomic<bool> begun{false};
  std::atomic<bool> ended{false};
  {
    NewestWorker worker;
    const auto token = worker.submit([&](const Work& work) {
      begun = true;
      while (!work.stopped()) std::this_thread::yield();
      ended = true;
    });
    REQUIRE(token);
    waitFor(begun);
    worker.cancel();
    CHECK(token->stop_requested());
  }
  CHECK(ended);
}
