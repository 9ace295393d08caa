// SPDX-License-Identifier: Apache-2.0
// Any settings that validate are planned, audited, seen through the lens and resumed, or refused with a sentence; and
// what the plan counts is what it hands out.
#include "core/audit/audit.h"
#include "core/lens/lens.h"
#include "core/resume/report.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>

using namespace shardlens;

namespace {

/// Settings from here on are seeds: no memory or time grows with them.
constexpr std::int64_t kSeedLike = std::int64_t{1} << 40;

void require(bool holds, const char* what) {
  if (holds) return;
  (void)std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// Reads settings out of bytes; zeros follow the last one.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::int64_t below(std::int64_t bound) { return next() % bound; }

  std::int64_t wide() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8U | static_cast<std::uint64_t>(next());
    return static_cast<std::int64_t>(bits);
  }

 private:
  std::int64_t next() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

std::int64_t number(const Field& field, Bytes& bytes) {
  const std::int64_t small = bytes.below(64) - 8;
  switch (bytes.below(5)) {
    case 0:
      return field.max >= kSeedLike ? field.max : small;
    case 1:
      return field.min <= -kSeedLike ? field.min : small;
    case 2:
      return field.max >= kSeedLike ? bytes.wide() : small;
    default:
      return small;
  }
}

Value listOf(const Field& field, Bytes& bytes) {
  const std::int64_t count = bytes.below(40);
  if (field.kind == FieldKind::Numbers) {
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<double>(bytes.below(256) - 20) / 7);
    return numbers;
  }
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < count; ++i) indices.push_back(bytes.below(64));
  return indices;
}

Value valueFor(const Field& field, Bytes& bytes) {
  const bool named = !field.choices.empty() && (field.kind == FieldKind::Choice || bytes.below(2) == 0);
  if (named)
    return field.choices[static_cast<std::size_t>(bytes.below(static_cast<std::int64_t>(field.choices.size())))];
  switch (field.kind) {
    case FieldKind::Bool:
      return bytes.below(2) == 0;
    case FieldKind::Int:
    case FieldKind::IntOrName:
      return number(field, bytes);
    case FieldKind::Float:
      return static_cast<double>(bytes.below(256)) / 100;
    case FieldKind::Indices:
    case FieldKind::Numbers:
      return listOf(field, bytes);
    default:
      return field.fallback;
  }
}

PipelineSpec specOf(Bytes& bytes) {
  PipelineSpec spec;
  const auto rules = sampling::rules();
  const SamplerInfo& info = rules[static_cast<std::size_t>(bytes.below(static_cast<std::int64_t>(rules.size())))].info;
  spec.sampler.type = info.type;
  spec.dataset.size = bytes.below(200);
  spec.world = {1 + bytes.below(4), 1 + bytes.below(6)};
  spec.loader.batch_size = 1 + bytes.below(20);
  spec.loader.num_workers = bytes.below(4);
  spec.loader.drop_last = bytes.below(2) == 0;
  spec.epochs = 1 + bytes.below(3);
  spec.seeds.base = bytes.below(4) == 0 ? bytes.wide() : bytes.below(9) - 2;
  for (const std::string& path : info.reads) {
    const Field* field = findField(spec, sampling::catalogue(), path);
    if (Value value = valueFor(*field, bytes); !checkValue(*field, value)) setValue(spec, *field, std::move(value));
  }
  const IndexList& shards = spec.dataset.shards;
  if (!shards.empty()) spec.dataset.size = std::accumulate(shards.begin(), shards.end(), std::int64_t{0});
  for (const Field& field : info.parameters) {
    if (Value value = valueFor(field, bytes); !checkValue(field, value)) setValue(spec, field, std::move(value));
  }
  return spec;
}

void requireSentence(const Error& error) {
  require(!error.message.empty() || !error.raised.empty(), "an error has a sentence");
}

/// Whether the plan is small enough to be looked at. Some samplers raise only while they draw, and have no shape then.
bool isSmall(const Plan& plan) {
  if (plan.spec().dataset.size > 2'500) return false;
  const auto shape = plan.shape(Epoch{0}, Rank{0});
  return !shape || shape->samples <= 20'000;
}

void requireCounts(const Plan& plan, const EpochPlan& epoch) {
  for (const RankEpoch& rank : epoch.ranks) {
    const RankEpochShape shape = *plan.shape(epoch.epoch, rank.rank());
    require(shape.samples == rank.size() && shape.batches == rank.batches(), "a shape is what is dealt");
    for (Step step{0}; step.value < rank.batches(); ++step) {
      for (const SampleIndex id : rank.batchSamples(step)) {
        require(id >= 0 && id < std::max<std::int64_t>(1, plan.spec().dataset.size), "an index is in the dataset");
      }
    }
  }
}

void auditIt(const Plan& plan) {
  if (const auto report = audit(plan); !report) requireSentence(report.error());
}

void resumeIt(const Plan& plan, Bytes& bytes) {
  const Epoch epoch{bytes.below(plan.epochs())};
  const ResumePoint point{epoch, bytes.below(*plan.steps(epoch) + 1), {1 + bytes.below(3), 1 + bytes.below(4)}};
  if (const auto report = resumeReport(plan.spec(), point, {50}); !report) requireSentence(report.error());
}

void look(const Plan& plan, Bytes& bytes) {
  for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
    const auto dealt = plan.epoch(epoch);
    if (!dealt) return requireSentence(dealt.error());
    requireCounts(plan, *dealt);
  }
  switch (bytes.below(4)) {
    case 0:
      return auditIt(plan);
    case 1:
      return resumeIt(plan, bytes);
    case 2:
      (void)lensColumns(plan.spec());
      break;
    default:
      break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes({data, size});
  const auto plan = Plan::make(specOf(bytes));
  if (!plan) {
    requireSentence(plan.error());
  } else if (isSmall(*plan)) {
    look(*plan, bytes);
  }
  return 0;
}
