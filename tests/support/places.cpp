// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"

namespace shardlens::test {

const std::string& sourceDir() {
  static const std::string folder = SHARDLENS_SOURCE_DIR;
  return folder;
}

const std::string& binDir() {
  static const std::string folder = SHARDLENS_BIN_DIR;
  return folder;
}

bool isSanitized() {
  return SHARDLENS_IS_SANITIZED;
}

}  // namespace shardlens::test
