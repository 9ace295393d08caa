// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/design/sampler_list.h"
#include "ui/state/latest_job.h"

#include <QWidget>

class QLabel;
class QAbstractButton;

namespace shardlens::ui {

class ElidedLabel;
class StageView;

/// What a sampler does, shown with 16 samples on 2 ranks: planned in the background, and drawn as the Stage draws it.
class SamplerPreviewPane : public QWidget {
  Q_OBJECT

 public:
  explicit SamplerPreviewPane(SamplerCatalogue catalogue, QWidget* parent = nullptr);
  /// The newest one wins; the picture before stays until it is there.
  void setType(const std::string& type);
  [[nodiscard]] const SamplerPreview& shown() const { return shown_; }
  [[nodiscard]] const StageView& stage() const { return *stage_; }

 signals:
  /// The user has lists for this sampler and wants to give them.
  void ownListsWanted();

 private:
  class Legend;
  void take(SamplerPreview preview);

  SamplerCatalogue catalogue_;
  SamplerPreview shown_;
  quint64 generation_ = 0;
  StageView* stage_;
  Legend* legend_;
  ElidedLabel* deals_;
  QLabel* made_up_;
  QAbstractButton* own_;
  QLabel* outcome_;
  QLabel* beware_;
  LatestJob job_;  ///< last: it tells all of the above
};

}  // namespace shardlens::ui
