// SPDX-License-Identifier: Apache-2.0
// Plans for C: open, ask for fields, seeds and shapes.
#include "app/abi/border.h"
#include "core/plan/diff.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_rule.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field_table.h"
#include "core/spec/seeded.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/spec_writer.h"

#include <memory>
#include <utility>

using namespace shardlens;

namespace {

std::int32_t open(yaml::ReadSpec read, shardlens_plan** out) noexcept {
  if (!read.issues.empty()) return abi::failed(read.issues);
  return abi::status([&]() -> Result<void> {
    auto plan = Plan::make(read.spec);
    if (!plan) return read.placed(plan.error());
    *out = std::make_unique<shardlens_plan>(*std::move(plan), std::move(read)).release();
    return {};
  });
}

Error noSeeds(const PipelineSpec& spec) {
  return {ErrorCode::Unsupported,
          neverSeeds(spec) ? "the spec says that the script never seeds."
                           : "the spec says that nobody knows how the script seeds.",
          {{}, 0, 0, "seeds.rule"},
          "say how the script seeds: seeds: {base: 0, rule: same}"};
}

}  // namespace

Error shardlens_plan::placed(Error error) const {
  return error.place.field.empty() ? error : read.placed(std::move(error));
}

Result<void> shardlens_plan::checkEpoch(std::int64_t epoch) const {
  if (epoch >= 0 && epoch < plan.epochs()) return {};
  return abi::wrongArgument("there is no epoch " + std::to_string(epoch) + " in the plan: it has epochs 0 to " +
                                std::to_string(plan.epochs() - 1) + ".",
                            "set `epochs` in the spec to as many as the job trains");
}

Result<void> shardlens_plan::checkRank(std::int64_t rank) const {
  if (rank >= 0 && rank < plan.worldSize()) return {};
  return abi::wrongArgument("there is no rank " + std::to_string(rank) + " in the plan: it has ranks 0 to " +
                            std::to_string(plan.worldSize() - 1) + ".");
}

Result<std::shared_ptr<const abi::SharedOrder>> shardlens_plan::sharedOrder(Epoch epoch, Rank rank) const {
  auto found = abi::SharedOrder::of(plan, epoch, rank);
  if (!found || *found == nullptr) return found;
  const MutexLock lock(mutex_);
  newest_ = *found;
  return found;
}

int32_t shardlens_plan_read(const char* path, shardlens_plan** out) {
  yaml::ReadSpec read;
  const std::int32_t done = abi::status([&]() -> Result<void> {
    read = yaml::readSpecFile(path, sampling::catalogue()).read;
    return {};
  });
  return done == SHARDLENS_OK ? open(std::move(read), out) : done;
}

int32_t shardlens_plan_parse(const char* text, const char* name, shardlens_plan** out) {
  yaml::ReadSpec read;
  const std::int32_t done = abi::status([&]() -> Result<void> {
    read = yaml::readSpec(text, sampling::catalogue(), name);
    return {};
  });
  return done == SHARDLENS_OK ? open(std::move(read), out) : done;
}

void shardlens_plan_close(shardlens_plan* plan) {
  const std::unique_ptr<shardlens_plan> owned(plan);
}

int64_t shardlens_plan_world_size(const shardlens_plan* plan) {
  return plan->plan.worldSize();
}

int64_t shardlens_plan_epochs(const shardlens_plan* plan) {
  return plan->plan.epochs();
}

int32_t shardlens_plan_text(const shardlens_plan* plan, const char** out) {
  return abi::status([&]() -> Result<void> {
    *out = abi::lent(yaml::writeSpec(plan->plan.spec(), sampling::catalogue()));
    return {};
  });
}

int32_t shardlens_plan_order_text(const shardlens_plan* plan, const char** out) {
  return abi::status([&]() -> Result<void> {
    *out = abi::lent(abi::orderText(plan->plan.spec()));
    return {};
  });
}

int32_t shardlens_plan_value(const shardlens_plan* plan, const char* path, const char** out) {
  return abi::status([&]() -> Result<void> {
    const Field* field = findField(plan->plan.spec(), sampling::catalogue(), path);
    if (field == nullptr)
      return abi::wrongArgument("a spec of " + plan->plan.spec().sampler.type + " has no field '" + path + "'.");
    *out = abi::lent(valueText(getValue(plan->plan.spec(), *field)));
    return {};
  });
}

int32_t shardlens_plan_differences(const shardlens_plan* plan, const char* text, const char** out) {
  return abi::status([&]() -> Result<void> {
    const yaml::ReadSpec other = yaml::readSpec(text, sampling::catalogue());
    if (!other.issues.empty()) return other.issues.front();
    std::string paths;
    for (const std::string& path : planDifferences(plan->plan.spec(), other.spec)) paths += path + "\n";
    *out = abi::lent(std::move(paths));
    return {};
  });
}

int32_t shardlens_plan_loader_cuts_batches(const shardlens_plan* plan, int32_t* out) {
  return abi::status([&]() -> Result<void> {
    // An order that can be shared lists no batches: whether it is one is known without an order of this process alone.
    const auto shared = plan->sharedOrder(Epoch{0}, Rank{0});
    if (!shared) return plan->placed(shared.error());
    const auto cuts = *shared != nullptr ? Result<bool>(plan->plan.rule().batching == sampling::loaderBatching)
                                         : plan->plan.loaderCutsBatches();
    if (!cuts) return plan->placed(cuts.error());
    *out = *cuts ? 1 : 0;
    return {};
  });
}

int32_t shardlens_plan_shape(const shardlens_plan* plan, int64_t epoch, int64_t rank, int64_t* steps,
                             int64_t* samples) {
  return abi::status([&]() -> Result<void> {
    if (auto there = plan->checkEpoch(epoch); !there) return there;
    if (auto there = plan->checkRank(rank); !there) return there;
    const auto shape = plan->plan.shape(Epoch{epoch}, Rank{rank});
    if (!shape) return plan->placed(shape.error());
    *steps = shape->batches;
    *samples = shape->samples;
    return {};
  });
}

int32_t shardlens_plan_seed(const shardlens_plan* plan, int64_t epoch, int64_t rank, uint64_t* out) {
  return abi::status([&]() -> Result<void> {
    if (auto there = plan->checkRank(rank); !there) return there;
    if (!isSeeded(plan->plan.spec())) return noSeeds(plan->plan.spec());
    *out = sampling::scriptSeed(plan->plan.spec(), Epoch{epoch}, Rank{rank});
    return {};
  });
}

int32_t shardlens_plan_seeds_each_epoch(const shardlens_plan* plan) {
  return sampling::seedsEachEpoch(plan->plan.spec()) ? 1 : 0;
}
