// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_multinomial.h"

#include "core/random/torch_generator.h"
#include "tests/support/random_seed.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

using Path = TorchMultinomialPath;
using Ids = std::vector<std::uint32_t>;
using Numbers = std::vector<std::int64_t>;

template <class Weight>
Ids drawn(TorchGenerator& generator, const std::vector<Weight>& weights, Path path, std::size_t count) {
  Ids out(count);
  REQUIRE(torchMultinomial(generator, std::span<const Weight>(weights), path, out));
  return out;
}

std::string refusal(const std::vector<double>& weights, std::int64_t num_samples, bool replacement, Path path) {
  const auto checked = checkTorchMultinomial(std::span<const double>(weights), num_samples, replacement, path);
  return checked ? "fine" : checked.error().raised + ": " + checked.error().message;
}

/// The rule as it is written down: cumulative shares, and a binary search over all of them for each draw.
Ids plainCumulative(TorchGenerator& generator, const std::vector<double>& weights, std::size_t count) {
  std::vector<double> shares;
  double sum = 0;
  for (const double weight : weights) shares.push_back(sum += weight);
  for (double& share : shares) share /= sum;
  shares.back() = 1;
  Ids out;
  for (std::size_t i = 0; i < count; ++i) {
    const double draw = std::ldexp(static_cast<double>(generator.random53()), -53);
    std::size_t left = 0;
    std::size_t right = shares.size();
    while (left < right) {
      const std::size_t middle = (left + right) / 2;
      if (shares[middle] < draw) {
        left = middle + 1;
      } else {
        right = middle;
      }
    }
    out.push_back(static_cast<std::uint32_t>(left));
  }
  return out;
}

}  // namespace

// Numbers that torch 1.13, built without MKL, gave.
TEST_CASE("torch.multinomial, two calls of one generator") {
  const std::vector<double> wide = {0.1, 0.7, 0.0, 2.5, 1.0, 0.3};
  const std::vector<float> narrow = {0.1F, 0.7F, 0.0F, 2.5F, 1.0F, 0.3F};
  TorchGenerator one(42);
  CHECK(drawn(one, wide, Path::Cumulative, 6) == Ids{1, 1, 1, 1, 3, 3});
  CHECK(drawn(one, wide, Path::Cumulative, 6) == Ids{5, 4, 1, 1, 1, 3});
  TorchGenerator two(42);
  CHECK(drawn(two, wide, Path::Exponential, 4) == Ids{3, 1, 0, 4});
  CHECK(drawn(two, wide, Path::Exponential, 4) == Ids{3, 4, 5, 1});
  TorchGenerator three(42);
  CHECK(drawn(three, narrow, Path::Exponential, 4) == Ids{3, 1, 0, 4});
  CHECK(drawn(three, narrow, Path::Exponential, 4) == Ids{3, 4, 5, 1});
  TorchGenerator four(42);
  CHECK(drawn(four, narrow, Path::Cumulative, 6) == Ids{1, 1, 1, 1, 3, 3});
  TorchGenerator five(42);
  CHECK(drawn(five, wide, Path::Exponential, 1) == Ids{3});
}

TEST_CASE("a single sample with replacement is drawn otherwise since torch 2") {
  CHECK(torchMultinomialPath("1.13", 1, true) == Path::Cumulative);
  CHECK(torchMultinomialPath("2.6", 1, true) == Path::Exponential);
  CHECK(torchMultinomialPath("2.9", 2, true) == Path::Cumulative);
  CHECK(torchMultinomialPath("1.13", 2, false) == Path::Exponential);
  CHECK(torchMultinomialPath("1.13", 2, false, true) == Path::Exponential);
  CHECK(torchMultinomialPath("2.6", 2, false, true) == Path::ExponentialMkl);
  CHECK(torchMultinomialPath("2.6", 1, true, true) == Path::ExponentialMkl);
  CHECK(torchMultinomialPath("2.6", 2, true, true) == Path::Cumulative);
  CHECK(torchMultinomialPath("2.9", 2, false, true) == Path::Exponential);
}

