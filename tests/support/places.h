// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shardlens::test {

/// The top folder of this checkout. A function and no macro, so that a compiler cache serves all checkouts of a
/// machine.
const std::string& sourceDir();

/// Where the programs of this build are.
const std::string& binDir();

/// Whether this build has AddressSanitizer: a plain program loads no library of such a build.
bool isSanitized();

}  // namespace shardlens::test
