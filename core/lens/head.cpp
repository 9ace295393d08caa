// SPDX-License-Identifier: Apache-2.0
#include "core/lens/head.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/registry.h"
#include "core/spec/change.h"
#include "core/spec/field.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlens {
namespace {

/// A loss beyond this share of the design's samples is an error, not a tail that is dropped.
constexpr double kMuchLost = 0.25;
/// Below this share of the readings, repetition is not what the verdict is about.
constexpr double kFewRepeated = 0.1;
/// Counts up to this size fit into the head of a column in full.
constexpr std::int64_t kMostInFull = 99'999;
/// Values that are short enough to be named where a change is described.
constexpr std::size_t kShortValue = 24;
constexpr std::size_t kMostNamed = 2;

/// "67 %", "0.4 %"; no line breaks in it; never "0 %" and never "100 %" of a part.
std::string percentText(double share) {
  const double percent = share * 100;
  if (percent < 0.1) return "<\u202f0.1\u202f%";
  if (percent < 1)
    return "0." + std::to_string(std::clamp(static_cast<int>(std::lround(percent * 10)), 1, 9)) + "\u202f%";
  if (percent > 99 && percent < 100) return ">\u202f99\u202f%";
  return std::to_string(std::lround(percent)) + "\u202f%";
}

/// "26 of 250 samples", or their share where the numbers are long.
std::string partText(std::int64_t part, std::int64_t whole) {
  if (part == whole) {
    if (whole == 1) return worded("lens", "the only sample");
    return whole <= kMostInFull ? filled(worded("lens", "all %1"), wordedCount(whole, "sample"))
                                : worded("lens", "all samples");
  }
  if (whole <= kMostInFull) return filled(worded("lens", "%1 of %2"), grouped(part), wordedCount(whole, "sample"));
  return filled(worded("lens", "%1 of the samples"),
                percentText(static_cast<double>(part) / static_cast<double>(whole)));
}

/// Whether each epoch draws the order of the first one again.
bool repeatsOrder(const PipelineSpec& spec) {
  const sampling::SamplerRule* rule = sampling::findRule(spec.sampler.type);
  return spec.epochs > 1 && lenses::isShuffled(spec) &&
         rule->key(spec, Epoch{1}, Rank{0}) == rule->key(spec, Epoch{0}, Rank{0});
}

/// Hands out each sample once, but for padding and a tail shorter than a global batch, in as many steps on every rank,
/// none of them without samples, and each epoch anew.
bool isSound(const JudgedColumn& judged) {
  const PipelineSpec& spec = *judged.column.spec;
  const std::int64_t missing = spec.dataset.size - judged.distinct;
  const bool in_step = judged.batches > 0 && judged.fewest_steps == judged.steps;
  return in_step && judged.empty_batches == 0 && !repeatsOrder(spec) && judged.repeats == 0 &&
         missing < spec.loader.batch_size * spec.world.dataParallelSize();
}

LensHead differingHead(const JudgedColumn& judged) {
  const SampleComparison& samples = *judged.samples;
  const ReadingShares& shares = samples.shares;
  const BatchDifferences& differences = *judged.differences;
  if (const std::int64_t lost = samples.only_first; lost > 0) {
    const std::int64_t whole = judged.distinct - samples.only_second + lost;
    const bool much = static_cast<double>(lost) > kMuchLost * static_cast<double>(whole);
    return {much ? LensTone::Bad : LensTone::Warning, filled(worded("lens", "%1 lost"), partText(lost, whole))};
  }
  const std::int64_t of_first = shares.same + shares.moved + shares.fewer;
  if (static_cast<double>(shares.repeated) > kFewRepeated * static_cast<double>(of_first)) {
    return {LensTone::Warning, shares.repeated <= kMostInFull
                                   ? wordedCount(shares.repeated, "extra reading")
                                   : filled(worded("lens", "%1 extra readings"),
                                            percentText(static_cast<double>(shares.repeated) /
                                                        static_cast<double>(std::max<std::int64_t>(of_first, 1))))};
  }
  if (samples.only_second > 0)
    return {LensTone::Warning, filled(worded("lens", "%1 more"), wordedCount(samples.only_second, "sample"))};
  if (differences.differing() == differences.batches())
    return {LensTone::Warning, differences.batches() == 1 ? worded("lens", "The only batch differs")
                                                          : worded("lens", "All batches differ")};
  const double share = static_cast<double>(differences.differing()) / static_cast<double>(differences.batches());
  if (differences.batches() > kMostInFull) {
    return {LensTone::Warning, filled(worded("lens", "%1 of the batches differ"), percentText(share))};
  }
  return {LensTone::Warning, differingText(differences)};
}

LensHead errorHead(const Error& error) {
  if (error.code == ErrorCode::Environment) return {LensTone::Neutral, worded("lens", "Too large for this machine")};
  if (error.code == ErrorCode::Unsupported) return {LensTone::Neutral, worded("lens", "Not modelled")};
  return {LensTone::Bad, error.raised.empty() ? worded("lens", "Cannot be planned")
                                              : filled(worded("lens", "Raises %1"), error.raised)};
}

/// "drop_last: true"; the key alone where the value is long.
std::string settingText(const SpecChange::Part& part) {
  const std::string key = part.path.substr(part.path.find('.') + 1);
  const std::string value = valueText(*part.after);
  return value.size() > kShortValue ? key : key + ": " + value;
}

/// "sampler", "seeds": the sections of the file that change, each once.
std::vector<std::string> sectionsOf(const std::vector<SpecChange::Part>& parts) {
  std::vector<std::string> sections;
  for (const SpecChange::Part& part : parts) {
    std::string section = part.path.substr(0, part.path.find('.'));
    if (std::ranges::find(sections, section) == sections.end()) sections.push_back(std::move(section));
  }
  return sections;
}

std::string enumerated(std::vector<std::string> words) {
  if (words.size() < 2) return join(words, ", ");
  const std::string last = words.back();
  words.pop_back();
  return filled(worded("lens", "%1 and %2"), join(words, ", "), last);
}

}  // namespace

