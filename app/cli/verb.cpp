// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

#include <cstdio>

namespace shardlens::cli {

int fail(const Error& error) {
  std::fprintf(stderr, "shardlens: %s\n", error.text().c_str());
  return exitCode(error.code);
}

int fail(const Issues& issues) {
  for (const Error& issue : issues) std::fprintf(stderr, "shardlens: %s\n", issue.text().c_str());
  return issues.empty() ? kFine : exitCode(issues.front().code);
}

}  // namespace shardlens::cli
