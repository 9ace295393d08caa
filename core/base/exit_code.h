// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace shardlens {

/// What `shardlens` and the rank programs return; the contract of the command line.
enum ExitCode : int {
  kFine = 0,
  kFindings = 1,     ///< error-level findings, a mismatch, a difference
  kUsage = 2,        ///< usage or bad input
  kEnvironment = 3,  ///< this machine cannot do it
  kJobFailed = 4,
};

/// The exit code that an error means.
constexpr ExitCode exitCode(ErrorCode code) {
  if (code == ErrorCode::Environment) return kEnvironment;
  return code == ErrorCode::JobFailed ? kJobFailed : kUsage;
}

}  // namespace shardlens
