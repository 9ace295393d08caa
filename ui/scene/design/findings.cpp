// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/findings.h"

#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>
#include <string_view>

namespace shardlens::ui {
namespace {

QString severityWord(const Finding& finding) {
  const std::string_view name = severityName(finding.severity);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

}  // namespace

QString findingCounts(const std::vector<Finding>& findings) {
  const auto count = [&](Severity severity) {
    return std::ranges::count_if(findings, [&](const Finding& one) { return one.severity == severity; });
  };
  QStringList parts;
  if (const auto errors = count(Severity::Error)) parts += countOf(errors, "error");
  if (const auto warnings = count(Severity::Warning)) parts += countOf(warnings, "warning");
  if (parts.isEmpty()) parts += phrase("design", "no problems");
  const auto proofs = std::ranges::count_if(findings, [](const Finding& one) { return one.is_proof; });
  const auto notes = count(Severity::Info) - proofs;
  if (notes > 0) parts += countOf(notes, "note");
  if (proofs > 0) parts += phrase("design", "%1 fine").arg(proofs);
  return parts.join(" · ");
}

QString findingsText(const std::vector<Finding>& findings) {
  QString out;
  for (const Finding& finding : findings) {
    out += severityWord(finding) + ": " + text(finding.title) + '\n' + text(finding.message) + '\n';
    if (finding.fix() != nullptr) out += phrase("design", "Fix: %1").arg(text(finding.fix()->label)) + '\n';
    out += '\n';
  }
  return out.trimmed() + '\n';
}

QString findingsCsv(const std::vector<Finding>& findings) {
  QString out = "severity,code,title,message\n";
  const auto quoted = [](const std::string& field) { return '"' + text(field).replace('"', "\"\"") + '"'; };
  for (const Finding& finding : findings) {
    out += severityWord(finding) + ',' + text(finding.code) + ',' + quoted(finding.title) + ',' +
           quoted(finding.message) + '\n';
  }
  return out;
}

Selected placeOf(const Finding& finding) {
  const Where& where = finding.where;
  Selected place;
  place.ranks.assign(where.example.begin(), where.example.end());
  if (where.epoch) place.epoch = *where.epoch;
  if (where.step) place.step = *where.step;
  if (!where.samples.empty()) place.sample = where.samples.front();
  if (where.seed) place.seed = *where.seed;
  place.finding = QString::fromStdString(finding.code);
  return place;
}

}  // namespace shardlens::ui
