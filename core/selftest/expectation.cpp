// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/expectation.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <iterator>
#include <span>

namespace shardlens::selftest {
namespace {

static_assert(std::endian::native == std::endian::little, "the digest is defined over little-endian integers");

/// SHA-256 of numbers as little-endian signed 64-bit integers, as 64 hexadecimal digits.
std::string sha256(std::span<const std::int64_t> numbers) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  const int done = EVP_Digest(numbers.data(), numbers.size_bytes(), digest.data(), &size, EVP_sha256(), nullptr);
  assert(done == 1);
  if (done != 1) return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

template <class T>
std::string firstDifference(const std::vector<T>& got, const std::vector<T>& wanted) {
  if (got == wanted) return {};
  const auto [a, b] = std::mismatch(got.begin(), got.end(), wanted.begin(), wanted.end());
  if (a == got.end() || b == wanted.end())
    return std::to_string(got.size()) + " numbers, not " + std::to_string(wanted.size());
  return "[" + std::to_string(a - got.begin()) + "] is " + std::to_string(*a) + ", not " + std::to_string(*b);
}

std::vector<std::int64_t> flattened(const std::vector<std::vector<std::int64_t>>& batches) {
  std::vector<std::int64_t> items;
  for (const auto& batch : batches) items.insert(items.end(), batch.begin(), batch.end());
  return items;
}

std::vector<std::int64_t> sizesOf(const std::vector<std::vector<std::int64_t>>& batches) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(batches.size());
  for (const auto& batch : batches) sizes.push_back(static_cast<std::int64_t>(batch.size()));
  return sizes;
}

/// Collects the first thing that differs, and whether anything was compared at all.
struct Comparison {
  std::string why;
  bool judged = false;

  void hold(const std::string& what, const std::string& found) {
    judged = true;
    if (why.empty() && !found.empty()) why = what + ": " + found;
  }
  void holdText(const std::string& what, const std::string& got, const std::string& wanted) {
    hold(what, got == wanted ? "" : got + ", not " + wanted);
  }
};

void compareDigest(const VectorRow& row, const Answer& answer, Comparison& comparison) {
  const auto digest = row.fields.text("digest_sha256");
  if (!digest) return;
  comparison.holdText("count", std::to_string(answer.indices.size()),
                      std::to_string(row.fields.integer("count").value_or(-1)));
  if (const auto head = row.fields.integers("head")) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(head->size(), answer.indices.size()));
    comparison.hold("head", difference({answer.indices.begin(), answer.indices.begin() + count}, *head));
  }
  comparison.holdText("digest_sha256", sha256(answer.indices), *digest);
}

void compareBatches(const VectorRow& row, const Answer& answer, Comparison& comparison) {
  const std::vector<std::int64_t> sizes = answer.batch_sizes.value_or(std::vector<std::int64_t>{});
  if (const auto batches = row.fields.lists("batches")) {
    comparison.hold("batches", difference(answer.indices, flattened(*batches)));
    comparison.hold("batch sizes", difference(sizes, sizesOf(*batches)));
  }
  if (const auto digest = row.fields.text("batch_sizes_digest_sha256"))
    comparison.holdText("batch_sizes_digest_sha256", sha256(sizes), *digest);
}

}  // namespace

RowVerdict passed() {
  return {};
}
RowVerdict failed(std::string why) {
  return {Outcome::Failed, std::move(why)};
}
RowVerdict unsupported(std::string why) {
  return {Outcome::Unsupported, std::move(why)};
}

RowVerdict unknownParameters() {
  return unsupported("unknown parameters");
}

RowVerdict judged(const std::string& what, const std::string& difference) {
  return difference.empty() ? passed() : failed(what + ": " + difference);
}

Answer Answer::ofItems(const RankEpoch& rank_epoch) {
  Answer answer;
  answer.indices.reserve(static_cast<std::size_t>(rank_epoch.size()));
  for (std::int64_t k = 0; k < rank_epoch.size(); ++k) answer.indices.push_back(rank_epoch.sample(k));
  answer.length = rank_epoch.size();
  return answer;
}

Answer Answer::ofBatches(const RankEpoch& rank_epoch) {
  Answer answer;
  answer.batch_sizes.emplace();
  for (Step step{0}; step.value < rank_epoch.batches(); ++step) answer.add(rank_epoch.batchSamples(step));
  answer.length = rank_epoch.batches();
  return answer;
}

Answer Answer::ofWorker(const RankEpoch& rank_epoch, std::int64_t worker) {
  Answer answer;
  for (Step step{0}; step.value < rank_epoch.batches(); ++step) {
    if (rank_epoch.worker(step) != worker) continue;
    const std::vector<SampleIndex> batch = rank_epoch.batchSamples(step);
    answer.indices.insert(answer.indices.end(), batch.begin(), batch.end());
  }
  return answer;
}

void Answer::add(const std::vector<SampleIndex>& batch) {
  if (!batch_sizes) batch_sizes.emplace();
  indices.insert(indices.end(), batch.begin(), batch.end());
  batch_sizes->push_back(std::ssize(batch));
}

Answer Answer::ofOrder(const Order& order, std::int64_t count) {
  Answer answer;
  answer.indices.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) answer.indices.push_back(order[k]);
  answer.length = count;
  return answer;
}

RowVerdict compare(const VectorRow& row, const Answer& answer) {
  if (row.error) return failed("nothing was raised, but " + row.error->type + ": " + row.error->message);
  Comparison comparison;
  if (const auto indices = row.fields.integers("indices"))
    comparison.hold("indices", difference(answer.indices, *indices));
  compareBatches(row, answer, comparison);
  compareDigest(row, answer, comparison);
  if (!comparison.judged) return unsupported("the row has no indices, batches or digest");
  if (const auto length = row.fields.integer("length"); length && answer.length)
    comparison.holdText("length", std::to_string(*answer.length), std::to_string(*length));
  return comparison.why.empty() ? passed() : failed(comparison.why);
}

RowVerdict compareError(const VectorRow& row, const Result<void>& result) {
  const std::string wanted = row.error ? row.error->type + ": " + row.error->message : "no exception";
  const std::string got = result ? "no exception" : result.error().raised + ": " + result.error().message;
  return got == wanted ? passed() : failed(got + ", not " + wanted);
}

RowVerdict judgeItems(const VectorRow& row, const Result<RankEpoch>& drawn) {
  if (!drawn) return compareError(row, drawn.error());
  return compare(row, Answer::ofItems(*drawn));
}

RowVerdict judgeBatches(const VectorRow& row, const Result<RankEpoch>& drawn) {
  if (!drawn) return compareError(row, drawn.error());
  return compare(row, Answer::ofBatches(*drawn));
}

std::string difference(const std::vector<std::int64_t>& got, const std::vector<std::int64_t>& wanted) {
  return firstDifference(got, wanted);
}
std::string difference(const std::vector<std::uint64_t>& got, const std::vector<std::uint64_t>& wanted) {
  return firstDifference(got, wanted);
}

}  // namespace shardlens::selftest
