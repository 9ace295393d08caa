// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/temp_folder.h"

#include <QLabel>
#include <QString>
#include <QWidget>

#include <algorithm>
#include <string>

namespace shardlens::ui {

inline PipelineSpec spec(std::int64_t ranks) {
  PipelineSpec spec;
  spec.name = "panel";
  spec.dataset.size = ranks * 20 * 2;
  spec.world.ranks_per_node = ranks;
  return spec;  // 20 steps of 2 samples, 2 epochs
}

template <class Widget>
Widget* shown(QWidget& inside, const QString& name) {
  auto* found = inside.findChild<Widget*>(name);
  return found != nullptr && found->isVisible() ? found : nullptr;
}

inline bool anyLabel(const QWidget& inside, const QString& beginning) {
  const auto labels = inside.findChildren<QLabel*>();
  return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
    return label->text().startsWith(beginning) || label->accessibleName().startsWith(beginning);
  });
}

/// Recordings of finished runs, in a folder of their own.
class Recordings {
 public:
  /// A finished recording of 40 steps.
  QString recording(std::int64_t ranks, std::int64_t late, std::int64_t wrong_rank = -1) {
    const auto path = folder_ / ("run" + std::to_string(++recordings_) + ".slrun");
    const Plan plan = Plan::make(spec(ranks)).value();
    test::FakeRunFile file(path, plan, yaml::writeSpec(spec(ranks), sampling::catalogue()));
    for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
      for (std::int64_t step = 0; step < 20; ++step) {
        file.step(epoch, step, late, epoch == 1 && step == 4 ? wrong_rank : -1);
      }
    }
    file.add({file.now(), LogLine{0, false, "loss 1.832"}});
    file.add({file.now(), LogLine{1, true, "worker restarted"}});
    file.bye();
    file.end();
    return QString::fromStdString(path.string());
  }

  [[nodiscard]] const test::TempFolder& folder() const { return folder_; }

 private:
  test::TempFolder folder_;
  int recordings_ = 0;
};

}  // namespace shardlens::ui
