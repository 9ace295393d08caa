// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>

namespace shardlens::yaml {

/// `present`, a YAML or JSON text of somebody else, changed so that it says what `wanted` says: values of the same keys
/// are replaced, missing keys are added; other keys, comments and order stay. A list of scalars is replaced whole;
/// lists of maps are merged item by item, where they have as many, with the same names. Keys in `kept`
/// ("spec.runtimeRef.name", without the numbers of items) are added where they are missing and never replaced. What has
/// a class_path gets the keys into its init_args. The result was read again: it has all of `wanted`, and all that was
/// in `present` beside it. Fails where a text is not YAML, has a key twice, or where a map or a list of maps would be
/// thrown away.
Result<std::string> mergeTexts(std::string_view present, std::string_view wanted,
                               std::span<const std::string> kept = {});

}  // namespace shardlens::yaml
