// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/start/example_facts.h"

#include "core/audit/audit.h"
#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"
#include "core/yaml/spec_file.h"
#include "ui/state/phrase.h"

#include <string>

namespace shardlens::ui {
std::optional<ExampleFacts> exampleFacts(const QString& path, QSize picture, bool dark, qreal ratio, const Work& work) {
  const yaml::SpecFile file = yaml::readSpecFile(path.toStdString(), sampling::catalogue());
  if (!file.read.issues.empty()) return std::nullopt;
  const auto plan = Plan::make(file.read.spec);
  if (!plan) return std::nullopt;
  auto drawn = planPicture(*plan, picture, dark, ratio, work);
  const auto report = audit(*plan, {.fixes = false, .later_epochs = false}, work);
  if (!drawn || !report) return std::nullopt;
  ExampleFacts facts;
  facts.picture = *std::move(drawn);
  const std::string framework(sampling::frameworkTitle(sampling::frameworkOf(file.read.spec.sampler.type)));
  facts.framework = QString::fromStdString(worded("samplers", framework.c_str()));
  if (report->hasErrors()) {
    facts.tone = Tone::Error;
  } else if (report->count(Severity::Warning) > 0) {
    facts.tone = Tone::Warning;
  }
  facts.verdict = facts.tone == Tone::Error     ? phrase("start", "Error")
                  : facts.tone == Tone::Warning ? phrase("start", "Warning")
                                                : phrase("start", "No problem");
  return facts;
}

}  // namespace shardlens::ui
