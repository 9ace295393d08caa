// SPDX-License-Identifier: Apache-2.0
// shardlens selftest --vectors DIR [--format text|json]: is the engine exact?
#include "app/cli/verb.h"

#include "core/selftest/vectors.h"

#include <memory>
#include <string>

namespace shardlens::cli {
namespace {

struct SelftestArgs {
  std::string vectors;
  std::string format = "text";
};

int run(const SelftestArgs& options) {
  const auto summary = selftest::replayFolder(options.vectors);
  if (!summary) return fail(summary.error());
  const auto out = std::make_unique<Output>();
  *out << (options.format == "json" ? selftest::jsonReport(*summary) : selftest::textReport(*summary));
  const int written = out->finish();
  if (written != kFine) return written;
  return summary->total.failed > 0 ? kFindings : kFine;
}

}  // namespace

void addSelftest(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<SelftestArgs>();
  Arguments verb(app, "selftest", "Checks the engine against recorded outputs of the real frameworks");
  verb.add("--vectors", options->vectors, "folder of reference files, *.jsonl").required();
  verb.addFormat(options->format);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
