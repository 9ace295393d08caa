// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of numbers, and what a field says of itself, without a widget.
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "tests/support/window_main.h"
#include "ui/scene/design/form.h"

#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

class FieldStepTest : public QObject {
  Q_OBJECT

 private slots:
  void aStepOfDraggingGrowsWithTheNumber() {
    const Field field = intField("loader.batch_size", 2, 1, 1'000'000, "", "");
    QCOMPARE(scrubbedText(field, "2", 3), QString("5"));
    QCOMPARE(scrubbedText(field, "5000", 2), scrubbedText(field, "5100", 0));
    QCOMPARE(scrubbedText(field, "2", -40), QString("1"));
    QCOMPARE(scrubbedText(field, "999 999", 500), scrubbedText(field, "1000000", 0));
    QVERIFY(scrubbedText(field, "many", 1).isEmpty());
    QCOMPARE(steppedText(field, "5000", 1), scrubbedText(field, "5001", 0));
  }

  void aCommandInAHelpTextHasNoBackticks() {
    const Field field = intField("limit", 2, 1, 9, "", "What `shardlens check` allows; `none` is no limit.");
    QCOMPARE(helpText(field), QString("What shardlens check allows; `none` is no limit."));
  }

  void aUnitIsNotSaidTwice() {
    const Field field = intField("loader.num_workers", 0, 0, 100, "per rank", "");
    QCOMPARE(shownUnit(field, {}), QString("per rank"));
    QVERIFY(shownUnit(field, "per rank, 4 in all").isEmpty());
    QVERIFY(shownUnit(intField("world.nodes", 1, 1, 100, "nodes", ""), {}).isEmpty());
    QVERIFY(shownUnit(intField("loader.prefetch_factor", 1, 1, 100, "", ""), {}).isEmpty());
  }

  void aFractionMovesByHundredths() {
    const Field field{.path = "run.load_ms", .kind = FieldKind::Float, .fallback = 2.0, .min = 0, .max = 100};
    QCOMPARE(scrubbedText(field, "0.5", 25), QString("0.75"));
    QCOMPARE(scrubbedText(field, "0.5", -90), QString("0"));
  }

  void aTipSaysUnitDefaultAndWhereTheValueComesFrom() {
    const PipelineSpec spec;
    const Field size = *findField(spec, sampling::catalogue(), "dataset.size");
    const QString set = fieldTip(size, std::int64_t{17}, spec, {});
    QVERIFY(set.contains("Unit: samples."));
    QVERIFY(set.contains("Set here, instead of the default (16)."));
    QVERIFY(fieldTip(size, size.fallback, spec, {}).contains("This is the default (16)."));
    const Field shuffle = *findField(spec, sampling::catalogue(), "sampler.shuffle");
    QVERIFY(fieldTip(shuffle, shuffle.fallback, spec, {}).contains("This is PyTorch's default (on)."));
    const Field labels = *findField(spec, sampling::catalogue(), "dataset.labels");
    QVERIFY(fieldTip(labels, IndexList{1}, spec, "ten classes in turn").contains("Made up: ten classes in turn."));
  }
};

SHARDLENS_WINDOW_TEST(FieldStepTest)
#include "field_step_test.moc"