TEST_CASE("a draw consumes as many outputs as it says") {
  const std::vector<double> weights = {3, 0, 1, 2, 5};
  for (const Path path : {Path::Cumulative, Path::Exponential}) {
    TorchGenerator used(9);
    drawn(used, weights, path, 4);
    TorchGenerator skipped(9);
    skipped.skip(torchMultinomialOutputs(path, weights.size(), 4));
    CHECK(used.random() == skipped.random());
  }
}

TEST_CASE("the guided search finds what the plain search finds, for weights drawn at random") {
  const auto seed = static_cast<std::uint32_t>(test::randomSeed());
  std::mt19937_64 random(seed);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> weights(1 + random() % (i < 150 ? 40 : 5000));
    const int kind = i % 4;
    for (double& weight : weights) {
      const auto part = static_cast<double>(random() % 1000);
      weight = kind == 0 ? part : kind == 1 ? std::exp(part - 500) : random() % 3 == 0 ? part : 0;
    }
    weights[random() % weights.size()] = kind == 3 ? std::numeric_limits<double>::max() : 1;
    if (kind == 3) weights.back() = std::numeric_limits<double>::max();  // the sum may overflow
    TorchGenerator fast(seed);
    TorchGenerator plain(seed);
    CHECK((drawn(fast, weights, Path::Cumulative, 1500) == plainCumulative(plain, weights, 1500)));
  }
}

TEST_CASE("many samples without replacement come in the order of weight / variate, ties as torch's topk leaves them") {
  struct Candidate {
    double key;
    std::uint32_t category;
  };
  const auto is_before = [](const Candidate& a, const Candidate& b) { return a.key > b.key; };
  for (const std::size_t every : {0U, 3U}) {  // each third weight is zero
    std::vector<double> weights(300'000);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = every > 0 && i % every == 0 ? 0 : 1 + i % 7;
    const std::size_t count = 250'000;
    TorchGenerator plain(5);
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double variate = -std::log1p(-std::ldexp(static_cast<double>(plain.random53()), -53));
      candidates.push_back({weights[i] / variate, static_cast<std::uint32_t>(i)});
    }
    std::nth_element(candidates.begin(), candidates.begin() + count - 1, candidates.end(), is_before);
    std::sort(candidates.begin(), candidates.begin() + count - 1, is_before);
    Ids wanted;
    for (std::size_t i = 0; i < count; ++i) wanted.push_back(candidates[i].category);
    TorchGenerator generator(5);
    CHECK((drawn(generator, weights, Path::Exponential, count) == wanted));
  }
}

TEST_CASE("torch.multinomial raises as torch does") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::string invalid = "RuntimeError: invalid multinomial distribution (";
  CHECK(refusal({1, 2}, 0, true, Path::Cumulative) == "RuntimeError: cannot sample n_sample <= 0 samples");
  CHECK(refusal({1, 2}, 3, false, Path::Exponential) ==
        "RuntimeError: cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  CHECK(refusal({1, 2}, 3, true, Path::Cumulative) == "fine");
  CHECK(refusal({1, -1}, 2, true, Path::Cumulative) == invalid + "encountering probability entry < 0)");
  CHECK(refusal({kNan, 1}, 2, true, Path::Cumulative) == invalid + "encountering probability entry < 0)");
  CHECK(refusal({kInfinity, 1}, 2, true, Path::Cumulative) ==
        invalid + "encountering probability entry = infinity or NaN)");
  CHECK(refusal({1, -1}, 2, false, Path::Exponential) ==
        "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0");
  CHECK(refusal({0, 0}, 2, false, Path::Exponential) == invalid + "sum of probabilities <= 0)");
  CHECK(refusal({}, 2, true, Path::Cumulative) == invalid + "sum of probabilities <= 0)");
  CHECK(refusal({}, 1, true, Path::Exponential).starts_with("RuntimeError: max(): Expected reduction dim"));
  CHECK(refusal(std::vector<double>((1U << 24) + 1, 1), 2, true, Path::Cumulative) ==
        "RuntimeError: number of categories cannot exceed 2^24");
}

