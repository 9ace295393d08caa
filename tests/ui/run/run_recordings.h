// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/recording_writer.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/temp_folder.h"

#include <QLabel>
#include <QString>
#include <QWidget>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

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

/// The finished recording of a command that reports nothing itself, of whose processes probes wrote these files.
inline QString recordingOfCommand(const std::filesystem::path& path, const std::vector<test::ProbeText>& processes,
                                  const std::string& design = {}) {
  auto writer = RecordingWriter::create(path);
  RunBegin begin;
  begin.name = "train";
  begin.command = "shardlens run -- python3 train.py";
  begin.host = "h";
  begin.reports = false;
  begin.spec_yaml = design;
  writer->add({1, begin});
  writer->add({2, RunEnd{}});
  (void)writer->flush();
  for (std::size_t i = 0; i < processes.size(); ++i)
    test::spill(path / ("h-" + std::to_string(i) + ".slprobe"), processes[i].bytes());
  return QString::fromStdString(path.string());
}

/// Recordings of finished runs, in a folder of their own.
class Recordings {
 public:
  /// A finished recording of 40 steps.
  QString recording(std::int64_t ranks, std::int64_t late, std::int64_t wrong_rank = -1,
                    const std::vector<PipelineSpec::Phase>& schedule = {}) {
    const auto path = folder_ / ("run" + std::to_string(++recordings_) + ".slrun");
    PipelineSpec recorded = spec(ranks);
    recorded.schedule = schedule;
    const Plan plan = Plan::make(recorded).value();
    test::FakeRunFile file(path, plan, yaml::writeSpec(recorded, sampling::catalogue()));
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
