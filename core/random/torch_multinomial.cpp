// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_multinomial.h"

#include "core/base/large_array.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace shardlens {
namespace {

/// A sort of any length that checks `work` every few milliseconds: false when it was stopped, and `items` is then
/// in no useful order. Equal items may change places. `scratch` is as long as `items`.
template <class T, class Before>
bool sortStoppably(std::span<T> items, std::span<T> scratch, Before before, const Work& work) {
  constexpr std::size_t kRun = std::size_t{1} << 15;
  assert(scratch.size() == items.size());
  for (std::size_t i = 0; i < items.size(); i += kRun) {
    if (work.stopped()) return false;
    const std::span<T> run = items.subspan(i, std::min(kRun, items.size() - i));
    std::sort(run.begin(), run.end(), before);
  }
  std::span<T> from = items;
  std::span<T> to = scratch;
  for (std::size_t width = kRun; width < items.size(); width *= 2) {
    for (std::size_t i = 0; i < from.size(); i += 2 * width) {
      std::size_t left = i;
      std::size_t right = std::min(i + width, from.size());
      const std::size_t left_end = right;
      const std::size_t right_end = std::min(i + 2 * width, from.size());
      for (std::size_t out = i; out < right_end; ++out) {
        if (out % kRun == 0 && work.stopped()) return false;
        const bool from_right = left == left_end || (right < right_end && before(from[right], from[left]));
        to[out] = from_right ? from[right++] : from[left++];
      }
    }
    std::swap(from, to);
  }
  if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
  return true;
}

constexpr std::size_t kMostCategories = std::size_t{1} << 24;
/// Draws whose places are prefetched before the first of them is looked up: hides the latency of memory.
constexpr std::size_t kWindow = 512;
/// Items between two looks at the stop token: some milliseconds.
constexpr std::size_t kLookEvery = kWindow << 8;

Error runtimeError(std::string message) {
  return Error{ErrorCode::BadInput, std::move(message), {}, {}, "RuntimeError"};
}

bool stops(const Work& work, std::size_t done, std::size_t of) {
  if (done % kLookEvery != 0) return false;
  work.progress(static_cast<double>(done) / static_cast<double>(of));
  return work.stopped();
}

double uniform(TorchGenerator& generator) {
  return static_cast<double>(generator.random53()) * 0x1p-53;
}

template <class Weight>
Result<void> checkCumulative(std::span<const Weight> weights) {
  for (const Weight weight : weights) {
    if (!(weight >= 0)) {
      return runtimeError("invalid multinomial distribution (encountering probability entry < 0)");
    }
    if (!std::isfinite(weight)) {
      return runtimeError("invalid multinomial distribution (encountering probability entry = infinity or NaN)");
    }
  }
  return {};
}

template <class Weight>
Result<void> checkExponential(std::span<const Weight> weights) {
  if (weights.empty()) {
    return runtimeError(
        "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
        "'dim' argument.");
  }
  const auto valid = [](Weight weight) { return weight >= 0 && std::isfinite(weight); };
  if (std::all_of(weights.begin(), weights.end(), valid)) return {};
  return runtimeError("probability tensor contains either `inf`, `nan` or element < 0");
}

template <class Weight>
Result<void> check(std::span<const Weight> weights, std::int64_t num_samples, bool replacement,
                   TorchMultinomialPath path) {
  if (auto sizes = checkTorchMultinomialSizes(weights.size(), num_samples, replacement); !sizes) return sizes;
  const bool cumulative = path == TorchMultinomialPath::Cumulative;
  if (auto checked = cumulative ? checkCumulative(weights) : checkExponential(weights); !checked) return checked;
  if (std::any_of(weights.begin(), weights.end(), [](Weight weight) { return weight > 0; })) return {};
  return runtimeError("invalid multinomial distribution (sum of probabilities <= 0)");
}

/// The cumulative shares of some weights, to be searched for the first that is not less than a draw. A guide holds the
/// answer for b / guide.size(), so that a search begins a few places from its end.
template <class Weight>
class Shares {
 public:
  static Result<Shares> make(std::span<const Weight> weights) {
    auto shares = LargeArray<Weight>::make(weights.size(), "cumulative weights");
    if (!shares) return shares.error();
    Weight sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) shares->items()[i] = sum += weights[i];
    for (Weight& share : shares->items()) share /= sum;
    shares->items().back() = 1;
    // An infinite sum leaves shares that do not ascend; then every search goes over all of them, as torch's does.
    auto guide = LargeArray<std::uint32_t>::make(std::isfinite(sum) ? std::bit_floor(weights.size()) : 0, "a guide");
    if (!guide) return guide.error();
    fill(guide->items(), shares->items());
    return Shares(std::move(*shares), std::move(*guide));
  }

