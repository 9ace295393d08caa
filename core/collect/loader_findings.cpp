// SPDX-License-Identifier: Apache-2.0
#include "core/collect/loader_findings.h"

#include "core/capture/capture.h"

#include <cstddef>

namespace shardlens {

std::vector<LoaderFinding> loaderFindings(const std::filesystem::path& recording, const Work& work) {
  const auto job = capture::readJob(recording, work);
  return job ? loaderFindings(*job, work) : std::vector<LoaderFinding>();
}

std::vector<LoaderFinding> loaderFindings(const capture::RecordedJob& job, const Work& work) {
  std::vector<LoaderFinding> found;
  capture::CaptureOptions options;
  options.search = false;  // rules and seeds are no findings
  for (std::size_t i = 0; i < job.loaders.size() && !work.stopped(); ++i) {
    const auto loader = capture::captured(job, i, options, work);
    if (!loader) continue;
    for (const capture::RunFinding& finding : loader->findings) found.push_back({job.loaders[i].name, finding.text});
  }
  return found;
}

}  // namespace shardlens