LensHead headOf(const JudgedColumn& judged) {
  if (judged.column.error) return errorHead(*judged.column.error);
  switch (judged.verdict) {
    case LensVerdict::Written:
      return {LensTone::Neutral, worded("lens", "Reference")};
    case LensVerdict::Same:
      return isSound(judged) ? LensHead{LensTone::Good, worded("lens", "Same order")}
                             : LensHead{LensTone::Neutral, worded("lens", "Same order as written")};
    case LensVerdict::Differs:
      return differingHead(judged);
    case LensVerdict::Uncompared:
      return {LensTone::Neutral, worded("lens", "No reference")};
    default:
      return {};
  }
}

std::string shareName(ShareKind kind) {
  switch (kind) {
    case ShareKind::Same:
      return worded("lens", "same");
    case ShareKind::Moved:
      return worded("lens", "moved");
    case ShareKind::Fewer:
      return worded("lens", "read less often");
    case ShareKind::Lost:
      return worded("lens", "lost");
    case ShareKind::Repeated:
      return worded("lens", "repeated");
    case ShareKind::Added:
      break;
  }
  return worded("lens", "added");
}

std::string shareMeaning(ShareKind kind) {
  switch (kind) {
    case ShareKind::Same:
      return worded("lens", "The same batch at the same rank and step.");
    case ShareKind::Moved:
      return worded("lens", "Read by both, but at another rank, step or place.");
    case ShareKind::Fewer:
      return worded("lens", "Read less often than the design reads it.");
    case ShareKind::Lost:
      return worded("lens", "Samples that the design reads and this framework never does.");
    case ShareKind::Repeated:
      return worded("lens", "Read more often than the design reads it.");
    case ShareKind::Added:
      break;
  }
  return worded("lens", "Samples that the design never reads.");
}

std::vector<LensShare> sharesOf(const JudgedColumn& judged) {
  std::vector<LensShare> out;
  if (!judged.samples) return out;
  const ReadingShares& shares = judged.samples->shares;
  const auto all = static_cast<double>(std::max<std::int64_t>(shares.sum(), 1));
  for (const auto& [kind, readings] : {std::pair(ShareKind::Same, shares.same),
                                       {ShareKind::Moved, shares.moved},
                                       {ShareKind::Fewer, shares.fewer},
                                       {ShareKind::Lost, shares.lost},
                                       {ShareKind::Repeated, shares.repeated},
                                       {ShareKind::Added, shares.added}}) {
    if (readings > 0) out.push_back({kind, readings, static_cast<double>(readings) / all});
  }
  return out;
}

std::string sharesText(const JudgedColumn& judged) {
  std::vector<std::string> parts;
  for (const LensShare& share : sharesOf(judged)) {
    parts.push_back(std::string(shareName(share.kind)) + "\u00a0" + percentText(share.share));
  }
  return join(parts, " · ");
}

std::string readText(const JudgedColumn& judged) {
  if (!judged.hasOrder()) return {};
  std::string text =
      filled(worded("lens", "%1 in %2"), wordedCount(judged.distinct, "sample"), wordedCount(judged.batches, "batch"));
  if (judged.repeats == 0) return text;
  return judged.repeats == 1 ? filled(worded("lens", "%1, 1 repeat"), text)
                             : filled(worded("lens", "%1, %2 repeats"), text, grouped(judged.repeats));
}

std::string changeText(const PipelineSpec& design, const LensColumn& column) {
  if (!column.spec) return {};
  const SpecChange change = SpecChange::between(design, *column.spec);
  const std::vector<SpecChange::Part>& parts = change.parts();
  if (parts.empty()) return worded("lens", "nothing changes");
  const bool only_set = std::ranges::all_of(
      parts, [](const SpecChange::Part& part) { return part.after && part.path != "sampler.type"; });
  if (!only_set || parts.size() > kMostNamed) {
    return filled(worded("lens", "changes %1"), enumerated(sectionsOf(parts)));
  }
  std::vector<std::string> settings;
  settings.reserve(parts.size());
  for (const SpecChange::Part& part : parts) settings.push_back(settingText(part));
  return filled(worded("lens", "sets %1"), enumerated(settings));
}

std::string costText(const JudgedColumn& judged, const JudgedColumn& first) {
  if (!judged.samples) return {};
  std::vector<std::string> parts;
  if (const std::int64_t lost = judged.samples->only_first; lost > 0)
    parts.push_back(filled(worded("lens", "loses %1"), wordedCount(lost, "sample")));
  if (const std::int64_t repeated = judged.samples->shares.repeated; repeated > 0) {
    parts.push_back(filled(worded("lens", "adds %1"), wordedCount(repeated, "extra reading")));
  }
  if (const std::int64_t more = judged.samples->only_second; more > 0)
    parts.push_back(filled(worded("lens", "reads %1 more"), wordedCount(more, "sample")));
  if (parts.empty()) parts.push_back(worded("lens", "no sample is lost or read more often"));
  if (judged.steps != first.steps)
    parts.push_back(
        filled(worded("lens", "%1 instead of %2"), wordedCount(judged.steps, "step"), grouped(first.steps)));
  return join(parts, worded("lens", ", "));
}

bool costsSamples(const JudgedColumn& judged) {
  return judged.samples && (judged.samples->only_first > 0 || judged.samples->shares.repeated > 0);
}

}  // namespace shardlens
