// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/text.h"
#include "ui/state/selection.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace shardlens::ui {

class LinkButton;
class LinkLabel;

/// What is wrong with the job, first of all: a coloured bar, a few words, the sentence with the numbers; at the right
/// what it costs and what to do next. Further verdicts stand below. What is left out, "Details" has.
class VerdictBanner : public QWidget {
  Q_OBJECT

 public:
  explicit VerdictBanner(QWidget* parent = nullptr);
  /// Where there is little height: the sentences that fit into one line, and one of the further verdicts, in one line
  /// that is cut.
  void setCompact(bool compact);
  void setHeadlines(const RunHeadline& first, const std::vector<RunHeadline>& more);
  [[nodiscard]] const RunHeadline& headline() const { return first_; }
  /// All that it says, a line for each sentence.
  [[nodiscard]] QString asText() const;

 signals:
  /// The user wants to see the rank that a verdict is about.
  void rankWanted(qint64 rank);
  /// A rank or step that the sentences name.
  void placeWanted(const shardlens::ui::Selected& place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showFirst();
  void showMessage();
  void showMore();
  void offerDetails();
  [[nodiscard]] std::size_t mostMore() const;
  [[nodiscard]] int roomForWords() const;
  [[nodiscard]] QString briefMessage() const;

  RunHeadline first_;
  std::vector<RunHeadline> more_;
  LinkLabel* title_;
  LinkLabel* message_;
  QLabel* cost_;
  LinkLabel* next_;
  QPushButton* show_;
  LinkButton* details_;
  bool unfolded_ = false;  ///< all of the message is shown
  bool compact_ = false;
  QGridLayout* grid_;
  QVBoxLayout* more_column_;
};

}  // namespace shardlens::ui
