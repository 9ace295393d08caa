// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/page_file.h"

#include <span>

namespace shardlens {

/// The files of resources/report.
std::span<const PageFile> reportFiles();

}  // namespace shardlens
