// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_randperm_pair.h"

#include "core/base/result.h"
#include "core/base/wide.h"

#include <atomic>
#include <thread>

#if defined(__x86_64__)
#include <array>
#include <immintrin.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>
#endif

// Steps are taken a window at a time. The places of a window's own steps are its head; nearly every target lies behind
// it. Both threads draw every target and keep a copy of the head. First each takes the steps that stay inside the head:
// of another step they touch the place only before its turn, so taking them early changes nothing. Then each takes, in
// order, the steps whose targets lie in its own pages of the array. What a step leaves at its own place stays there for
// good, in the copy of the thread that took it; once both are through, each writes one half of the window from the two
// copies. Memory is what all wait for, so the next window is drawn between the swaps.

namespace shardlens {

#if defined(__x86_64__)
namespace {

constexpr std::size_t kPairFrom = std::size_t{1} << 24;  // ids that no cache holds
constexpr std::size_t kLeft = std::size_t{1} << 22;      // then too few pages to share evenly
constexpr std::size_t kWindow = std::size_t{1} << 15;    // long beside a meeting; its lists stay in the second cache
constexpr std::size_t kLanes = 16;
constexpr std::uint32_t kOddPage = 1U << 19;  // two megabytes of ids: a huge page is touched by one thread
constexpr std::uint32_t kEveryLane = 0xFFFF;

static_assert(SwapWatch::kLookEvery % kWindow == 0);

/// The part of a window that one thread does, and the other reads behind their meeting.
struct alignas(64) Share {
  std::array<std::uint32_t, kWindow> head;           ///< the ids at the window's places
  std::array<std::uint16_t, kWindow / kLanes> mine;  ///< a bit a step: its last id is in this head
};

/// The steps of a window that one thread takes.
struct alignas(64) Steps {
  std::array<std::uint32_t, kWindow + kLanes> targets;  ///< behind the head, in this thread's pages
  std::array<std::uint16_t, kWindow + kLanes> places;   ///< within the head
  std::size_t count = 0;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> inside;  ///< place and target of those within the head
};

/// Where two threads wait for each other. Most waits are far shorter than a sleep.
class Meeting {
 public:
  void arrive(std::size_t thread, std::uint32_t window) {
    // Not std::memory_order_release: libstdc++ wakes nobody where it sees nobody waiting, and x86 may look for them
    // before such a store is seen. The other thread, which sees no arrival, then sleeps for ever.
    arrived_[thread].at.store(window, std::memory_order_seq_cst);
    arrived_[thread].at.notify_one();
    const std::atomic<std::uint32_t>& other = arrived_[1 - thread].at;
    std::uint32_t seen = other.load(std::memory_order_acquire);
    for (int spins = 0; seen < window; seen = other.load(std::memory_order_acquire)) {
      constexpr int kSpins = 2000;
      if (++spins < kSpins) {
        _mm_pause();
      } else {
        sleeps_.fetch_add(1, std::memory_order_relaxed);
        other.wait(seen, std::memory_order_acquire);
      }
    }
  }
  /// Whether so many of the meetings were slept through that one thread alone is quicker: other programs have the
  /// cores. On a quiet machine one in hundreds is, on a busy one every second.
  [[nodiscard]] bool drags(std::size_t window) const {
    constexpr std::size_t kFirst = 16;
    return sleeps_.load(std::memory_order_relaxed) > kFirst + window / 4;
  }

 private:
  struct alignas(64) Arrival {
    std::atomic<std::uint32_t> at{0};
  };
  std::array<Arrival, 2> arrived_;
  std::atomic<std::size_t> sleeps_{0};
};

/// What both threads see.
struct Pair {
  Pair(std::span<std::uint32_t> ids, const SwapWatch& look)
      : out(ids), watch(look), last((ids.size() - kLeft) / kWindow - 1) {}

  std::span<std::uint32_t> out;
  const SwapWatch& watch;
  std::array<std::array<Share, 2>, 2> shares;  ///< [thread][window % 2]
  Meeting meeting;
  std::atomic<std::size_t> last;  ///< the window behind which both end; only the first thread changes it
  std::optional<Error> error;     ///< what ended both early
};

/// Draws windows of steps and keeps one thread's, sixteen steps at a time.
class StepFinder {
 public:
  StepFinder(const TorchGenerator& generator, std::size_t size, std::size_t thread)
      : generator_(generator), size_(static_cast<std::uint32_t>(size)), even_(thread == 0 ? kEveryLane : 0) {}

