// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include "app/cli/verbs/check/report.h"
#include "app/cli/wrapped_text.h"

#include <string>

namespace shardlens::cli {
namespace {

constexpr std::size_t kLineIndent = 11;

void writeLine(Output& out, const CheckLine& line) {
  std::string word = line.state == BudgetState::Kept     ? "kept"
                     : line.state == BudgetState::Broken ? "broken"
                                                         : "not known";
  word.resize(kLineIndent, ' ');
  out << word << line.title << "  [" << line.code << "]\n";
  writeWrapped(out, line.message, kLineIndent);
  if (!line.fix.empty()) writeWrapped(out, "Fix: " + line.fix, kLineIndent);
}

}  // namespace

void writeCheckText(Output& out, const CheckReport& report) {
  std::int64_t failing = 0;
  for (const BudgetState state : {BudgetState::Broken, BudgetState::NotKnown, BudgetState::Kept}) {
    for (const CheckLine& line : report.lines) {
      if (line.state != state) continue;
      writeLine(out, line);
      failing += state == BudgetState::Kept ? 0 : 1;
    }
  }
  const std::string epochs = report.counted == report.planned
                                 ? counted(report.planned, "epoch")
                                 : grouped(report.counted) + " of " + counted(report.planned, "epoch");
  out << (report.lines.empty() ? "" : "\n") << report.name << ": "
      << (failing > 0 ? counted(failing, "check") + " failed" : std::string("passed")) << ", " << epochs
      << " counted\n";
}

}  // namespace shardlens::cli
