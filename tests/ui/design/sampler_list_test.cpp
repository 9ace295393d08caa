// SPDX-License-Identifier: GPL-3.0-or-later
// The list of samplers and its previews, without a widget.
#include "ui/scene/design/sampler_list.h"

#include "core/sampling/registry.h"
#include "tests/support/window_main.h"

#include <QTest>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

const std::vector<SamplerRow>& allRows() {
  static const std::vector<SamplerRow> kRows = samplerRows(sampling::catalogue());
  return kRows;
}

QStringList typesOf(const SamplerFilter& filter) {
  QStringList types;
  for (const SamplerRow& row : wantedRows(allRows(), filter)) types << QString::fromStdString(row.type);
  return types;
}

SamplerPreview previewOf(const char* type) {
  return samplerPreview(type, sampling::catalogue(), {}).value_or(SamplerPreview{});
}

}  // namespace

class SamplerListTest : public QObject {
  Q_OBJECT

 private slots:
  void everySamplerIsARowUnderItsFramework() {
    QCOMPARE(allRows().size(), sampling::catalogue().size());
    QCOMPARE(allRows().front().type, std::string("torch.DistributedSampler"));
    int all = 0;
    for (const FrameworkCount& framework : frameworkCounts(allRows(), {})) {
      QVERIFY(framework.count > 0);
      all += framework.count;
    }
    QCOMPARE(all, static_cast<int>(allRows().size()));
    for (const SamplerRow& row : allRows()) {
      QVERIFY(!row.name.isEmpty() && !row.summary.isEmpty());
      QVERIFY(row.has(SamplerTagKind::Divides) != row.has(SamplerTagKind::Everywhere));
    }
  }

  void wordsChooseByNameFrameworkPurposeAndNeed() {
    const QStringList weighted = typesOf({.words = "weightedrandom"});
    QCOMPARE(weighted.front(), QString("torch.WeightedRandomSampler"));
    for (const QString& type : weighted) QVERIFY2(type.contains("WeightedRandom"), qPrintable(type));
    QVERIFY(typesOf({.words = "mmengine infinite"}) == QStringList{"mmengine.InfiniteSampler"});
    QVERIFY(typesOf({.words = "semi-supervised"}).contains("ssl4mis.TwoStreamBatchSampler"));
    QVERIFY(typesOf({.words = "Two Lists"}).contains("meanteacher.TwoStreamBatchSampler"));
    QVERIFY(typesOf({.words = "no such thing"}).isEmpty());
  }

  void aNameComesBeforeADescription() {
    const QStringList found = typesOf({.words = "DistributedSampler"});
    QCOMPARE(found.front(), QString("torch.DistributedSampler"));
    QVERIFY(found.indexOf("lightning.UnrepeatedDistributedSampler") <
            found.indexOf("transformers.DistributedLengthGroupedSampler"));
  }

  void filtersLeaveWhatTheySay() {
    for (const QString& type : typesOf({.framework = "PyTorch"}))
      QVERIFY(type.startsWith("torch.") || type.startsWith("python."));
    QVERIFY(typesOf({.evaluation = true}).contains("transformers.SequentialDistributedSampler"));
    QVERIFY(!typesOf({.training = true}).contains("transformers.SequentialDistributedSampler"));
    QVERIFY(!typesOf({.no_lists = true}).contains("ssl4mis.TwoStreamBatchSampler"));
    const std::vector<FrameworkCount> counts =
        frameworkCounts(allRows(), {.words = "webdataset", .framework = "PyTorch"});
    const auto webdataset = std::ranges::find(counts, QString("WebDataset"), &FrameworkCount::title);
    QCOMPARE(webdataset->count, 2);
  }

  void everyPreviewIsAPlanOfSixteenSamplesOnTwoRanks() {
    for (const SamplerInfo& info : sampling::catalogue()) {
      const SamplerPreview preview = previewOf(info.type.c_str());
      QVERIFY2(preview.error.isEmpty(), qPrintable(QString::fromStdString(info.type) + ": " + preview.error));
      QCOMPARE(preview.stage.ranks(), 2);
      QCOMPARE(preview.stage.dataset_size, 16);
      QVERIFY2(preview.stage.steps > 0, info.type.c_str());
      QVERIFY(!preview.outcome.isEmpty() && !preview.beware.isEmpty());
    }
  }

  void aPreviewSaysWhatBecomesOfTheSamples() {
    QCOMPARE(previewOf("torch.DistributedSampler").outcome, QString("Each sample is read once."));
    QVERIFY(!previewOf("torch.DistributedSampler").loses);
    QVERIFY(previewOf("torch.SequentialSampler").outcome.startsWith("Both ranks read the whole dataset."));
    QVERIFY(previewOf("torch.SequentialSampler").loses);
    QVERIFY(previewOf("torch.WeightedRandomSampler").outcome.contains("No rank reads"));
  }

  /// Read off the plan of the preview: the sentence cannot say other than what is drawn below it.
  void aPreviewSaysHowItDeals() {
    QCOMPARE(previewOf("torch.DistributedSampler").deals,
             QString("From one order for all ranks, rank 0 takes the 1st, 3rd, 5th… sample and rank 1 the 2nd, 4th, "
                     "6th…"));
    QCOMPARE(previewOf("torch.SequentialSampler").deals, QString("Both ranks read the dataset in its own order."));
    QCOMPARE(previewOf("transformers.SequentialDistributedSampler").deals,
             QString("The dataset is cut in two: rank 0 reads its first part, rank 1 the second."));
    for (const SamplerInfo& info : sampling::catalogue()) {
      QVERIFY2(!previewOf(info.type.c_str()).deals.isEmpty(), info.type.c_str());
    }
  }

  void listsThatWereMadeUpAreSaidToBe() {
    QVERIFY(previewOf("torch.DistributedSampler").made_up.isEmpty());
    QCOMPARE(previewOf("ssl4mis.TwoStreamBatchSampler").made_up,
             QString("primary_indices: the first half of the dataset; secondary_indices: the second half of the "
                     "dataset"));
    for (const SamplerInfo& info : sampling::catalogue()) {
      QVERIFY2(!previewOf(info.type.c_str()).made_up.contains(": ;"), info.type.c_str());
      QVERIFY2(!previewOf(info.type.c_str()).made_up.endsWith(": "), info.type.c_str());
    }
  }

  void aStoppedPreviewIsNone() {
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!samplerPreview("torch.DistributedSampler", sampling::catalogue(), Work{stop.get_token(), {}}));
  }
};

SHARDLENS_WINDOW_TEST(SamplerListTest)
#include "sampler_list_test.moc"
