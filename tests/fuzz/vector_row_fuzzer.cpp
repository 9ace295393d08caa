// SPDX-License-Identifier: Apache-2.0
// Whatever a line of a reference file holds, reading it, asking for its fields and replaying it neither crashes nor
// throws.
#include "core/selftest/expectation.h"
#include "core/selftest/replay.h"
#include "core/selftest/vector_row.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace shardlens::selftest;

namespace {

/// Counts up to here are replayed: enough for every branch, too few to be slow.
constexpr std::int64_t kMost = 300;

constexpr const char* kKeys[] = {"indices", "batches", "seed", "count", "head", "values", "digest_sha256", "epoch"};

void askEverything(const Fields& fields) {
  for (const char* key : kKeys) {
    const int kinds = fields.integer(key).has_value() + fields.text(key).has_value() + fields.flag(key).has_value() +
                      fields.integers(key).has_value();
    if (kinds > 1) std::abort();  // a value has one type
    if (fields.bits(key, 16).has_value() && !fields.has(key)) std::abort();
    if (fields.words(key).has_value() && !fields.has(key)) std::abort();
    if (fields.lists(key).has_value() && !fields.has(key)) std::abort();
    if (fields.isNull(key) && !fields.has(key)) std::abort();
  }
}

void requireReason(const RowVerdict& verdict) {
  if (verdict.outcome != Outcome::Passed && verdict.why.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto row = readRow(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!row) return 0;
  askEverything(row->params);
  askEverything(row->fields);
  Answer answer;
  answer.indices = {4, 0, 1, 3, 2};
  const RowVerdict verdict = compare(*row, answer);
  requireReason(verdict);
  Planner planner(kMost);
  requireReason(replay(*row, planner));
  return 0;
}
