// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/selftest/vectors.h"
#include "tests/support/places.h"

#include <doctest/doctest.h>

namespace shardlens::test {

/// What comes of replaying tests/vectors, once for all cases of a process: it is what takes their time.
inline const selftest::Summary& recordedRows() {
  static const auto rows = selftest::replayFolder(sourceDir() + "/tests/vectors");
  REQUIRE(rows);
  return *rows;
}

}  // namespace shardlens::test
