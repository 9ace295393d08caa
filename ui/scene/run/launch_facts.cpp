// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/launch_facts.h"

#include "core/base/text.h"
#include "ui/scene/number_text.h"

namespace shardlens::ui {
namespace {

QString milliseconds(double ms) {
  return QString("%1\u202fms").arg(ms);
}

LaunchFacts::Line ranksLine(const PipelineSpec& spec) {
  const QString program = QString::fromStdString(spec.run.program);
  QString value = QString("%1 × %2").arg(number(spec.worldSize()), program);
  if (spec.world.nodes > 1) {
    value += QString(" · %1 × %2, all on this machine")
                 .arg(countOf(spec.world.nodes, "node"), number(spec.world.ranks_per_node));
  }
  return {"ranks", value};
}

LaunchFacts::Line coresLine(const PipelineSpec& spec, std::int64_t cores) {
  const bool crowded = spec.worldSize() > cores;
  const QString value = crowded ? QString("%1 for %2: waits will include CPU scheduling")
                                      .arg(countOf(cores, "core"), countOf(spec.worldSize(), "rank"))
                                : QString("%1, at least one per rank").arg(countOf(cores, "core"));
  return {"this machine", value, crowded};
}

/// "rank 2, 60 ms more loading in every step", "... in steps 20 to 39", "... from step 20 on".
QString delayText(const PipelineSpec::Run::Delay& delay) {
  QString steps = "in every step";
  if (delay.until_step > 0) {
    steps = QString("in steps %1 to %2").arg(number(delay.from_step), number(delay.until_step - 1));
  } else if (delay.from_step > 0) {
    steps = QString("from step %1").arg(number(delay.from_step));
  }
  const QString phase = delay.phase == "load" ? "loading" : "computing";
  return QString("rank %1, %2 more %3 %4").arg(number(delay.rank), milliseconds(delay.ms), phase, steps);
}

LaunchFacts::Line delayLine(const PipelineSpec& spec) {
  const auto& delays = spec.run.delays;
  if (delays.empty()) return {"slowed ranks", "none"};
  if (delays.size() == 1) return {"slowed rank", delayText(delays.front())};
  std::vector<std::int64_t> ranks;
  ranks.reserve(delays.size());
  for (const auto& delay : delays) ranks.push_back(delay.rank);
  return {"slowed ranks", QString::fromStdString(ranges(ranks)) + " (run.delays)"};
}

}  // namespace

LaunchFacts launchFacts(const PipelineSpec& spec, std::int64_t cores, const Result<void>& readiness) {
  LaunchFacts facts;
  const QString ranks = countOf(spec.worldSize(), "rank");
  facts.title = QString("Launch starts a stand-in job with %1").arg(ranks);
  facts.lines = {
      ranksLine(spec),
      coresLine(spec, cores),
      {"each step", QString("load %1 · compute %2 · all_reduce of %3")
                        .arg(milliseconds(spec.run.load_ms), milliseconds(spec.run.compute_ms),
                             QString::fromStdString(byteSize(static_cast<double>(spec.run.gradient_kb) * 1000)))},
      delayLine(spec),
      {"what it proves", "whether batches arrive in the planned order; your script does not run"},
  };
  if (!readiness) {
    facts.problem = QString::fromStdString(readiness.error().message);
    facts.hint = QString::fromStdString(readiness.error().hint);
  }
  return facts;
}

}  // namespace shardlens::ui