  /// Where a draw enters the guide.
  [[nodiscard]] std::size_t entry(double draw) const {
    return static_cast<std::size_t>(draw * static_cast<double>(guide_.size()));
  }
  void prefetchEntry(std::size_t entry) const { __builtin_prefetch(guide_.items().data() + entry); }
  void prefetchShare(std::size_t entry) const {
    if (guide_.size() > 0) __builtin_prefetch(shares_.items().data() + guide_.items()[entry]);
  }

  [[nodiscard]] std::size_t find(double draw, std::size_t entry) const {
    const std::span<const std::uint32_t> guide = guide_.items();
    std::size_t left = guide.empty() ? 0 : guide[entry];
    std::size_t right = entry + 1 < guide.size() ? guide[entry + 1] : shares_.size();
    while (left < right) {
      const std::size_t middle = left + (right - left) / 2;
      if (static_cast<double>(shares_.items()[middle]) < draw) {
        left = middle + 1;
      } else {
        right = middle;
      }
    }
    return left;
  }

 private:
  Shares(LargeArray<Weight> shares, LargeArray<std::uint32_t> guide)
      : shares_(std::move(shares)), guide_(std::move(guide)) {}

  static void fill(std::span<std::uint32_t> guide, std::span<const Weight> shares) {
    std::uint32_t place = 0;
    for (std::size_t b = 0; b < guide.size(); ++b) {
      const double draw = static_cast<double>(b) / static_cast<double>(guide.size());
      while (static_cast<double>(shares[place]) < draw) ++place;
      guide[b] = place;
    }
  }

  LargeArray<Weight> shares_;
  LargeArray<std::uint32_t> guide_;
};

template <class Weight>
Result<void> drawCumulative(TorchGenerator& generator, std::span<const Weight> weights, std::span<std::uint32_t> out,
                            const Work& work) {
  const auto shares = Shares<Weight>::make(weights);
  if (!shares) return shares.error();
  std::array<double, kWindow> draws{};
  std::array<std::size_t, kWindow> entries{};
  for (std::size_t i = 0; i < out.size(); i += kWindow) {
    if (stops(work, i, out.size())) return cancelled();
    const std::size_t count = std::min(kWindow, out.size() - i);
    for (std::size_t k = 0; k < count; ++k) {
      draws[k] = uniform(generator);
      entries[k] = shares->entry(draws[k]);
      shares->prefetchEntry(entries[k]);
    }
    for (std::size_t k = 0; k < count; ++k) shares->prefetchShare(entries[k]);
    for (std::size_t k = 0; k < count; ++k) out[i + k] = static_cast<std::uint32_t>(shares->find(draws[k], entries[k]));
  }
  return {};
}

template <class Weight>
struct Candidate {
  Weight key;  ///< weight / variate
  std::uint32_t category;
};

/// torch's order of values: the largest first, what is no number before all.
template <class Weight>
bool isBefore(const Candidate<Weight>& a, const Candidate<Weight>& b) {
  return (std::isnan(a.key) && !std::isnan(b.key)) || a.key > b.key;
}

/// Brings the `count` first candidates to the front by the very calls of torch.topk: which of equal keys come first is
/// up to them.
template <class Weight>
void bringToFrontAtOnce(std::span<Candidate<Weight>> items, std::size_t count) {
  constexpr std::size_t kFewOf = 64;
  const auto first = items.begin();
  const auto end = first + static_cast<std::ptrdiff_t>(count);
  if (count == 1) {  // argmax, not topk
    std::iter_swap(first, std::min_element(first, items.end(), isBefore<Weight>));
  } else if (count * kFewOf <= items.size()) {
    std::partial_sort(first, end, items.end(), isBefore<Weight>);
  } else {
    std::nth_element(first, end - 1, items.end(), isBefore<Weight>);
    std::sort(first, end - 1, isBefore<Weight>);
  }
}

/// The same for many candidates, by a sort that can be stopped; only where keys are equal, which that sort cannot order
/// as torch does, all at once after all.
template <class Weight>
Result<void> bringToFront(std::span<Candidate<Weight>> items, std::size_t count, const Work& work) {
  constexpr std::size_t kFew = std::size_t{1} << 17;
  using Item = Candidate<Weight>;
  auto scratch =
      LargeArray<Item>::make(items.size() > kFew && count > kFew ? items.size() : 0, "the weights' variates");
  if (!scratch) return scratch.error();
  if (scratch->size() == 0) {
    bringToFrontAtOnce(items, count);
    return {};
  }
  if (!sortStoppably(items, scratch->items(), isBefore<Weight>, work)) return cancelled();
  const auto end = items.begin() + static_cast<std::ptrdiff_t>(std::min(count + 1, items.size()));
  const auto equal = [](const Item& a, const Item& b) { return !isBefore(a, b); };  // of sorted neighbours
  if (std::adjacent_find(items.begin(), end, equal) == end) return {};
  for (const Item& item : items) scratch->items()[item.category] = item;
  std::copy(scratch->items().begin(), scratch->items().end(), items.begin());
  bringToFrontAtOnce(items, count);
  return {};
}

