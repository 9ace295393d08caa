// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/audit/report.h"

#include <string>
#include <string_view>

namespace shardlens::cli {
namespace {

/// Text as it may stand in an XML 1.0 attribute or element; characters that XML cannot carry become blanks.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string bodyOf(const Finding& finding) {
  std::string body = finding.message + " " + finding.why;
  for (const Fix& fix : finding.fixes) {
    body += (&fix == finding.fix() ? " Fix: " : " Or: ") + fix.label + ".";
    if (!fix.price.empty()) body += " Price: " + fix.price + ".";
  }
  return escaped(body);
}

void writeCase(Output& out, const std::string& suite, const Finding& finding) {
  out << "    <testcase classname=\"" << suite << "\" name=\"" << escaped(finding.code) << "\">\n";
  if (finding.severity == Severity::Error) {
    out << "      <failure type=\"" << escaped(finding.code) << "\" message=\"" << escaped(finding.title) << "\">"
        << bodyOf(finding) << "</failure>\n";
  } else {
    out << "      <system-out>" << severityName(finding.severity) << ": " << escaped(finding.title) << ". "
        << bodyOf(finding) << "</system-out>\n";
  }
  out << "    </testcase>\n";
}

}  // namespace

void writeAuditJunit(Output& out, const Plan& plan, const AuditReport& report) {
  const std::string suite = "shardlens.audit." + escaped(plan.spec().name);
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
