// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/load.h"
#include "app/cli/output.h"
#include "core/audit/audit.h"

namespace shardlens::cli {

/// The verdict first, then what was recorded, each finding, and the counts; for people. Colours are ANSI sequences.
void writeAuditText(Output& out, const LoadedPlan& loaded, const AuditReport& report, bool colours);

/// The object that resources/schemas/audit.schema.json describes.
void writeAuditJson(Output& out, const LoadedPlan& loaded, const AuditReport& report);

/// One test case a finding, for CI servers; error-level findings are failures.
void writeAuditJunit(Output& out, const Plan& plan, const AuditReport& report);

}  // namespace shardlens::cli