/// MKL's multiplicative congruential generator MCG31m1 (Intel MKL, notes on the vector statistics generators).
class Mcg31 {
 public:
  explicit Mcg31(std::uint32_t seed) : state_(seed % kModulus) {
    if (state_ == 0) state_ = 1;
  }

  /// In (0, 1); the first is that of the seed itself.
  double next() {
    const double uniform = static_cast<double>(state_) / static_cast<double>(kModulus);
    state_ = state_ * kFactor % kModulus;
    return uniform;
  }

 private:
  static constexpr std::uint64_t kModulus = (std::uint64_t{1} << 31) - 1;
  static constexpr std::uint64_t kFactor = 1'132'489'760;

  std::uint64_t state_;
};

/// The low half of a seed that is as wide as a weight.
template <class Weight>
std::uint32_t mklSeed(TorchGenerator& generator) {
  if constexpr (sizeof(Weight) == sizeof(double)) return static_cast<std::uint32_t>(generator.random64());
  return generator.random();
}

/// `variate` gives one exponential variate each time.
template <class Weight, class Variate>
Result<void> drawExponential(Variate variate, std::span<const Weight> weights, std::span<std::uint32_t> out,
                             const Work& work) {
  auto candidates = LargeArray<Candidate<Weight>>::make(weights.size(), "the weights' variates");
  if (!candidates) return candidates.error();
  const std::span<Candidate<Weight>> items = candidates->items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (stops(work, i, items.size())) return cancelled();
    items[i] = {weights[i] / static_cast<Weight>(variate()), static_cast<std::uint32_t>(i)};
  }
  if (auto sorted = bringToFront(items, out.size(), work); !sorted) return sorted;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = items[i].category;
  return {};
}

template <class Weight>
Result<void> draw(TorchGenerator& generator, std::span<const Weight> weights, TorchMultinomialPath path,
                  std::span<std::uint32_t> out, const Work& work) {
  assert(!weights.empty() && weights.size() <= kMostCategories && !out.empty());
  switch (path) {
    case TorchMultinomialPath::Cumulative:
      return drawCumulative(generator, weights, out, work);
    case TorchMultinomialPath::Exponential:
      return drawExponential([&generator] { return -std::log1p(-uniform(generator)); }, weights, out, work);
    case TorchMultinomialPath::ExponentialMkl:
      break;
  }
  Mcg31 stream(mklSeed<Weight>(generator));
  return drawExponential([&stream] { return -std::log(stream.next()); }, weights, out, work);
}

}  // namespace

TorchMultinomialPath torchMultinomialPath(std::string_view release, std::int64_t num_samples, bool replacement,
                                          bool mkl) {
  const bool single = num_samples == 1 && release != "1.13";
  if (replacement && !single) return TorchMultinomialPath::Cumulative;
  return mkl && release == "2.6" ? TorchMultinomialPath::ExponentialMkl : TorchMultinomialPath::Exponential;
}

std::uint64_t torchMultinomialOutputs(TorchMultinomialPath path, std::uint64_t categories, std::uint64_t num_samples) {
  if (path == TorchMultinomialPath::ExponentialMkl) return 2;
  return 2 * (path == TorchMultinomialPath::Cumulative ? num_samples : categories);
}

Result<void> checkTorchMultinomialSizes(std::size_t categories, std::int64_t num_samples, bool replacement) {
  if (num_samples <= 0) return runtimeError("cannot sample n_sample <= 0 samples");
  if (!replacement && static_cast<std::uint64_t>(num_samples) > categories) {
    return runtimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  }
  if (categories > kMostCategories) return runtimeError("number of categories cannot exceed 2^24");
  return {};
}

Result<void> checkTorchMultinomial(std::span<const double> weights, std::int64_t num_samples, bool replacement,
                                   TorchMultinomialPath path) {
  return check(weights, num_samples, replacement, path);
}

Result<void> checkTorchMultinomial(std::span<const float> weights, std::int64_t num_samples, bool replacement,
                                   TorchMultinomialPath path) {
  return check(weights, num_samples, replacement, path);
}

Result<void> torchMultinomial(TorchGenerator& generator, std::span<const double> weights, TorchMultinomialPath path,
                              std::span<std::uint32_t> out, const Work& work) {
  return draw(generator, weights, path, out, work);
}

Result<void> torchMultinomial(TorchGenerator& generator, std::span<const float> weights, TorchMultinomialPath path,
                              std::span<std::uint32_t> out, const Work& work) {
  return draw(generator, weights, path, out, work);
}

}  // namespace shardlens
