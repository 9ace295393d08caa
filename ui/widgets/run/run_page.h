// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/common/page.h"
#include "ui/widgets/common/refresh.h"

class QScrollArea;
class QSplitter;
class QStackedWidget;

namespace shardlens::ui {

class Arrangement;
class ArrivalPanel;
class AutopsyBar;
class ComparePanel;
class ConsoleView;
class JobBar;
class LaunchPanel;
class LoaderFindings;
class LoadersPanel;
class ProofPanel;
class RankBoard;
class RecordingsPanel;
class StallPanel;
class VerdictBanner;

/// The whole centre of the Run and Autopsy perspectives: the verdict, the ranks with their timeline, the proof of
/// assignment, arrivals, the console, and what is found in what its loaders read. Without a job it says what Launch
/// would do; without a recording, how to open one.
class RunPage : public Page {
  Q_OBJECT

 public:
  enum class Mode { Run, Autopsy };

  explicit RunPage(Workspace& workspace, QWidget* parent = nullptr);

  /// Autopsy adds what moves through a recording.
  void setMode(Mode mode);
  [[nodiscard]] Mode mode() const { return mode_; }
  /// A job is to be started here: the page is about the design, not about the run in view.
  [[nodiscard]] bool isLaunching() const;

  [[nodiscard]] RankBoard* board() const { return board_; }
  [[nodiscard]] ConsoleView* console() const { return console_; }
  [[nodiscard]] ComparePanel* comparison() const { return compare_; }

  void enter(const QString& perspective) override;
  [[nodiscard]] QString command() const override;
  [[nodiscard]] std::vector<ActionInfo> actions() override;
  [[nodiscard]] QVariantMap layout() const override;
  void restoreLayout(const QVariantMap& layout) override;

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeWatchPanel();
  [[nodiscard]] QWidget* makeEvidence();
  [[nodiscard]] QWidget* makeSide();
  void refresh();
  void choosePanel();
  void showHeadlines();
  void showLoaders();
  void showRun();
  void showAllOfRecording(const RunState& state);
  void followWindow();
  void followSelection();
  void addPlaces();
  void shareRoom();
  void chooseEvidence();
  void fitBanner();
  void shareHeight();
  void shareWidth();
  void setCompact(bool compact);
  /// The list of recordings, whatever is shown now.
  void showRecordings(bool shown);
  void wireComparison();
  void showComparison(bool shown);
  void launch();
  /// Where a command of the user's can be typed; while a job runs, the job.
  void typeCommand();

  Workspace& workspace_;
  Mode mode_ = Mode::Run;
  QStackedWidget* panels_;
  LaunchPanel* launch_;
  RecordingsPanel* recordings_;
  QWidget* watch_panel_;
  ComparePanel* compare_;
  JobBar* job_bar_ = nullptr;
  QSplitter* beside_ = nullptr;  ///< the run, and what is said of it at its side
  QSplitter* side_ = nullptr;    ///< the card of a stall, and the findings
  StallPanel* stall_ = nullptr;
  LoaderFindings* findings_ = nullptr;
  bool stall_closed_ = false;  ///< the user closed the card of this stall
  QSplitter* splitter_ = nullptr;
  QSplitter* evidence_row_ = nullptr;
  QWidget* evidence_ = nullptr;
  QWidget* upper_ = nullptr;
  Arrangement* places_ = nullptr;
  VerdictBanner* banner_ = nullptr;
  QScrollArea* banner_area_ = nullptr;  ///< around it
  RankBoard* board_ = nullptr;
  AutopsyBar* autopsy_ = nullptr;
  ProofPanel* proof_ = nullptr;
  LoadersPanel* loaders_ = nullptr;
  ArrivalPanel* arrivals_ = nullptr;
  ConsoleView* console_ = nullptr;
  Refresh share_soon_;          ///< of the room
  bool compares_ = false;       ///< the run is shown beside another
  bool has_shown_all_ = false;  ///< of the recording in view
  bool types_ = false;          ///< a job is to be started, though a run that is over is in view
  bool lists_ = false;          ///< the list of recordings is wanted
  bool compact_ = false;        ///< there is little height: the ranks need it more than what is beside them
};

}  // namespace shardlens::ui
