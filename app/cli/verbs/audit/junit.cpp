// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"
#include "app/cli/verbs/audit/report.h"

#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

std::string bodyOf(const Finding& finding) {
  std::string body = finding.message + " " + finding.why;
  for (const Fix& fix : finding.fixes) {
    body += (&fix == finding.fix() ? " Fix: " : " Or: ") + fix.label + ".";
    if (!fix.price.empty()) body += " Effect: " + fix.price + ".";
  }
  return body;
}

}  // namespace

void writeAuditJunit(Output& out, const Plan& plan, const AuditReport& report) {
  std::vector<JunitCase> cases;
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::Error) {
      cases.push_back({finding.code, bodyOf(finding), finding.code, finding.title});
    } else {
      cases.push_back(
          {finding.code, std::string(severityName(finding.severity)) + ": " + finding.title + ". " + bodyOf(finding)});
    }
  }
  writeJunit(out, "shardlens.audit." + plan.spec().name, cases);
}

}  // namespace shardlens::cli
