// SPDX-License-Identifier: Apache-2.0
// The gallery: what its cards say is computed from their files; choosing one opens a copy and plays it.
#include "ui/widgets/start/gallery.h"

#include "core/audit/audit.h"
#include "core/yaml/spec_file.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/paint/stage_paint.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/sheet.h"
#include "ui/widgets/common/style.h"
#include "ui/window/main_window.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

bool allComputed(const Gallery& gallery) {
  return std::ranges::all_of(gallery.cards(), [](const ExampleCard* card) { return card->facts().has_value(); });
}

Tone worstOf(const QString& path) {
  const auto file = yaml::readSpecFile(path.toStdString(), sampling::catalogue());
  const auto report = audit(*Plan::make(file.read.spec));
  Tone worst = Tone::Fine;
  for (const Finding& finding : report->findings) {
    if (finding.severity == Severity::Error) return Tone::Error;
    if (finding.severity == Severity::Warning) worst = Tone::Warning;
  }
  return worst;
}

int colours(const QImage& picture) {
  std::set<QRgb> seen;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) seen.insert(picture.pixel(x, y));
  }
  return static_cast<int>(seen.size());
}

}  // namespace

class GalleryTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(qEnvironmentVariableIsSet("SHARDLENS_DARK") ? Theme::darkTheme() : Theme::light());
  }

  void eachCardSaysWhatItsFileIs() {
    Gallery gallery(true);
    gallery.show();
    QVERIFY(gallery.cards().size() >= 12);
    EVENTUALLY(allComputed(gallery));
    std::set<QString> titles;
    for (const ExampleCard* card : gallery.cards()) {
      const Example& example = card->example();
      QVERIFY2(card->facts()->tone == worstOf(example.path), qPrintable(example.name));
      QVERIFY2(colours(card->facts()->picture.dealt) > 4, qPrintable(example.name));
      QVERIFY(card->facts()->picture.dealt != card->facts()->picture.undealt);
      QVERIFY2(example.title != example.name && !example.summary.isEmpty(), qPrintable(example.name));
      QVERIFY(titles.insert(example.title).second);
      QVERIFY(card->accessibleDescription().contains(card->facts()->verdict));
      QVERIFY2(!card->toolTip().contains("`shardlens"), qPrintable(example.name));
    }
    QCOMPARE(gallery.cards().front()->facts()->tone, Tone::Error);
    if (qEnvironmentVariableIsSet("SHARDLENS_SHOTS")) gallery.grab().save(qEnvironmentVariable("SHARDLENS_SHOTS"));
  }

  void cardsNeverOverlapAndAFrameworkKeepsItsOwn() {
    Gallery gallery(true);
    gallery.show();
    EVENTUALLY(allComputed(gallery));
    auto* frameworks = gallery.findChild<SegmentedControl*>();
    EVENTUALLY(frameworks->labels().size() > 2);
    for (const int width : {560, 1030, 1900}) {
      gallery.resize(width, 600);
      for (std::size_t i = 0; i < gallery.cards().size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
          QVERIFY(!gallery.cards()[i]->geometry().intersects(gallery.cards()[k]->geometry()));
        }
      }
    }
    const auto chosen = static_cast<int>(frameworks->labels().indexOf("WebDataset"));
    QVERIFY(chosen > 0);
    frameworks->setCurrent(chosen);
    for (const ExampleCard* card : gallery.cards()) {
      QCOMPARE(card->isVisible(), card->facts()->framework == QString("WebDataset"));
    }
  }

  /// In the smallest window, beside the list of runs, the choice of frameworks stands below the title.
  void theChoiceIsWholeAndTheCardsShareTheWidth() {
    Gallery gallery(true);
    gallery.setAside(new QWidget);
    gallery.show();
    EVENTUALLY(allComputed(gallery));
    const auto* frameworks = gallery.findChild<SegmentedControl*>();
    EVENTUALLY(frameworks->labels().size() > 2);
    for (const int width : {960, 1280, 1920}) {
      gallery.resize(width, 600);
      QCoreApplication::processEvents();
      QVERIFY(frameworks->width() >= frameworks->sizeHint().width());
      QVERIFY(frameworks->mapTo(&gallery, QPoint(frameworks->width(), 0)).x() <= width);
      int right = 0;
      for (const ExampleCard* card : gallery.cards()) right = std::max(right, card->geometry().right());
      const int all = gallery.cards().front()->parentWidget()->width();
      QVERIFY2(all - right < 40, qPrintable(QString("%1: %2 of %3").arg(width).arg(right).arg(all)));
    }
  }

  /// The ranks of two nodes do not touch in the picture of a design.
  void nodesStandApartInThePictureOfADesign() {
    const auto plan = [](std::int64_t nodes) {
      PipelineSpec spec;
      spec.dataset.size = 160;
      spec.world = {nodes, 4 / nodes};
      return *Plan::make(spec);
    };
    const auto widest = [](const QImage& picture) {
      int most = 0;
      int run = 0;
      bool begun = false;
      for (int y = 0; y < picture.height(); ++y) {
        bool is_empty = true;
        for (int x = 0; x < picture.width(); ++x) is_empty &= picture.pixel(x, y) == picture.pixel(0, 0);
        if (!is_empty && begun) most = std::max(most, run);
        begun |= !is_empty;
        run = is_empty ? run + 1 : 0;
      }
      return most;
    };
    const auto one = planPicture(plan(1), {200, 108}, false, 1);
    const auto two = planPicture(plan(2), {200, 108}, false, 1);
    QVERIFY(one && two);
    QVERIFY2(widest(two->dealt) >= widest(one->dealt) + 6, qPrintable(QString::number(widest(two->dealt))));
  }

  /// What the two blocks of cells are is written beside them.
  void thePartsOfAPictureAreNamed() {
    PipelineSpec spec;
    spec.epochs = 2;
    const auto picture = planPicture(*Plan::make(spec), {204, 108}, false, 1);
    QVERIFY(picture);
    const QImage& cells = picture->undealt;  // outlines, far right of the words
    for (const int top : {0, 54}) {
      std::set<QRgb> left;
      for (int y = top; y < top + 54; ++y) {
        for (int x = 0; x < 36; ++x) left.insert(cells.pixel(x, y));
      }
      QVERIFY(left.size() > 4);
    }
  }

  void theGalleryStaysInsideTheSmallestWindowAndANewDesignComesFirst() {
    MainWindow window({false, {}, false});
    QVERIFY(window.openFirst());
    window.resize(960, 600);
    window.show();
    window.openGallery();
    auto* gallery = window.findChild<Gallery*>();
    QVERIFY(gallery != nullptr);
    EVENTUALLY(gallery->isVisible());
    QVERIFY2(gallery->width() < window.width() && gallery->height() < window.height(),
             qPrintable(QString("%1 x %2").arg(gallery->width()).arg(gallery->height())));
    for (const Card* card : gallery->findChildren<Card*>()) {
      if (card->objectName().startsWith("start.")) QCOMPARE(card->isPrimary(), card->objectName() == "start.file.new");
    }
    gallery->accept();
  }

  void theDesignsOpenedLastAreBesideTheCards() {
    const QTemporaryDir folder;
    const QString mine = folder.filePath("mine.yaml");
    QVERIFY(QFile::copy(examples().front().path, mine) && QFile::copy(mine, folder.filePath("gone.yaml")));
    MainWindow window({true, folder.path(), false});
    window.openFile(mine);
    window.openFile(folder.filePath("gone.yaml"));
    QVERIFY(QFile::remove(folder.filePath("gone.yaml")));
    window.show();
    window.openGallery();
    auto* gallery = window.findChild<Gallery*>();
    std::vector<LinkButton*> links;
    for (auto* link : gallery->findChildren<LinkButton*>()) {
      if (link->text().endsWith(".yaml")) links.push_back(link);
    }
    QCOMPARE(links.size(), std::size_t{1});
    QCOMPARE(links[0]->text(), QString("mine.yaml"));
    QTest::mouseClick(links[0], Qt::LeftButton);
    EVENTUALLY(window.workspace().document.path() == mine && window.findChild<Gallery*>() == nullptr);
  }

  void theWindowBehindTheGalleryIsDimmed() {
    MainWindow window({false, {}, false});
    QVERIFY(window.openFirst());
    window.resize(1280, 720);
    window.show();
    EVENTUALLY(window.isReady());
    const auto edge = [&window] { return window.grab().toImage().pixelColor(4, 4).lightness(); };
    const int before = edge();
    window.openGallery();
    auto* gallery = window.findChild<Gallery*>();
    EVENTUALLY(gallery->isVisible());
    QVERIFY(edge() < before - 40);
    window.resize(1500, 800);
    EVENTUALLY(window.grab().toImage().pixelColor(1490, 4).lightness() < before - 40);
    gallery->accept();
    EVENTUALLY(edge() == before && window.findChild<Shade*>() == nullptr);
  }

  void aCardDealsUnderTheFocusUnlessMotionIsReduced() {
    for (const bool moves : {true, false}) {
      Gallery gallery(moves);
      gallery.show();
      EVENTUALLY(allComputed(gallery));
      gallery.activateWindow();
      gallery.cards()[1]->setFocus();
      EVENTUALLY(gallery.cards()[1]->hasFocus());
      QCOMPARE(gallery.cards()[1]->isPlaying(), moves);
      gallery.cards()[2]->setFocus();
      QVERIFY(!gallery.cards()[1]->isPlaying());
    }
  }

  void choosingOneOpensACopyAndPlaysIt() {
    MainWindow window({false, {}, false});
    QVERIFY(window.openFirst());
    window.show();
    window.openGallery();
    auto* gallery = window.findChild<Gallery*>();
    QVERIFY(gallery != nullptr);
    ExampleCard* card = gallery->cards().front();
    const QString path = card->example().path;
    QTest::keyClick(card, Qt::Key_Return);
    const auto file = yaml::readSpecFile(path.toStdString(), sampling::catalogue());
    EVENTUALLY(window.workspace().document.spec() == file.read.spec);
    QVERIFY(window.workspace().document.path().isEmpty());
    QVERIFY(window.workspace().playback.isPlaying());
    EVENTUALLY(window.findChild<Gallery*>() == nullptr);
  }
};

SHARDLENS_WINDOW_TEST(GalleryTest)
#include "gallery_test.moc"
