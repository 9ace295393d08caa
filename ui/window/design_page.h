// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/common/page.h"
#include "ui/window/bottom_tabs.h"

class QSplitter;

namespace shardlens::ui {

class Arrangement;
class FormPanel;
class FindingsPanel;
class LinkButton;
class InspectorPanel;
class StagePanel;
class TextPanel;

/// The Design perspective: form at the left, beside it the same as text when it is wanted, Stage over tabs in the
/// middle, Inspector over Findings at the right.
class DesignPage : public Page {
  Q_OBJECT

 public:
  /// What can be hidden; the Stage always stays.
  enum class Part { Form, Side, Tabs };

  explicit DesignPage(Workspace& workspace, QWidget* parent = nullptr, std::vector<TabRow> rows = bottomTabs());

  [[nodiscard]] FormPanel* form() const { return form_; }
  [[nodiscard]] TextPanel* text() const { return text_; }
  /// Shows the design as text beside the form; where there is little room, in place of Inspector and Findings.
  void showText(bool shown);
  /// Shows or hides the form, Inspector and Findings, or the tabs; the Stage takes the room.
  void togglePart(Part part);
  [[nodiscard]] bool isPartInSight(Part part) const;
  /// Shows this panel, or the one that it is in.
  void reveal(const QWidget* panel);
  [[nodiscard]] Arrangement* panels() const { return panels_; }
  [[nodiscard]] StagePanel* stage() const { return stage_; }
  [[nodiscard]] InspectorPanel* inspector() const { return inspector_; }
  [[nodiscard]] FindingsPanel* findings() const { return findings_; }
  [[nodiscard]] TabStrip* tabs() const { return tabs_; }
  [[nodiscard]] const std::vector<TabRow>& tabRows() const { return rows_; }

  void enter(const QString& perspective) override;
  [[nodiscard]] QString command() const override;
  [[nodiscard]] std::vector<ActionInfo> actions() override;
  [[nodiscard]] QVariantMap layout() const override;
  void restoreLayout(const QVariantMap& layout) override;
  void resetLayout() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void offerTabs();
  QWidget* makeFormColumn();
  void addPlaces();
  /// Form and text beside each other where there is room, else the text alone.
  void fitForm();
  /// The sizes of the first start, for what is shown.
  void arrange();
  void arrangeCentre(int height);
  /// Most of the height for the bottom tabs, or what they had before.
  void toggleLargeTabs();

  Workspace& workspace_;
  std::vector<TabRow> rows_;
  FormPanel* form_;
  QWidget* form_column_;
  LinkButton* text_link_;
  TextPanel* text_;
  StagePanel* stage_;
  InspectorPanel* inspector_;
  FindingsPanel* findings_;
  TabStrip* tabs_;
  QSplitter* columns_;
  QSplitter* centre_;
  QSplitter* right_;
  bool tabs_are_large_ = false;
  Arrangement* panels_ = nullptr;
};

}  // namespace shardlens::ui
