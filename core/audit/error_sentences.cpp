// SPDX-License-Identifier: Apache-2.0
#include "core/audit/audit.h"

namespace shardlens {

std::vector<std::string> errorSentences(const AuditReport& report) {
  std::vector<std::string> sentences;
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::Error) sentences.push_back(finding.title + ". " + finding.message);
  }
  return sentences;
}

}  // namespace shardlens
