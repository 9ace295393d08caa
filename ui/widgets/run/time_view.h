// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/time_window.h"

#include <QObject>

#include <functional>

namespace shardlens::ui {

/// The visible part of a run's time, which several panels share.
class TimeView : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] const TimeWindow& window() const { return window_; }
  void change(const std::function<void(TimeWindow&)>& change) {
    const TimeWindow before = window_;
    change(window_);
    if (!(window_ == before)) emit changed();
  }

 signals:
  void changed();

 private:
  TimeWindow window_;
};

}  // namespace shardlens::ui
