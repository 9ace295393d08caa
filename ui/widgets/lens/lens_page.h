// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/common/page.h"

class QSplitter;

namespace shardlens::ui {

class Arrangement;
class FormPanel;
class LensPanel;

/// The Lens perspective: the form at the left, the frameworks beside it.
class LensPage : public Page {
  Q_OBJECT

 public:
  explicit LensPage(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] FormPanel* form() const { return form_; }
  [[nodiscard]] LensPanel* panel() const { return panel_; }

  void enter(const QString& perspective) override;
  [[nodiscard]] QString command() const override;
  [[nodiscard]] QVariantMap layout() const override;
  void restoreLayout(const QVariantMap& layout) override;
  void resetLayout() override;

 private:
  Workspace& workspace_;
  QSplitter* columns_;
  FormPanel* form_;
  LensPanel* panel_;
  Arrangement* panels_;
};

}  // namespace shardlens::ui