  void start(std::size_t here, Steps& steps, Share& share) {
    here_ = static_cast<std::uint32_t>(here);
    found_ = 0;
    steps_ = &steps;
    share_ = &share;
    steps.count = 0;
    steps.inside.clear();
  }
  [[nodiscard]] bool done() const { return found_ == kWindow; }
  [[nodiscard]] std::size_t found() const { return found_; }
  [[nodiscard]] const TorchGenerator& generator() const { return generator_; }

  [[gnu::always_inline]] SHARDLENS_WIDE void find() {
    const std::size_t drawn = found_ % draws_.size();
    if (drawn == 0) generator_.fill(draws_);
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i places = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(found_)), lanes);
    const __m512i targets = targetsOf(_mm512_load_si512(&draws_[drawn]), places);
    const std::uint32_t inside = _mm512_cmplt_epu32_mask(targets, _mm512_set1_epi32(static_cast<int>(here_ + kWindow)));
    const std::uint32_t mine = _mm512_test_epi32_mask(targets, _mm512_set1_epi32(kOddPage)) ^ even_;
    const auto kept = static_cast<__mmask16>(mine & ~inside);
    share_->mine[found_ / kLanes] = static_cast<std::uint16_t>(mine | inside);
    _mm512_storeu_si512(&steps_->targets[steps_->count], _mm512_maskz_compress_epi32(kept, targets));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&steps_->places[steps_->count]),
                        _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(kept, places)));
    steps_->count += static_cast<std::size_t>(__builtin_popcount(kept));
    if (inside != 0) keepInside(inside, targets);
    found_ += kLanes;
  }

 private:
  /// here + place + draw % (size - here - place), by the quotients of torchForwardTargets.
  [[gnu::always_inline]] SHARDLENS_WIDE __m512i targetsOf(__m512i draws, __m512i places) const {
    const __m512i at = _mm512_add_epi32(places, _mm512_set1_epi32(static_cast<int>(here_)));
    const __m512i range = _mm512_sub_epi32(_mm512_set1_epi32(static_cast<int>(size_)), at);
    const __m256i low = quotients(_mm512_castsi512_si256(draws), _mm512_castsi512_si256(range));
    const __m256i high = quotients(_mm512_extracti32x8_epi32(draws, 1), _mm512_extracti32x8_epi32(range, 1));
    const __m512i whole = _mm512_inserti32x8(_mm512_castsi256_si512(low), high, 1);
    return _mm512_add_epi32(at, _mm512_sub_epi32(draws, _mm512_mullo_epi32(whole, range)));
  }
  [[gnu::always_inline]] SHARDLENS_WIDE static __m256i quotients(__m256i draws, __m256i range) {
    return _mm512_cvttpd_epu32(_mm512_div_pd(_mm512_cvtepu32_pd(draws), _mm512_cvtepu32_pd(range)));
  }

  /// Rare, and kept out of the way.
  [[gnu::noinline]] SHARDLENS_WIDE void keepInside(std::uint32_t inside, __m512i targets) {
    alignas(64) std::array<std::uint32_t, kLanes> lanes{};
    _mm512_store_si512(lanes.data(), targets);
    for (; inside != 0; inside &= inside - 1) {
      const auto lane = static_cast<std::size_t>(__builtin_ctz(inside));
      steps_->inside.emplace_back(static_cast<std::uint16_t>(found_ + lane),
                                  static_cast<std::uint16_t>(lanes[lane] - here_));
    }
  }

  TorchGenerator generator_;
  std::uint32_t size_;
  std::uint32_t even_;
  std::uint32_t here_ = 0;
  std::size_t found_ = kWindow;
  Steps* steps_ = nullptr;
  Share* share_ = nullptr;
  alignas(64) std::array<std::uint32_t, kSwapWindow> draws_{};
};

/// One of the two threads.
class PairedThread {
 public:
  PairedThread(Pair& pair, const TorchGenerator& generator, std::size_t thread)
      : pair_(pair), thread_(thread), finder_(generator, pair.out.size(), thread) {
    for (Steps& steps : steps_) steps.inside.reserve(kWindow);  // no allocation may fail on a thread
  }

  SHARDLENS_WIDE void run() {
    finder_.start(0, steps_[0], shareOf(thread_, 0));
    while (!finder_.done()) finder_.find();
    for (std::size_t window = 0; window <= pair_.last; ++window) {
      if (thread_ == 0) look(window);
      takeInside(window);
      takeBehind(window);
      pair_.meeting.arrive(thread_, static_cast<std::uint32_t>(window + 1));
      writeHalf(window);
    }
  }
  [[nodiscard]] const TorchGenerator& generator() const { return finder_.generator(); }

