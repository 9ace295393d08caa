// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"

#include <QString>

#include <vector>

namespace shardlens::ui {

/// What Launch will do, in words, before it is done.
struct LaunchFacts {
  struct Line {
    QString name;
    QString value;
    bool is_warning = false;
  };

  QString title;
  std::vector<Line> lines;
  QString button;    ///< what the button says that starts it: both numbers where there are more ranks than cores
  QString question;  ///< asked before that many ranks are started; empty where each has a core of its own
  QString problem;   ///< why it cannot be launched; empty when it can
  QString hint;      ///< what to do about that
};

LaunchFacts launchFacts(const PipelineSpec& spec, std::int64_t cores, const Result<void>& readiness);

}  // namespace shardlens::ui
