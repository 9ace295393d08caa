// SPDX-License-Identifier: GPL-3.0-or-later
// What of a run is in sight in a small window.
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/link_label.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"

#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

class RunSizesTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

 private slots:
  void initTestCase() {
    qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str());
    installFonts();
    applyTheme(Theme::light());
  }

  /// In the smallest window all of 8 ranks are in sight: what is beside them gives way.
  void aLowWindowShowsEightRanks() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(960, 526);
    page.show();
    QVERIFY(workspace.runs.open(recordings_.recording(8, 5)).has_value());
    EVENTUALLY_EQUAL(page.findChild<LinkLabel*>("verdictTitle")->plain(), "Everyone waits for rank 5");
    RankBoard& board = *page.board();
    EVENTUALLY_EQUAL(board.shownRanks().size(), std::size_t{8});
    EVENTUALLY(!board.layoutNow().scrolls());
    const auto* message = page.findChild<LinkLabel*>("verdictMessage");
    auto* details = page.findChild<LinkButton*>("verdictDetails");
    QVERIFY(details->isVisible());
    const QString brief = message->plain();
    QTest::mouseClick(details, Qt::LeftButton);
    QVERIFY(message->plain().size() > brief.size());
  }
};

SHARDLENS_WINDOW_TEST(RunSizesTest)
#include "run_sizes_test.moc"
