// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/launch_facts.h"

#include "core/base/text.h"
#include "core/launch/launchers/launcher.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <string>

namespace shardlens::ui {
namespace {

QString milliseconds(double ms) {
  return phrase("run", "%1\u202fms").arg(ms);
}

/// What the launcher really starts in place of run.program; that one where the launcher cannot start it.
QString programOf(const PipelineSpec& spec) {
  const auto kind = launcherKind(spec.run.launcher);
  const auto own = kind ? ownProgram(**kind, spec.run.program) : Result<std::string>(kind.error());
  return QString::fromStdString(own ? *own : spec.run.program);
}

LaunchFacts::Line ranksLine(const PipelineSpec& spec) {
  QString value = QString("%1 × %2").arg(number(spec.worldSize()), programOf(spec));
  if (spec.world.nodes > 1) {
    const QString nodes = countOf(spec.world.nodes, "node");
    const auto every = spec.world.ranks_per_node.ofEveryNode();
    value = every ? phrase("run", "%1 · %2 × %3, all on this machine").arg(value, nodes, number(*every))
                  : phrase("run", "%1 · %2 (%3), all on this machine").arg(value, nodes, text(spec.world.text()));
  }
  return {phrase("run", "ranks"), value};
}

LaunchFacts::Line coresLine(const PipelineSpec& spec, std::int64_t cores) {
  const bool crowded = spec.worldSize() > cores;
  const QString value = crowded ? phrase("run", "%1 for %2: waits will include CPU scheduling")
                                      .arg(countOf(cores, "core"), countOf(spec.worldSize(), "rank"))
                                : phrase("run", "%1, at least one per rank").arg(countOf(cores, "core"));
  return {phrase("run", "this machine"), value, crowded};
}

/// "rank 2, 60 ms more loading in every step", "... in steps 20 to 39", "... from step 20 on".
QString delayText(const PipelineSpec::Run::Delay& delay) {
  QString steps = phrase("run", "in every step");
  if (delay.until_step > 0) {
    steps = phrase("run", "in steps %1 to %2").arg(number(delay.from_step), number(delay.until_step - 1));
  } else if (delay.from_step > 0) {
    steps = phrase("run", "from step %1").arg(number(delay.from_step));
  }
  return (delay.phase == "load" ? phrase("run", "rank %1, %2 more loading %3")
                                : phrase("run", "rank %1, %2 more computing %3"))
      .arg(number(delay.rank), milliseconds(delay.ms), steps);
}

LaunchFacts::Line delayLine(const PipelineSpec& spec) {
  const auto& delays = spec.run.delays;
  if (delays.empty()) return {phrase("run", "slowed ranks"), phrase("run", "none")};
  if (delays.size() == 1) return {phrase("run", "slowed rank"), delayText(delays.front())};
  std::vector<std::int64_t> ranks;
  ranks.reserve(delays.size());
  for (const auto& delay : delays) ranks.push_back(delay.rank);
  return {phrase("run", "slowed ranks"), QString::fromStdString(listed(ranks)) + QStringLiteral(" (run.delays)")};
}

}  // namespace

LaunchFacts launchFacts(const PipelineSpec& spec, std::int64_t cores, const Result<void>& readiness) {
  LaunchFacts facts;
  const QString ranks = countOf(spec.worldSize(), "rank");
  facts.title = phrase("run", "Launch starts a stand-in job with %1").arg(ranks);
  facts.button = phrase("run", "Launch a stand-in");
  if (spec.worldSize() > cores) {
    facts.button = phrase("run", "Start %1 on %2").arg(ranks, countOf(cores, "core"));
    facts.question = phrase("run", "%1 would share %2 and slow down whatever else runs here. Start them all the same?")
                         .arg(ranks, countOf(cores, "core"));
  }
  facts.lines = {
      ranksLine(spec),
      coresLine(spec, cores),
      {phrase("run", "each step"),
       phrase("run", "load %1 · compute %2 · all_reduce of %3")
           .arg(milliseconds(spec.run.load_ms), milliseconds(spec.run.compute_ms),
                QString::fromStdString(byteSize(static_cast<double>(spec.run.gradient_kb) * 1000)))},
      delayLine(spec),
      {phrase("run", "what it proves"),
       phrase("run", "whether batches arrive in the planned order; your script does not run")},
  };
  if (!readiness) {
    facts.problem = QString::fromStdString(readiness.error().message);
    facts.hint = QString::fromStdString(readiness.error().hint);
  }
  return facts;
}

}  // namespace shardlens::ui
