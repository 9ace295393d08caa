// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/lens/report.h"

#include <string>

namespace shardlens::cli {

void writeLensText(Output& out, const LensReport& report);
std::string lensJson(const LensReport& report);

}  // namespace shardlens::cli
