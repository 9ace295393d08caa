// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/sampler_list.h"

#include "core/base/phrase.h"
#include "core/plan/plan.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"
#include "core/sampling/starter.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QString>

#include <algorithm>
#include <map>
#include <set>

namespace shardlens::ui {
namespace {

/// Whether an order is the dataset as it lies on disk.
bool isInOrder(const Order& order) {
  for (std::int64_t place = 0; place < order.size(); ++place) {
    if (order[place] != place) return false;
  }
  return true;
}

bool haveCommonSamples(const RankEpoch& first, const RankEpoch& second) {
  std::set<SampleIndex> samples;
  for (std::int64_t item = 0; item < first.size(); ++item) samples.insert(first.sample(item));
  for (std::int64_t item = 0; item < second.size(); ++item) {
    if (!second.slice().isAdded(item) && samples.contains(second.sample(item))) return true;
  }
  return false;
}

/// Both ranks read the same order, each its own places of it or both the same.
QString ofOneOrder(const Slice& first, const Slice& second) {
  const bool in_order = isInOrder(*first.order());
  if (first.geometry() == second.geometry()) {
    return in_order ? phrase("design", "Both ranks read the dataset in its own order.")
                    : phrase("design", "Both ranks read one and the same order.");
  }
  const std::int64_t apart = second.first() - first.first();
  const bool by_turns = first.stride() == 2 * first.block() && apart == first.block();
  if (by_turns && first.block() == 1) {
    return in_order ? phrase("design",
                             "From the dataset in its own order, rank 0 takes the 1st, 3rd, 5th… sample and rank 1 "
                             "the 2nd, 4th, 6th…")
                    : phrase("design",
                             "From one order for all ranks, rank 0 takes the 1st, 3rd, 5th… sample and rank 1 the "
                             "2nd, 4th, 6th…");
  }
  if (by_turns) {
    const QString turn = countOf(first.block(), "sample");
    return in_order ? phrase("design", "From the dataset in its own order, the ranks take %1 in turn.").arg(turn)
                    : phrase("design", "From one order for all ranks, the ranks take %1 in turn.").arg(turn);
  }
  if (first.stride() == first.block() && apart >= first.size()) {
    return in_order ? phrase("design", "The dataset is cut in two: rank 0 reads its first part, rank 1 the second.")
                    : phrase("design", "One order is cut in two: rank 0 reads its first part, rank 1 the second.");
  }
  return phrase("design", "Each rank reads its own places of one order.");
}

/// How the samples of an epoch come to two ranks, in one sentence that is read off this very plan: by strides of one
/// order, by parts of it, by turns, from orders of their own, or as the sampler itself divides them. Empty for another
/// number of ranks, and where a rank gets nothing.
QString howItDeals(const EpochPlan& epoch) {
  if (epoch.ranks.size() != 2) return {};
  const RankEpoch& first = epoch.ranks[0];
  const RankEpoch& second = epoch.ranks[1];
  const Slice& of_first = first.slice();
  const Slice& of_second = second.slice();
  if (first.size() == 0 || second.size() == 0 || of_first.order() == nullptr) return {};
  const bool shares = haveCommonSamples(first, second);
  if (of_first.order() != of_second.order()) {
    return shares ? phrase("design", "Each rank draws an order of its own, and the two have samples in common.")
                  : phrase("design", "Each rank draws an order of its own, and no sample is in both.");
  }
  if (of_first.order()->deal() == nullptr) return ofOneOrder(of_first, of_second);
  return shares ? phrase("design", "The sampler puts the samples of each rank together; some go to both.")
                : phrase("design", "The sampler puts the samples of each rank together; none goes to both.");
}

QString titleOf(const std::string& type) {
  const std::string title(sampling::frameworkTitle(sampling::frameworkOf(type)));
  return text(worded("samplers", title.c_str()));
}

std::vector<SamplerTag> tagsOf(const std::string& type) {
  const sampling::SamplerRule* rule = sampling::findRule(type);
  if (rule == nullptr) return {};
  const sampling::SamplerFacts facts = sampling::factsOf(*rule);
  std::vector<SamplerTag> tags;
  for (const std::string& need : facts.needs)
    tags.push_back({SamplerTagKind::Need, phrase("design", "needs %1").arg(text(worded("samplers", need.c_str())))});
  if (facts.evaluates) tags.push_back({SamplerTagKind::Evaluation, phrase("design", "evaluation")});
  const auto ranks = facts.divides ? SamplerTagKind::Divides : SamplerTagKind::Everywhere;
  tags.push_back(
      {ranks, facts.divides ? phrase("design", "divides among ranks") : phrase("design", "all on every rank")});
  return tags;
}

SamplerRow rowOf(const SamplerInfo& info) {
  SamplerRow row;
  row.type = info.type;
  row.name = text(sampling::samplerName(info.type)).section('.', -1);
  row.framework = titleOf(info.type);
  row.summary = text(worded("samplers", info.summary.c_str()));
  row.tags = tagsOf(info.type);
  QStringList words = {text(info.type), row.framework, row.summary, text(info.summary)};
  for (const SamplerTag& tag : row.tags) words << tag.text;
  row.searched = words.join(' ').toLower();
  return row;
}

int frameworkPlace(const SamplerRow& row) {
  int place = 0;
  for (const sampling::FrameworkTitle& title : sampling::frameworkTitles()) {
    if (title.framework == sampling::frameworkOf(row.type)) return place;
    ++place;
  }
  return place;
}

bool hasWords(const QString& text, const QString& words) {
  const QStringList all = words.toLower().split(' ', Qt::SkipEmptyParts);
  return std::ranges::all_of(all, [&](const QString& word) { return text.contains(word); });
}

/// By sample: how often each rank reads it, without what only fills up.
struct Readings {
  std::map<SampleIndex, std::map<qint64, qint64>> by_rank;
  qint64 padded = 0;
};

Readings readingsOf(const EpochPlan& epoch) {
  Readings readings;
  for (const RankEpoch& rank : epoch.ranks) {
    for (qint64 step = 0; step < rank.batches(); ++step) {
      const RankEpoch::Range batch = rank.batch(Step{step});
      for (qint64 k = batch.first; k < batch.first + batch.size(); ++k) {
        rank.isPadding(k) ? ++readings.padded : ++readings.by_rank[rank.sample(k)][rank.rank().value];
      }
    }
  }
  return readings;
}

void tellOutcome(SamplerPreview& preview, const EpochPlan& epoch, qint64 size) {
  const Readings readings = readingsOf(epoch);
  qint64 shared = 0;
  qint64 repeated = 0;
  for (const auto& [sample, ranks] : readings.by_rank) {
    shared += ranks.size() > 1 ? 1 : 0;
    repeated += std::ranges::any_of(ranks, [](const auto& rank) { return rank.second > 1; }) ? 1 : 0;
  }
  const qint64 missing = size - std::ssize(readings.by_rank);
  QStringList said;
  if (shared == size) said << phrase("design", "Both ranks read the whole dataset.");
  if (shared > 0 && shared < size)
    said << phrase("design", "Both ranks read %1.").arg(countOf(shared, "common sample"));
  if (repeated > 0) said << phrase("design", "A rank reads %1 again.").arg(countOf(repeated, "sample"));
  if (missing > 0) said << phrase("design", "No rank reads %1.").arg(countOf(missing, "sample"));
  preview.loses = !said.isEmpty();
  if (said.isEmpty()) said << phrase("design", "Each sample is read once.");
  if (readings.padded > 0)
    said << phrase("design", "Filled up with %1.").arg(countOf(readings.padded, "repeated sample"));
  preview.outcome = said.join(' ');
}

/// "primary_indices: the first half of the dataset"
QString madeUp(const PipelineSpec& spec, const std::vector<Edit>& examples) {
  QStringList lists;
  for (const Edit& edit : examples) {
    const QString key = text(edit.path).section('.', -1);
    const std::string example = sampling::exampleText(spec, edit.path);
    lists << QString("%1: %2").arg(key, text(example.empty() ? valueText(edit.value) : example));
  }
  return lists.join("; ");
}

}  // namespace

bool SamplerRow::has(SamplerTagKind kind) const {
  return std::ranges::any_of(tags, [&](const SamplerTag& tag) { return tag.kind == kind; });
}

std::vector<SamplerRow> samplerRows(SamplerCatalogue catalogue) {
  std::vector<SamplerRow> rows;
  for (const SamplerInfo& info : catalogue) rows.push_back(rowOf(info));
  std::ranges::stable_sort(rows, {}, frameworkPlace);
  return rows;
}

bool SamplerFilter::wants(const SamplerRow& row) const {
  if (!framework.isEmpty() && row.framework != framework) return false;
  if (training && row.has(SamplerTagKind::Evaluation)) return false;
  if (evaluation && !row.has(SamplerTagKind::Evaluation)) return false;
  if (no_lists && row.has(SamplerTagKind::Need)) return false;
  return hasWords(row.searched, words);
}

std::vector<SamplerRow> wantedRows(const std::vector<SamplerRow>& rows, const SamplerFilter& filter) {
  std::vector<SamplerRow> wanted;
  for (const SamplerRow& row : rows) {
    if (filter.wants(row)) wanted.push_back(row);
  }
  if (filter.words.trimmed().isEmpty()) return wanted;
  std::stable_partition(wanted.begin(), wanted.end(),
                        [&](const SamplerRow& row) { return hasWords(row.name.toLower(), filter.words); });
  return wanted;
}

std::vector<FrameworkCount> frameworkCounts(const std::vector<SamplerRow>& rows, SamplerFilter filter) {
  filter.framework.clear();
  std::vector<FrameworkCount> counts;
  for (const SamplerRow& row : rows) {
    if (counts.empty() || counts.back().title != row.framework) counts.push_back({row.framework, 0});
    counts.back().count += filter.wants(row) ? 1 : 0;
  }
  return counts;
}

std::optional<SamplerPreview> samplerPreview(const std::string& type, SamplerCatalogue catalogue, const Work& work) {
  SamplerPreview preview;
  preview.type = type;
  if (const SamplerInfo* info = findSampler(catalogue, type); info != nullptr && !info->pitfalls.empty()) {
    preview.beware = text(worded("samplers", info->pitfalls.front().c_str()));
  }
  PipelineSpec spec = sampling::exampleSpec(type);
  const std::vector<Edit> examples = sampling::starterEdits(spec);
  if (auto filled = applyEdits(spec, examples, catalogue)) spec = *std::move(filled);
  preview.made_up = madeUp(spec, examples);
  const auto plan = Plan::make(spec);
  auto epoch = plan ? plan->epoch(Epoch{0}, work) : Result<EpochPlan>(plan.error());
  if (work.stopped()) return std::nullopt;
  if (!epoch) {
    preview.error = text(epoch.error().message);
    return preview;
  }
  tellOutcome(preview, *epoch, spec.dataset.size);
  preview.deals = howItDeals(*epoch);
  preview.stage = stageInput(0, spec, std::make_shared<const EpochPlan>(*std::move(epoch)));
  preview.facts = EpochFacts::compute(*preview.stage.epoch, spec.dataset.size, work);
  return preview;
}

}  // namespace shardlens::ui
