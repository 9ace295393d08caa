// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/lens/lanes.h"

#include "core/sampling/registry.h"
#include "core/spec/validate.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

/// Duplicates, and samples that other columns lack, are looked for in epochs of up to so many samples: some tenths of a
/// second a column.
constexpr qint64 kMostSamplesWithFacts = 10'000'000;

QString text(const std::string& utf8) {
  return QString::fromStdString(utf8);
}

void say(LensLane& lane, Tone tone, const QString& verdict) {
  lane.tone = tone;
  lane.verdict = verdict;
}

/// "Raises TypeError in trainer.fit(), before the first batch", or that nobody can know.
void sayError(LensLane& lane) {
  const Error& error = *lane.column.error;
  if (error.code == ErrorCode::Unsupported) return say(lane, Tone::Note, QStringLiteral("No order can be told"));
  const QString what = error.raised.empty() ? QStringLiteral("Cannot be planned") : "Raises " + text(error.raised);
  say(lane, Tone::Error, lane.column.when.empty() ? what : what + " " + text(lane.column.when));
}

/// "The same samples in another order", where it was looked for.
QString relationOf(const LensLane& lane) {
  if (!lane.samples) return {};
  const QString relation = text(comparisonText(*lane.samples, false));
  return relation.left(1).toUpper() + relation.mid(1) + QStringLiteral(". ");
}

void sayDifference(LensLane& lane) {
  const StageDifferences& differences = *lane.stage.differences;
  if (differences.differing() == 0) return say(lane, Tone::Fine, QStringLiteral("The same order, batch for batch"));
  const QString how_many = differences.differing() == differences.batches()
                               ? QStringLiteral("All %1 differ").arg(countOf(differences.batches(), "batch"))
                               : QStringLiteral("%1 of %2 differ")
                                     .arg(number(differences.differing()), countOf(differences.batches(), "batch"));
  say(lane, Tone::Warning, relationOf(lane) + how_many);
  const CellAddress first = *differences.first();
  lane.detail = QStringLiteral("First at rank %1, step %2").arg(number(first.rank), number(first.step));
}

/// A spec with problems has one column that says so.
std::vector<LensColumn> columnsOf(const PipelineSpec& spec) {
  const Issues issues = validate(spec, sampling::catalogue());
  if (issues.empty()) return lensColumns(spec);
  LensColumn column;
  column.id = "as-written";
  column.title = "As written";
  column.sampler = spec.sampler.type;
  column.makes = "The design has a problem.";
  column.error = issues.front();
  return {std::move(column)};
}

/// Computes the column's epoch; an error of its plan becomes the column's. False when stopped.
bool draw(LensLane& lane, Epoch epoch, quint64 generation, const Work& work) {
  auto plan = Plan::make(*lane.column.spec);
  if (!plan) {
    lane.column.error = plan.error();
    return true;
  }
  auto drawn = plan->epoch(Epoch{std::min(epoch.value, plan->epochs() - 1)}, work);
  if (!drawn) {
    if (drawn.error().code == ErrorCode::Cancelled) return false;
    lane.column.error = drawn.error();
    return true;
  }
  lane.stage = stageInput(generation, plan->spec(), std::make_shared<const EpochPlan>(*std::move(drawn)));
  if (plan->spec().dataset.size > kMostSamplesWithFacts) return true;
  lane.facts = EpochFacts::compute(*lane.stage.epoch, lane.stage.dataset_size, work.part(0.5, 1));
  return lane.facts != nullptr;
}

/// None for epochs too long to look through, and when stopped.
std::optional<SampleContent> samplesOf(const LensLane& lane, const Work& work) {
  if (lane.stage.isEmpty() || lane.stage.dataset_size > kMostSamplesWithFacts) return std::nullopt;
  auto content = SampleContent::of(*lane.stage.epoch, Work{work.stop, {}});
  return content ? std::optional(*std::move(content)) : std::nullopt;
}

/// `written`: the first column's samples; none for epochs too long to look through.
bool compare(LensLane& lane, const LensLane& first, const std::optional<SampleContent>& written, const Work& work) {
  if (lane.stage.isEmpty() || first.stage.isEmpty()) return true;
  lane.stage.differences = StageDifferences::compute(*lane.stage.epoch, *first.stage.epoch, work);
  if (lane.stage.differences == nullptr) return false;
  if (!written) return true;
  const auto samples = SampleContent::of(*lane.stage.epoch, work);
  if (samples) lane.samples = compareSamples(*written, *samples);
  return samples.has_value();
}

void judge(LensLane& lane, bool is_first) {
  if (lane.column.error) return sayError(lane);
  if (lane.stage.isEmpty()) return;
  if (is_first) return say(lane, Tone::Note, QStringLiteral("What the others are compared with"));
  if (lane.stage.differences) return sayDifference(lane);
  say(lane, Tone::Note, countOf(lane.stage.steps, "step"));
}

}  // namespace

std::optional<std::vector<LensLane>> lensLanes(const PipelineSpec& spec, Epoch epoch, quint64 generation,
                                               const std::function<bool(const std::string& id)>& wanted,
                                               const Work& work) {
  std::vector<LensLane> lanes;
  for (LensColumn& column : columnsOf(spec)) lanes.emplace_back().column = std::move(column);
  std::optional<SampleContent> written;
  const auto all = static_cast<double>(std::max<std::size_t>(lanes.size(), 1));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const Work part = work.part(static_cast<double>(i) / all, static_cast<double>(i + 1) / all);
    const bool drawn = lanes[i].column.spec && !lanes[i].column.error && (i == 0 || wanted(lanes[i].column.id));
    if (drawn && !draw(lanes[i], epoch, generation, part.part(0, 0.6))) return std::nullopt;
    if (i > 0 && !compare(lanes[i], lanes[0], written, part.part(0.6, 1))) return std::nullopt;
    if (i == 0) written = samplesOf(lanes[0], work);
    judge(lanes[i], i == 0);
    if (work.stopped()) return std::nullopt;
  }
  return lanes;
}

QString lensSummary(const std::vector<LensLane>& lanes) {
  const auto count = [&](Tone tone) {
    return std::count_if(lanes.begin(), lanes.end(), [&](const LensLane& lane) { return lane.tone == tone; });
  };
  QStringList parts;
  if (const auto raising = count(Tone::Error)) parts << QStringLiteral("%1 cannot run").arg(raising);
  if (const auto other = count(Tone::Warning)) parts << QStringLiteral("%1 deal other batches").arg(other);
  if (const auto same = count(Tone::Fine)) parts << QStringLiteral("%1 the same").arg(same);
  return parts.join(QStringLiteral(" · "));
}

bool isShownAtFirst(const std::string& id) {
  return id == "as-written" || id.starts_with("lightning") || id.starts_with("accelerate") || id == "transformers";
}

}  // namespace shardlens::ui
