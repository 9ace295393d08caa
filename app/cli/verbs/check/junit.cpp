// SPDX-License-Identifier: Apache-2.0
#include "app/cli/junit.h"

#include "app/cli/verbs/check/report.h"

#include <string>
#include <vector>

namespace shardlens::cli {

void writeCheckJunit(Output& out, const CheckReport& report) {
  std::vector<JunitCase> cases;
  for (const CheckLine& line : report.lines) {
    const bool is_kept = line.state == BudgetState::Kept;
    cases.push_back({line.code + ": " + line.title, line.message + (line.fix.empty() ? "" : " Fix: " + line.fix + "."),
                     is_kept ? "" : line.code, line.message});
  }
  writeJunit(out, "shardlens.check." + report.name, cases);
}

}  // namespace shardlens::cli
