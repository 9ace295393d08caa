// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/audit/report.h"
#include "core/base/html.h"

#include <string>

namespace shardlens::cli {
namespace {

std::string bodyOf(const Finding& finding) {
  std::string body = finding.message + " " + finding.why;
  for (const Fix& fix : finding.fixes) {
    body += (&fix == finding.fix() ? " Fix: " : " Or: ") + fix.label + ".";
    if (!fix.price.empty()) body += " Effect: " + fix.price + ".";
  }
  return htmlText(body);
}

void writeCase(Output& out, const std::string& suite, const Finding& finding) {
  out << "    <testcase classname=\"" << suite << "\" name=\"" << htmlText(finding.code) << "\">\n";
  if (finding.severity == Severity::Error) {
    out << "      <failure type=\"" << htmlText(finding.code) << "\" message=\"" << htmlText(finding.title) << "\">"
        << bodyOf(finding) << "</failure>\n";
  } else {
    out << "      <system-out>" << severityName(finding.severity) << ": " << htmlText(finding.title) << ". "
        << bodyOf(finding) << "</system-out>\n";
  }
  out << "    </testcase>\n";
}

}  // namespace

void writeAuditJunit(Output& out, const Plan& plan, const AuditReport& report) {
  const std::string suite = "shardlens.audit." + htmlText(plan.spec().name);
  const auto counts = [&](Output& to) -> Output& {
    return to << "tests=\"" << static_cast<std::int64_t>(report.findings.size()) << "\" failures=\""
              << report.count(Severity::Error) << "\" errors=\"0\"";
  };
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ";
  counts(out) << ">\n  <testsuite name=\"" << suite << "\" ";
  counts(out) << " skipped=\"0\">\n";
  for (const Finding& finding : report.findings) writeCase(out, suite, finding);
  out << "  </testsuite>\n</testsuites>\n";
}

}  // namespace shardlens::cli
