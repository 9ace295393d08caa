// SPDX-License-Identifier: Apache-2.0
// What the window says of a column is what the command line says of it.
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/random_seed.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/lens/lanes_of.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/lens/lens_column_view.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <random>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// A small spec of this sampler with its own defaults; sizes, world and loader are drawn.
PipelineSpec drawn(const std::string& type, std::mt19937_64& random) {
  const auto below = [&random](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  PipelineSpec spec;
  spec.dataset.size = 1 + below(60);
  spec.world = {1 + below(2), 1 + below(3)};
  spec.loader.batch_size = 1 + below(5);
  spec.loader.drop_last = below(2) == 0;
  spec.loader.num_workers = below(2);
  spec.epochs = 1 + below(3);
  spec.seeds.rule = below(2) == 0 ? "same" : "base+rank";
  spec.sampler = {type, {}};
  return spec;
}

/// What the command line writes about the column, with single blanks between words.
QString saidOf(const QString& output, const QString& id) {
  const qsizetype from = output.indexOf("[" + id + "]");
  const qsizetype to = output.indexOf("\n\n", from);
  return from < 0 ? QString() : output.mid(from, to < 0 ? -1 : to - from).simplified();
}

QString uncapitalized(const QString& text) {
  return text.left(1).toLower() + text.mid(1);
}

}  // namespace

class LensTextTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(Theme::light()); }

  void whatANoteNamesIsALink() {
    LensColumnView column;
    QSignalSpy wanted(&column, &LensColumnView::placeWanted);
    LensLane lane;
    lane.judged.column.id = "accelerate";
    lane.judged.column.makes = "Rank 1 begins with sample 7.";
    column.setLane(lane);
    const auto labels = column.findChildren<LinkLabel*>();
    const auto note =
        std::ranges::find_if(labels, [](const LinkLabel* one) { return one->plain().startsWith("Rank 1"); });
    QVERIFY(note != labels.end() && (*note)->text().contains("href"));
    emit(*note)->linkActivated(linkTo({{}, {}, {}, 7}));
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.front().front().value<Selected>().sample.value_or(-1), 7);
  }

  /// Some messages of frameworks begin with a space.
  void aMessageBeginsAtTheEdge() {
    LensColumnView column;
    LensLane lane;
    lane.judged.column.id = "lightning";
    Error error;
    error.raised = "TypeError";
    error.message = " Lightning can't inject a sampler" + std::string(200, '.');
    lane.judged.column.error = error;
    column.setLane(lane);
    const auto labels = column.findChildren<LinkLabel*>();
    QVERIFY(
        std::ranges::any_of(labels, [](const LinkLabel* one) { return one->plain().startsWith("Lightning can't"); }));
  }

  void windowAndCommandLineSayTheSame_data() {
    QTest::addColumn<QString>("type");
    for (const sampling::SamplerRule& rule : sampling::rules()) {
      QTest::newRow(rule.info.type.c_str()) << QString::fromStdString(rule.info.type);
    }
  }

  void windowAndCommandLineSayTheSame() {
    QFETCH(QString, type);
    std::mt19937_64 random(qHash(type, 7));
    const test::TempFolder folder;
    const std::string file = (folder / "spec.yaml").string();
    for (int i = 0; i < test::rounds(1); ++i) {
      const PipelineSpec spec = drawn(type.toStdString(), random);
      const std::vector<LensLane> lanes = test::lanesOf(spec);
      QVERIFY(!lanes.empty());
      if (lanes.front().judged.column.error) continue;  // the command line answers with the error alone
      test::spill(file, yaml::writeSpec(spec, sampling::catalogue()));
      const auto finished = test::runShell(test::binDir() + "/shardlens lens " + file);
      QCOMPARE(finished.code, 0);
      for (const LensLane& lane : lanes) compare(lane, QString::fromStdString(finished.out));
    }
  }

 private:
  static void compare(const LensLane& lane, const QString& output) {
    LensColumnView view;
    view.setLane(lane);
    QVERIFY(!view.verdict().isEmpty());
    const QString said = saidOf(output, QString::fromStdString(lane.judged.column.id));
    QString expected = "verdict " + uncapitalized(view.verdict());
    if (!lane.detail().isEmpty()) expected += ", " + uncapitalized(lane.detail());
    QStringList all = {expected, "result " + lane.headline()};
    if (!lane.cost.isEmpty()) all << uncapitalized(lane.change) + "; " + uncapitalized(lane.cost);
    if (!lane.cost.isEmpty() && !view.shares().isEmpty()) all << "shares " + view.shares();
    for (const QString& words : all) {
      QVERIFY2(said.contains(words.simplified()), qPrintable(words + "\nnot in\n" + said));
    }
    QVERIFY(view.headline().endsWith(lane.headline()));
    QVERIFY(lane.cost.isEmpty() || (view.price().contains(lane.cost) && view.price().contains(lane.change)));
  }
};

SHARDLENS_WINDOW_TEST(LensTextTest)
#include "lens_text_test.moc"
