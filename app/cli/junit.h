// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"

#include <string>
#include <vector>

namespace shardlens::cli {

/// One test case of a JUnit file. Texts are plain; what they hold can be no markup.
struct JunitCase {
  std::string name;
  std::string body;          ///< shown as its output, or as why it failed
  std::string failure = {};  ///< type of the failure; empty: it passed
  std::string message = {};  ///< of the failure, in one sentence
};

/// The cases as one test suite, for CI servers.
void writeJunit(Output& out, const std::string& suite, const std::vector<JunitCase>& cases);

}  // namespace shardlens::cli
