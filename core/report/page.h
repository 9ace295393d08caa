// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/html.h"
#include "core/report/report.h"

#include <span>
#include <string>

namespace shardlens {

/// The report as one HTML page without scripts, that opens in any browser and asks no network for anything. It has
/// light and dark colours, as the reader's system has. Text that comes from the job can be no markup.
std::string reportPage(const Report& report);

/// The files of resources/report.
std::span<const PageFile> reportFiles();

}  // namespace shardlens
