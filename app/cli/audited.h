// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/load.h"
#include "app/cli/progress.h"
#include "core/audit/audit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace shardlens::cli {

/// What verbs that judge a plan are told.
struct AuditedOptions {
  std::string spec;
  std::string loader;
  bool quiet = false;
  std::int64_t first_epoch = 0;
  std::optional<std::int64_t> epochs;
  bool counts_suffice = false;  ///< also a design whose order nobody can predict is audited, as far as that goes
};

/// SPEC, --loader, --epochs and --first-epoch.
void addAudited(Arguments& verb, AuditedOptions& options);

/// A plan and its audit.
struct Audited {
  LoadedPlan loaded;
  AuditReport report;
};

/// Loads the plan that is to be judged, and audits it; or everything that is wrong with it.
std::variant<Audited, Issues> auditedPlan(const AuditedOptions& options, Progress& progress);

}  // namespace shardlens::cli
