// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/page_file.h"

#include <span>

namespace shardlens {

/// The files of resources/film, scripts in the order in which the page needs them.
std::span<const PageFile> filmFiles();

}  // namespace shardlens
