// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/capture.h"
#include "ui/state/workspace.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace shardlens::ui {

/// What the loaders of a command's job really read: each with its sampler, whether a design reproduces all of it, and
/// what it shows; and the way to make a design of it.
class LoadersPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LoadersPanel(Workspace& workspace, QWidget* parent = nullptr);

 private:
  void showFound();
  void addLoader(const capture::CapturedLoader& loader);

  RunService& runs_;
  JobCapture& capture_;
  QLabel* note_;
  QVBoxLayout* loaders_;
  QString shown_ = "?";  ///< what the cards are of
};

}  // namespace shardlens::ui
