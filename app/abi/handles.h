// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/abi/shardlens_abi.h"
#include "app/abi/shared_order.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/thread_annotations.h"
#include "core/plan/plan.h"
#include "core/yaml/spec_reader.h"

#include <cstdint>
#include <memory>
#include <utility>

// NOLINTBEGIN(readability-identifier-naming): what the C header calls them.

struct shardlens_plan {
  shardlens_plan(shardlens::Plan made, shardlens::yaml::ReadSpec from) : plan(std::move(made)), read(std::move(from)) {}

  shardlens::Plan plan;
  shardlens::yaml::ReadSpec read;  ///< knows where the text has each field

  /// The error with the place of the field that is to blame.
  [[nodiscard]] shardlens::Error placed(shardlens::Error error) const;
  /// Usage, unless the plan has this epoch, or this rank.
  [[nodiscard]] shardlens::Result<void> checkEpoch(std::int64_t epoch) const;
  [[nodiscard]] shardlens::Result<void> checkRank(std::int64_t rank) const;
  /// SharedOrder::of(); the newest one is kept, so that its file stays while there is something to do with it.
  [[nodiscard]] shardlens::Result<std::shared_ptr<const shardlens::abi::SharedOrder>> sharedOrder(
      shardlens::Epoch epoch, shardlens::Rank rank) const;

 private:
  mutable shardlens::Mutex mutex_;
  mutable std::shared_ptr<const shardlens::abi::SharedOrder> newest_ SHARDLENS_GUARDED_BY(mutex_);
};

// NOLINTEND(readability-identifier-naming)
