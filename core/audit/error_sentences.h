// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/audit.h"

#include <string>
#include <vector>

namespace shardlens {

/// The errors of the audit, in a sentence or two each, for the head of an exported file.
std::vector<std::string> errorSentences(const AuditReport& report);

}  // namespace shardlens