 private:
  [[nodiscard]] Share& shareOf(std::size_t thread, std::size_t window) { return pair_.shares[thread][window % 2]; }

  /// Ends the work of both early. The other thread, at most at its meeting, still takes this window.
  void look(std::size_t window) {
    const Result<bool> stops = guarded([&] { return Result<bool>(pair_.watch.stops(window * kWindow)); });
    if (!stops) pair_.error = stops.error();
    if (stops && *stops) pair_.error = cancelled();
    if (pair_.error || pair_.meeting.drags(window)) pair_.last = window;
  }

  void takeInside(std::size_t window) {
    auto& head = shareOf(thread_, window).head;
    std::copy_n(pair_.out.begin() + static_cast<std::ptrdiff_t>(window * kWindow), kWindow, head.begin());
    for (const auto& [place, target] : steps_[window % 2].inside) std::swap(head[place], head[target]);
  }

  SHARDLENS_WIDE void takeBehind(std::size_t window) {
    constexpr std::size_t kAhead = 128;
    const Steps& steps = steps_[window % 2];
    auto& head = shareOf(thread_, window).head;
    std::uint32_t* const out = pair_.out.data();
    const std::size_t next = (window + 1) * kWindow;
    if (window < pair_.last) finder_.start(next, steps_[(window + 1) % 2], shareOf(thread_, window + 1));
    const auto ask = [&](std::size_t k) { __builtin_prefetch(&out[steps.targets[k]], 1); };
    const auto take = [&](std::size_t k) { std::swap(out[steps.targets[k]], head[steps.places[k]]); };

    const std::size_t ahead = std::min(kAhead, steps.count);
    std::size_t k = 0;
    for (; k < ahead; ++k) ask(k);
    for (k = 0; k + ahead + kLanes / 2 <= steps.count && !finder_.done();) {
      for (std::size_t i = 0; i < kLanes / 2; ++i, ++k) {
        ask(k + ahead);
        take(k);
      }
      __builtin_prefetch(&out[next + finder_.found()], 0);
      finder_.find();
    }
    for (; k + ahead < steps.count; ++k) {
      ask(k + ahead);
      take(k);
    }
    for (; k < steps.count; ++k) take(k);
    while (!finder_.done()) finder_.find();
  }

  SHARDLENS_WIDE void writeHalf(std::size_t window) {
    const Share& mine = shareOf(thread_, window);
    const Share& other = shareOf(1 - thread_, window);
    const std::size_t from = thread_ * kWindow / 2;
    for (std::size_t k = from; k < from + kWindow / 2; k += kLanes) {
      const __m512i ids = _mm512_mask_blend_epi32(mine.mine[k / kLanes], _mm512_load_si512(&other.head[k]),
                                                  _mm512_load_si512(&mine.head[k]));
      _mm512_storeu_si512(&pair_.out[window * kWindow + k], ids);
    }
  }

  Pair& pair_;
  std::size_t thread_;
  StepFinder finder_;
  std::array<Steps, 2> steps_;
};

/// At most one permutation at a time has two threads: more would wait for each other's.
class TwoThreads {
 public:
  TwoThreads() : mine_(!taken().test_and_set()) {}
  ~TwoThreads() {
    if (mine_) taken().clear();
  }
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;
  [[nodiscard]] bool mine() const { return mine_; }

 private:
  static std::atomic_flag& taken() {
    static std::atomic_flag flag;
    return flag;
  }
  bool mine_;
};

}  // namespace

Result<std::size_t> torchForwardPair(TorchGenerator& generator, std::span<std::uint32_t> out, const SwapWatch& watch) {
  if (out.size() < kPairFrom || !hasWideVectors() || std::thread::hardware_concurrency() < 2) return std::size_t{0};
  const TwoThreads threads;
  if (!threads.mine()) return std::size_t{0};
  const auto pair = std::make_unique<Pair>(out, watch);
  const auto first = std::make_unique<PairedThread>(*pair, generator, 0);
  const auto second = std::make_unique<PairedThread>(*pair, generator, 1);
  std::jthread other;
  if (!guarded([&] { other = std::jthread([&] { second->run(); }); })) return std::size_t{0};
  first->run();
  other.join();
  if (pair->error) return *pair->error;
  generator = first->generator();
  return (pair->last + 1) * kWindow;
}
#else
Result<std::size_t> torchForwardPair(TorchGenerator&, std::span<std::uint32_t>, const SwapWatch&) {
  return std::size_t{0};
}
#endif

}  // namespace shardlens
