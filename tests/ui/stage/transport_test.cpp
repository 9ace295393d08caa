// SPDX-License-Identifier: Apache-2.0
// The transport: what it goes to, what it shows, what it leaves out where there is little room.
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/scene/stage/strip.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <memory>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

struct Bar {
  explicit Bar(qint64 epochs = 5, qint64 steps = 100, int width = 900) {
    playback.setExtent(epochs, steps);
    bar = std::make_unique<TransportBar>(playback);
    bar->resize(width, bar->sizeHint().height());
    bar->show();
  }

  template <class Control>
  Control* named(const QString& name) const {
    for (Control* control : bar->findChildren<Control*>()) {
      if (control->accessibleName() == name) return control;
    }
    return nullptr;
  }

  Playback playback;
  std::unique_ptr<TransportBar> bar;
};

/// Counts how often a widget is painted.
struct Paints : QObject {
  explicit Paints(QWidget& widget) { widget.installEventFilter(this); }
  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    if (event->type() == QEvent::Paint) ++count;
    return false;
  }
  int count = 0;
};

void type(NumberField* field, const QString& text) {
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, text);
}

/// The first part that has less room than its words or its sign take, or that lies over another one; empty: none.
QString cutIn(const TransportBar& bar) {
  std::vector<const QWidget*> parts;
  for (const QWidget* part : bar.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (part->isVisible()) parts.push_back(part);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const QWidget& part = *parts[i];
    QString name = part.accessibleName();
    int wide = 0;
    int high = part.fontMetrics().height();
    if (const auto* label = qobject_cast<const QLabel*>(&part)) {
      name = label->text();
      wide = label->sizeHint().width();
    } else if (const auto* field = qobject_cast<const QLineEdit*>(&part)) {
      wide = field->fontMetrics().horizontalAdvance(field->text()) + px(16);
      high += 2;
    } else if (const auto* button = qobject_cast<const QToolButton*>(&part)) {
      wide = button->sizeHint().width();
    } else {
      high = part.minimumSizeHint().height();
    }
    if (part.width() < wide || part.height() < high) return name + ": its words";
    if (!bar.rect().contains(part.geometry())) return name + ": outside";
    for (std::size_t k = 0; k < i; ++k) {
      if (part.geometry().intersects(parts[k]->geometry())) return name + ": over " + parts[k]->accessibleName();
    }
  }
  return {};
}

Finding findingAt(Severity severity, std::optional<std::int64_t> epoch, std::optional<std::int64_t> step) {
  Finding finding;
  finding.severity = severity;
  finding.title = "here";
  finding.where.epoch = epoch;
  finding.where.step = step;
  return finding;
}

}  // namespace

class TransportTest : public QObject {
  Q_OBJECT