TEST_CASE("a long draw stops when told to") {
  std::stop_source stop;
  stop.request_stop();
  const std::vector<double> weights(1000, 1);
  Ids out(1000);
  for (const Path path : {Path::Cumulative, Path::Exponential}) {
    TorchGenerator generator(0);
    const auto done =
        torchMultinomial(generator, std::span<const double>(weights), path, out, Work{stop.get_token(), {}});
    REQUIRE_FALSE(done);
    CHECK(done.error().code == ErrorCode::Cancelled);
  }
}

TEST_CASE("torch.randint draws one output below the release's border and two from it on") {
  constexpr std::int64_t kBorder = std::int64_t{1} << 32;
  TorchGenerator generator(42);
  const auto draws = [&generator](const TorchRandint& rule, int count) {
    Numbers out;
    for (int i = 0; i < count; ++i) out.push_back(rule(generator));
    return out;
  };
  TorchGenerator first(0);  // as after torch.manual_seed(0)
  for (const std::int64_t id : {4, 9, 3, 0}) CHECK(TorchRandint("2.9", 0, 10)(first) == id);
  CHECK(draws({"1.13", -5, 5}, 6) == Numbers{-3, 2, 1, -1, 1, 0});
  CHECK(draws({"1.13", 0, kBorder - 1}, 3) == Numbers{2571218620, 2563451924, 670094950});
  CHECK(draws({"1.13", 0, kBorder}, 3) == Numbers{669991378, 249467210, 3720198231});
  CHECK(draws({"1.13", INT64_MIN, INT64_MAX}, 2) == Numbers{-3067534686115681181, -6587944474234306921});
  CHECK(draws({"1.13", 0, 1 << 28}, 2) == Numbers{111190146, 88409749});
  CHECK(TorchRandint("2.6", 0, kBorder - 1).outputs() == 1);
  CHECK(TorchRandint("2.6", 0, kBorder).outputs() == 2);
  CHECK(TorchRandint("2.9", 0, (1 << 28) - 1).outputs() == 1);
  CHECK(TorchRandint("2.9", 0, 1 << 28).outputs() == 2);
}

// What an x86 build printed in pytorch#148247: 142,816 equal weights, seed 43.
TEST_CASE("torch.multinomial by MKL, a whole permutation of float weights") {
  const std::vector<float> equal(142'816, 1.0F);
  TorchGenerator generator(43);
  const Ids ids = drawn(generator, equal, Path::ExponentialMkl, equal.size());
  CHECK(Ids(ids.begin(), ids.begin() + 3) == Ids{343, 139'839, 105'443});
  CHECK(Ids(ids.end() - 3, ids.end()) == Ids{15'203, 72'413, 91'169});
}

// Variates that a build with MKL printed in pytorch#150538, after torch.rand(5) with seed 42: 0.5809, 0.0436, 2.0548,
// 1.9680, 0.3315. The largest weight over variate comes first, so that weights between them tell each of the five.
TEST_CASE("torch.multinomial by MKL, the variates of five categories") {
  const std::vector<float> variates = {0.5809F, 0.0436F, 2.0548F, 1.9680F, 0.3315F};
  for (std::size_t i = 0; i < variates.size(); ++i) {
    for (std::size_t other = 0; other < variates.size(); ++other) {
      if (i == other) continue;
      CAPTURE(i);
      CAPTURE(other);
      std::vector<float> weights(5, 0.0F);
      weights[i] = variates[i] * 1.002F;
      weights[other] = variates[other];
      TorchGenerator generator(42);
      for (int draw = 0; draw < 5; ++draw) (void)generator.random();
      CHECK(drawn(generator, weights, Path::ExponentialMkl, 1) == Ids{static_cast<std::uint32_t>(i)});
    }
  }
}

TEST_CASE("torch.multinomial by MKL seeds float64 weights by the low half of 64 bits, and takes two outputs") {
  const std::vector<double> wide(50, 1.0);
  const std::vector<float> narrow(50, 1.0F);
  TorchGenerator one(7);
  TorchGenerator other(7);
  (void)other.random();
  CHECK(drawn(one, wide, Path::ExponentialMkl, 50) == drawn(other, narrow, Path::ExponentialMkl, 50));
  CHECK(one.random() == other.random());
  CHECK(torchMultinomialOutputs(Path::ExponentialMkl, 50, 50) == 2);
}
