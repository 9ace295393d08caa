// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QVariantMap>

#include <functional>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

class QMenu;
class QSplitter;
class QWidget;

namespace shardlens::ui {

/// Where the panels of a page stand: their names, their order, which of them are hidden, and the sizes that the user
/// gave them. A panel moves past its neighbour in the same splitter; in the other direction, all of its row or column
/// moves. What the user does is said in a toast with Undo.
class Arrangement : public QObject {
  Q_OBJECT

 public:
  enum class Direction { Left, Right, Up, Down };
  enum class Hiding { Allowed, Never };
  struct Panel {
    QString id;     ///< stable: "inspector"
    QString title;  ///< "Inspector"
    QWidget* widget = nullptr;
    bool can_hide = true;
    bool available = true;  ///< false: the page has nothing to show in it now
  };

  /// Of a page that sessions know as `name`. `usual_sizes` gives its splitters the sizes of the first start, for what
  /// is in sight.
  Arrangement(QWidget* page, QString name, std::function<void()> usual_sizes);

  /// Splitters outermost first, then the panels in them, then settle(): that is how the page looks at first.
  void addSplitter(QSplitter* splitter);
  void addPanel(const QString& id, const QString& title, QWidget* widget, Hiding hiding = Hiding::Allowed);
  void settle(std::set<QString> hidden_at_first = {});

  /// That of the page which the widget is on; null when there is none.
  [[nodiscard]] static Arrangement* around(const QWidget* widget);
  /// As they stand, row by row.
  [[nodiscard]] std::vector<Panel> panels() const;
  /// The panel that the widget is in, or that is in it; empty when there is none.
  [[nodiscard]] QString idOf(const QWidget* widget) const;

  /// Whether the user wants to see it; and whether it can be seen.
  [[nodiscard]] bool isShown(const QString& id) const { return hidden_.count(id) == 0; }
  [[nodiscard]] bool isInSight(const QString& id) const;
  [[nodiscard]] bool canMove(const QString& id, Direction direction) const;
  [[nodiscard]] bool isUsual() const;

  /// What the user does. Hiding takes those that are in sight.
  void hidePanels(const QStringList& ids);
  void movePanel(const QString& id, Direction direction);
  void restorePanels();

  /// The same without a word.
  void setShown(const QString& id, bool shown);
  void setAvailable(const QString& id, bool available);
  void reset();

  /// The user moved the line between two panels: sizes follow the window no more.
  [[nodiscard]] bool isByHand(const QSplitter* splitter) const { return by_hand_.count(splitter) > 0; }
  [[nodiscard]] bool isByHand() const { return !by_hand_.empty(); }
  void forgetSizes() { by_hand_.clear(); }
  /// Sizes by widget, wherever they stand.
  static void giveSizes(QSplitter& splitter, std::initializer_list<std::pair<const QWidget*, int>> sizes);

  [[nodiscard]] QVariantMap layout() const;
  void restoreLayout(const QVariantMap& layout);

 signals:
  /// A panel came into sight or went out of it, or stands elsewhere.
  void changed();

 private:
  /// A child of a splitter on its way to another place there.
  struct Step {
    QSplitter* splitter = nullptr;
    QWidget* child = nullptr;
    int to = 0;
  };
  [[nodiscard]] const Panel* find(const QString& id) const;
  [[nodiscard]] QSplitter* splitterAround(const QWidget* widget) const;
  [[nodiscard]] Step stepOf(const QString& id, Direction direction) const;
  [[nodiscard]] std::vector<int> pathOf(const QWidget* widget) const;
  [[nodiscard]] QStringList order() const;
  [[nodiscard]] QStringList titlesIn(const QWidget* widget) const;
  void setOrder(const QStringList& ids);
  void chainFocus();
  void apply();
  void doAndSay(const QString& text, const std::function<void()>& change);

  QWidget* page_;
  QString name_;
  std::function<void()> usual_sizes_;
  std::vector<QSplitter*> splitters_;
  std::vector<Panel> panels_;
  std::set<QString> hidden_;
  std::set<QString> usually_hidden_;
  QStringList usual_order_;
  std::set<const QSplitter*> by_hand_;
};

/// Adds to the menu what can be done with the panel: hide it, move it where it can go, put all panels back.
void fillPanelPlaces(QMenu& menu, Arrangement& page, const QString& id);
/// Adds a row for each panel of the page, marked when it is in sight; choosing one shows or hides it.
void fillPanelRows(QMenu& menu, Arrangement& page);

}  // namespace shardlens::ui
