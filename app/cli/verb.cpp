// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

#include <cstdio>

namespace shardlens::cli {

int exitCode(const Error& error) {
  switch (error.code) {
    case ErrorCode::Environment:
      return kEnvironment;
    case ErrorCode::JobFailed:
      return kJobFailed;
    default:
      return kUsage;
  }
}

int fail(const Error& error) {
  std::fprintf(stderr, "shardlens: %s\n", error.text().c_str());
  return exitCode(error);
}

int fail(const Issues& issues) {
  for (const Error& issue : issues) std::fprintf(stderr, "shardlens: %s\n", issue.text().c_str());
  return issues.empty() ? kFine : exitCode(issues.front());
}

}  // namespace shardlens::cli
