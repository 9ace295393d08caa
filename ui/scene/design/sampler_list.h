// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/spec/sampler_info.h"
#include "ui/scene/stage/stage_input.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::ui {

/// What a short word beside a sampler says.
enum class SamplerTagKind { Need, Divides, Everywhere, Evaluation };
struct SamplerTag {
  SamplerTagKind kind = SamplerTagKind::Need;
  QString text;
  bool operator==(const SamplerTag&) const = default;
};

/// A sampler as a line of a list.
struct SamplerRow {
  std::string type;  ///< as in the spec: "torch.DistributedSampler"
  QString name;      ///< the class: "DistributedSampler"
  QString framework;
  QString summary;
  std::vector<SamplerTag> tags;  ///< what it needs, then what it does with ranks
  QString searched;              ///< all of that in small letters

  [[nodiscard]] bool has(SamplerTagKind kind) const;
};

/// Every sampler of the catalogue, framework by framework. One that this build has no rule for has no tags. Takes some
/// milliseconds: it asks every rule what it needs.
std::vector<SamplerRow> samplerRows(SamplerCatalogue catalogue);

/// Which rows are wanted; empty members want all.
struct SamplerFilter {
  QString words = {};       ///< every one of them begins or stands in something that the row says
  QString framework = {};   ///< a title
  bool training = false;    ///< not made for evaluation
  bool evaluation = false;  ///< made for it
  bool no_lists = false;    ///< needs nothing but a size

  [[nodiscard]] bool wants(const SamplerRow& row) const;
};
/// Rows that the filter wants, in their order; those whose name has the words come first.
std::vector<SamplerRow> wantedRows(const std::vector<SamplerRow>& rows, const SamplerFilter& filter);

/// A framework with how many rows the filter, but for its own framework, leaves of it.
struct FrameworkCount {
  QString title;
  int count = 0;
  bool operator==(const FrameworkCount&) const = default;
};
std::vector<FrameworkCount> frameworkCounts(const std::vector<SamplerRow>& rows, SamplerFilter filter);

/// What a sampler does with 16 samples on 2 ranks.
struct SamplerPreview {
  std::string type;
  StageInput stage;                         ///< empty where there is no plan
  std::shared_ptr<const EpochFacts> facts;  ///< of that epoch
  QString made_up;     ///< "first list: the first half of the dataset"; empty when nothing was made up
  QString deals;       ///< how the samples come to the ranks; may be empty
  QString outcome;     ///< what becomes of the samples: "Each sample is read once."
  bool loses = false;  ///< samples are missing or read twice
  QString beware;      ///< what people stumble over
  QString error;       ///< why there is no plan
};

/// Plans the epoch; for a worker. Nothing when `work` stopped it.
std::optional<SamplerPreview> samplerPreview(const std::string& type, SamplerCatalogue catalogue, const Work& work);

}  // namespace shardlens::ui
