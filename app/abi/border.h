// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/abi/shardlens_abi.h"
#include "core/base/result.h"

#include <cstdint>
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
