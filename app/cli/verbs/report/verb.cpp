// SPDX-License-Identifier: Apache-2.0
// shardlens report RUN -o FILE: what a recorded run did, as one HTML page. Exit 0 when the page was written, however
// the job ended; 1 when parts of the recording are damaged; 2 when it is no recording.
#include "app/cli/verb.h"

#include "app/cli/load.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/report/report.h"

#include <cstdio>
#include <memory>
#include <string>

namespace shardlens::cli {
namespace {

struct ReportArgs {
  std::string recording;
  std::string output;
  bool force = false;
  bool quiet = false;
};

int deliver(const Report& report, const ReportArgs& options) {
  const std::string page = reportPage(report);
  int code = kFine;
  if (options.output == "-") {
    Output out;
    out.raw(page);
    code = out.finish();
  } else {
    if (auto written = writeFile(options.output, page); !written) return fail(written.error());
    (void)std::fprintf(stderr, "%s: written, %s\n", printable(options.output).c_str(),
                       byteSize(static_cast<double>(page.size())).c_str());
  }
  if (report.is_damaged) (void)std::fprintf(stderr, "%s\n", printable(report.note).c_str());
  return code == kFine && report.is_damaged ? static_cast<int>(kFindings) : code;
}

int run(const ReportArgs& options) {
  Progress progress(options.quiet);
  if (auto there = checkRecording(options.recording); !there) return fail(progress, there.error());
  if (auto free = checkNewFile(options.output, options.force); !free) return fail(progress, free.error());
  const auto report = makeReport(options.recording, progress.part(0, 1, 1));
  progress.clear();
  return report ? deliver(*report, options) : fail(report.error());
}

}  // namespace

void addReport(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ReportArgs>();
  Arguments verb(app, "report",
                 "Writes what a recorded run did as one HTML page: verdicts, time, proof, ranks, output");
  verb.add("RUN", options->recording, "recording: a folder or a packed file").required();
  verb.add("-o,--output", options->output, "the page's file; - for stdout").required();
  verb.addFlag("--force", options->force, "overwrite the file if it exists");
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
