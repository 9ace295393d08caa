// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPaintDevice>
#include <QSize>
#include <QString>

#include <memory>

namespace shardlens::ui {

class SvgEngine;

/// What is painted on it becomes SVG: paths, letters as paths, pictures as they are, each within its clip.
/// (QSvgGenerator knows no clips, and a window without them is a heap.)
class SvgDevice : public QPaintDevice {
 public:
  SvgDevice(QSize size, int dpi, QString title);
  ~SvgDevice() override;

  /// The whole document. After painting has ended.
  [[nodiscard]] QByteArray document() const;

  [[nodiscard]] QPaintEngine* paintEngine() const override;

 protected:
  [[nodiscard]] int metric(PaintDeviceMetric metric) const override;

 private:
  QSize size_;
  int dpi_;
  QString title_;
  std::unique_ptr<SvgEngine> engine_;
};

}  // namespace shardlens::ui
