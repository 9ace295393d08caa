// SPDX-License-Identifier: GPL-3.0-or-later
// What the bar above a recording says of a command that reports nothing itself.
#include "ui/widgets/run/autopsy_bar.h"

#include "core/base/process.h"
#include "core/record/recording_writer.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/run/run_page.h"

#include <QTest>

#include <string>

using namespace shardlens;
using namespace shardlens::ui;

class AutopsyBarTest : public QObject {
  Q_OBJECT

  test::TempFolder folder_;

  static PipelineSpec spec() {
    PipelineSpec spec;
    spec.name = "seen";
    spec.dataset.size = 10;
    spec.world = {1, 1};
    spec.sampler.type = "torch.SequentialSampler";
    spec.loader.batch_size = 2;
    spec.epochs = 1;
    return spec;
  }

  /// Of `run SPEC -- COMMAND`, which read its five batches in their order.
  QString recordingOfCommand() {
    const auto path = folder_ / "seen.slrun";
    auto writer = RecordingWriter::create(path);
    RunBegin begin;
    begin.spec_yaml = yaml::writeSpec(spec(), sampling::catalogue());
    begin.reports = false;
    writer->add({1, begin});
    writer->add({2, RunEnd{}});
    (void)writer->flush();
    test::ProbeText text(0, 1, 1);
    text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    text.news(0, 5, 5);
    text.end();
    test::spill(path / "h-1.slprobe", text.bytes());
    return QString::fromStdString(path.string());
  }

 private slots:
  void initTestCase() { qputenv("SHARDLENS_RUNS", (folder_ / "runs").c_str()); }

  /// As `shardlens verify` does.
  void whatAProbeSawIsCompared() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.show();
    workspace.document.reset(spec());
    QVERIFY(workspace.runs.open(recordingOfCommand()).has_value());
    EVENTUALLY_EQUAL(page.findChild<AutopsyBar*>("autopsyBar")->verifyText(),
                     QString("verify: match · all 5 planned batches"));
  }

  /// A part of it would be called incomplete.
  void aRecordingThatStillGrowsIsComparedWhenItIsOver() {
    const auto live = makeRunFolder(folder_ / "runs", spec());
    QVERIFY(live && live->writeProcess(thisProcess()).has_value());
    test::FakeRunFile file(live->runFile(), Plan::make(spec()).value(), yaml::writeSpec(spec(), sampling::catalogue()));
    file.step(0, 0);
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.show();
    workspace.document.reset(spec());
    QVERIFY(workspace.runs.open(QString::fromStdString(live->runFile().string())).has_value());
    const auto* bar = page.findChild<AutopsyBar*>("autopsyBar");
    EVENTUALLY(workspace.runs.isActive() && workspace.runs.state() != nullptr && LatestJob::allIdle());
    QCOMPARE(bar->verifyText(), QString());
    for (std::int64_t step = 1; step < 5; ++step) file.step(0, step);
    file.bye();
    file.end();
    EVENTUALLY_EQUAL(bar->verifyText(), QString("verify: match · all 5 planned batches"));
  }
};

SHARDLENS_WINDOW_TEST(AutopsyBarTest)
#include "autopsy_bar_test.moc"
