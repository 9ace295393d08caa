// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/resume/report.h"

#include <string>
#include <vector>

namespace shardlens::cli {

/// What the verb resume answers.
struct ResumeAnswer {
  PipelineSpec spec;
  ResumePoint point;
  std::vector<JudgedWay> ways;
};

void writeResumeText(Output& out, const ResumeAnswer& answer);
std::string resumeJson(const ResumeAnswer& answer);

}  // namespace shardlens::cli
