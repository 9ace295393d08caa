// SPDX-License-Identifier: Apache-2.0
// The gallery: what its cards say is computed from their files; choosing one opens a copy and plays it.
#include "ui/widgets/start/gallery.h"

#include "core/audit/audit.h"
#include "core/yaml/spec_file.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/common/segmented.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/start/example_card.h"
#include "ui/window/main_window.h"

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

QTEST_MAIN(GalleryTest)
#include "gallery_test.moc"
