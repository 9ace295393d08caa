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
#include <string>
#include <utility>

namespace shardlens::abi {

/// Keeps the error for shardlens_last_error() and gives its status.
std::int32_t failed(const Error& error) noexcept;
/// The same for every problem of one input: one line each, with the status of the first.
std::int32_t failed(const Issues& issues) noexcept;

/// Keeps `text` of this thread until its next call, and points at it.
const char* lent(std::string text);

/// An argument that makes no sense.
Error wrongArgument(std::string message, std::string hint = {});

/// Runs the body of a function of the ABI: no exception leaves it. `call` returns a Result<void>.
template <class Call>
std::int32_t status(Call&& call) noexcept {
  const Result<void> done = guarded(std::forward<Call>(call));
  return done ? SHARDLENS_OK : failed(done.error());
}

}  // namespace shardlens::abi

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
