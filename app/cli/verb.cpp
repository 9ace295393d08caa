// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

#include "core/base/printable.h"

#include <cstdio>

namespace shardlens::cli {

int fail(const Error& error) {
  std::fprintf(stderr, "shardlens: %s\n", printable(error.text()).c_str());
  return exitCode(error.code);
}

int fail(const Issues& issues) {
  for (const Error& issue : issues) (void)fail(issue);
  return issues.empty() ? kFine : exitCode(issues.front().code);
}

}  // namespace shardlens::cli
