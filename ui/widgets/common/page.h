// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/common/actions.h"

#include <QVariantMap>
#include <QWidget>

#include <vector>

namespace shardlens::ui {

struct Workspace;

/// What a perspective shows between the header and the status line. The window knows no more of a page than this.
class Page : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
  ~Page() override;

  /// The user goes to the perspective of this name. Perspectives may share a page.
  virtual void enter(const QString& perspective);
  /// The command line that shows the same without a window.
  [[nodiscard]] virtual QString command() const = 0;
  /// What can be done with the page, in the order of its menu. The window asks once. An action without an id is a
  /// separator.
  [[nodiscard]] virtual std::vector<ActionInfo> actions();
  /// What a session remembers of the page; every key is there, whatever its value. Keys of all pages are different.
  [[nodiscard]] virtual QVariantMap layout() const;
  /// Takes what layout() gave to an earlier session. Keys that the session does not have are missing.
  virtual void restoreLayout(const QVariantMap& layout);
  /// Back to the panels, in the places and sizes, of the first start.
  virtual void resetLayout();

 signals:
  /// Another perspective shows what comes of the user's action.
  void perspectiveWanted(const QString& name);
  /// The user chose a file to open.
  void fileWanted(const QString& path);
  /// What the user asked for was not done; the text says why.
  void failed(const QString& text);
};

/// Makes a page of a window.
using PageMaker = Page* (*)(Workspace& workspace, QWidget* parent);

}  // namespace shardlens::ui