 private slots:
  /// The Stage of the smallest window, with as many steps as ImageNet has.
  void theNumbersKeepTheirNamesInTheSmallestWindow() {
    installFonts();
    applyTheme(Theme::light());
    const Bar shown(90, 10'010, 437);
    QStringList names;
    for (const QLabel* label : shown.bar->findChildren<QLabel*>()) {
      if (label->isVisible()) names << label->text();
    }
    QVERIFY2(names.contains("epoch") && names.contains("step"), qPrintable(names.join(' ')));
    QVERIFY(shown.named<QToolButton>("Speed: 4 steps per second")->isVisible());
  }

  void theBriefOneHasNoSliders() {
    Bar shown;
    QVERIFY(shown.named<ThinSlider>("Step")->isVisible());
    shown.bar->setBrief(true);
    QVERIFY(!shown.named<ThinSlider>("Step")->isVisible());
    QVERIFY(!shown.bar->findChild<EpochRow*>()->isVisible());
    shown.playback.setExtent(7, 100);
    QVERIFY(!shown.bar->findChild<EpochRow*>()->isVisible());
  }

  void theSliderSeeksAndFollows() {
    Bar shown;
    auto* step = shown.named<ThinSlider>("Step");
    QTest::mouseClick(step, Qt::LeftButton, {}, QPoint(step->width() / 2, step->height() / 2));
    QVERIFY(std::abs(shown.playback.position() - 50) <= 1);
    shown.playback.seek(3, 20);
    QCOMPARE(step->value(), 20);
    QTest::keyClick(step, Qt::Key_Right);
    QCOMPARE(shown.playback.position(), 21.0);
    for (const QWidget* child : shown.bar->findChildren<QWidget*>()) {
      if (child->focusPolicy() != Qt::NoFocus && child->isVisible()) QVERIFY(!child->accessibleName().isEmpty());
    }
  }

  void aClickOnTheRowGoesToTheEpochUnderIt() {
    Bar shown(90);
    auto* row = shown.bar->findChild<EpochRow*>();
    const double pitch = epochPitch(90, row->width(), px(7));
    QTest::mouseClick(row, Qt::LeftButton, {}, QPoint(qRound(61 * pitch) + 3, row->height() - 3));
    QCOMPARE(shown.playback.epoch(), 61);
    Bar one(1);
    QVERIFY(!one.bar->findChild<EpochRow*>()->isVisible());
  }

  /// The plan of another file comes: the ruler is painted again though the slider tells nobody of its range.
  void theRulerCountsTheStepsOfTheNewPlan() {
    Bar shown(5, 8);
    auto* ruler = shown.bar->findChild<StepRuler*>();
    QVERIFY(QTest::qWaitForWindowExposed(shown.bar.get(), 60'000));
    QCoreApplication::processEvents();
    const Paints paints(*ruler);
    shown.playback.setExtent(5, 9);  // as many digits: nothing else moves
    EVENTUALLY(paints.count > 0);
  }

  void typedNumbersAreTakenOnEnterAndGivenUpOnEscape() {
    Bar shown(90, 10'010);
    auto* epoch = shown.named<NumberField>("Epoch");
    auto* step = shown.named<NumberField>("Step");
    type(epoch, "87");
    QCOMPARE(shown.playback.epoch(), 0);
    QTest::keyClick(epoch, Qt::Key_Return);
    QCOMPARE(shown.playback.epoch(), 87);
    type(step, "1e4");
    QTest::keyClick(step, Qt::Key_Return);
    QCOMPARE(shown.playback.position(), 10'000.0);
    type(step, "7");
    QTest::keyClick(step, Qt::Key_Escape);
    QCOMPARE(step->text(), number(10'000));
    type(step, "nonsense");
    QTest::keyClick(step, Qt::Key_Return);
    QCOMPARE(step->text(), number(10'000));
    type(step, "99999999");
    QTest::keyClick(step, Qt::Key_Return);
    QCOMPARE(shown.playback.position(), 10'010.0);
    QTest::keyClick(step, Qt::Key_Down);
    QCOMPARE(shown.playback.position(), 10'009.0);
  }

  void whatIsBeingTypedIsLeftAloneWhilePlaying() {
    Bar shown;
    auto* step = shown.named<NumberField>("Step");
    type(step, "42");
    shown.playback.seek(0, 7);
    QCOMPARE(step->text(), QStringLiteral("42"));
  }

  void whatHasNoRoomIsLeftOutAndNothingOverlaps() {
    for (const int width : {388, 420, 560, 900, 2400}) {
      Bar shown(90, 1'000'000, width);
      shown.bar->resize(width, shown.bar->height());
      std::vector<QRect> places;
      for (const QWidget* child : shown.bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (child->isVisible()) places.push_back(child->geometry());
      }
      for (std::size_t i = 0; i < places.size(); ++i) {
        QVERIFY2(places[i].left() >= 0 && places[i].right() < width,
                 qPrintable(QStringLiteral("%1: %2 to %3").arg(width).arg(places[i].left()).arg(places[i].right())));
        for (std::size_t k = 0; k < i; ++k) QVERIFY(!places[i].intersects(places[k]));
      }
      QVERIFY(shown.named<NumberField>("Step")->isVisible());
      QVERIFY(shown.named<TransportButton>("Play")->isVisible());
    }
  }

  /// From 900 px to 4K, with fonts of 100 and 140 %, in the Stage of the smallest window and on a page of its own.
  void nothingIsCutAtAnyWidthAndFont() {
    const QFont usual = QApplication::font();
    for (const int percent : {100, 140}) {
      QFont font = usual;
      font.setPixelSize(qRound(13 * percent / 100.0));
      QApplication::setFont(font);
      applyTheme(Theme::light());
      for (const int width : {437, 620, 900, 1280, 1920, 3840}) {
        for (const auto& [epochs, steps] : {std::pair{qint64{1}, qint64{20}}, {90, 10'010}, {100'000, 100'000'000}}) {
          if (width < 900 && percent > 100) continue;  // the smallest window is larger with larger letters
          const Bar shown(epochs, steps, width);
          const QString cut = cutIn(*shown.bar);
          QVERIFY2(cut.isEmpty(), qPrintable(QString("%1 % at %2: %3").arg(percent).arg(width).arg(cut)));
          QCOMPARE(shown.named<ThinSlider>("Step")->width(), width);
          QCOMPARE(shown.named<TransportButton>("Start of the epoch")->isVisible(),
                   shown.named<TransportButton>("End of the epoch")->isVisible());
          const bool has_room = width >= 900;
          for (const auto* button : shown.bar->findChildren<TransportButton*>())
            QVERIFY2(!has_room || button->isVisible(), qPrintable(button->accessibleName()));
        }
      }
    }
    QApplication::setFont(usual);
    applyTheme(Theme::light());
  }

  void anEpochASecondIsASpeed() {
    Bar shown(5, 300);
    const QList<QAction*> actions = shown.bar->findChild<QToolButton*>()->menu()->actions();
    QCOMPARE(actions.back()->text(), QStringLiteral("1 epoch per second"));
    actions.back()->trigger();
    QCOMPARE(shown.playback.speed(), 300.0);
  }

  void epochsShareBlocksOnlyWhereThereIsNoRoom() {
    const std::vector<EpochBlock> few = epochBlocks(90, 700, 7);
    QCOMPARE(few.size(), std::size_t{90});
    QVERIFY(few[10].is_tenth && !few[11].is_tenth);
    for (const auto& [epochs, width] : {std::pair{qint64{90}, 700.0}, {qint64{5000}, 700.0}, {qint64{3}, 380.0}}) {
      const std::vector<EpochBlock> blocks = epochBlocks(epochs, width, 7);
      QCOMPARE(blocks.front().first, 0);
      QCOMPARE(blocks.back().last, epochs);
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        QVERIFY(blocks[i].to > blocks[i].from && blocks[i].to <= width);
        if (i > 0) QCOMPARE(blocks[i].first, blocks[i - 1].last);
      }
      QVERIFY(static_cast<double>(blocks.size()) * 3 <= width + 3);
      for (const EpochBlock& block : blocks) {
        const qint64 epoch = epochAt(epochs, width, 7, (block.from + block.to) / 2);
        QVERIFY(epoch >= block.first && epoch < block.last);
      }
    }
  }

  void fewEpochsAreSmallBlocksAndNoBar() {
    for (const EpochBlock& block : epochBlocks(2, 700, 7)) QCOMPARE(block.to - block.from, 7.0);
    QCOMPARE(epochAt(2, 700, 7, 12), qint64{1});
    QCOMPARE(epochAt(2, 700, 7, 600), qint64{1});
  }

  void findingsMarkTheirPlacesTheGravestOnTop() {
    AuditReport report;
    report.findings = {findingAt(Severity::Error, 1, 20), findingAt(Severity::Warning, 1, std::nullopt),
                       findingAt(Severity::Info, std::nullopt, std::nullopt), findingAt(Severity::Info, 2, 3)};
    report.findings.push_back(findingAt(Severity::Info, 0, 0));
    report.findings.back().is_proof = true;
    const std::vector<TimeMark> marks = timeMarks(report);
    QCOMPARE(marks.size(), std::size_t{3});
    QCOMPARE(marks.back(), (TimeMark{1, 20, Tone::Error, "here"}));
    Bar shown;
    shown.bar->setMarks(marks);
    const QImage without = shown.named<ThinSlider>("Step")->grab().toImage();
    shown.playback.seek(1, 0);
    QVERIFY(shown.named<ThinSlider>("Step")->grab().toImage() != without);
  }
};

SHARDLENS_WINDOW_TEST(TransportTest)
#include "transport_test.moc"
