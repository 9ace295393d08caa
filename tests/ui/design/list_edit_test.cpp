// SPDX-License-Identifier: GPL-3.0-or-later
// What a list may hold in a spec, and what is read for it, without a widget.
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "ui/scene/design/form.h"

#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

Field fieldOf(const PipelineSpec& spec, const char* path) {
  return *findField(spec, sampling::catalogue(), path);
}

IndexList itemsOf(const ListAnswer& answer) {
  return answer.value ? std::get<IndexList>(*answer.value) : IndexList();
}

PipelineSpec specOf(const char* sampler) {
  PipelineSpec spec;
  spec.sampler.type = sampler;
  return spec;
}

}  // namespace

class ListEditTest : public QObject {
  Q_OBJECT

 private slots:
  void samplesAreThoseOfTheDataset() {
    const PipelineSpec spec = specOf("torch.SubsetRandomSampler");
    const Field field = fieldOf(spec, "sampler.indices");
    const lists::ListRules rules = listRules(field, spec);
    QCOMPARE(rulesText(field, rules), QString("samples 0 to 15"));
    const ListAnswer good = readListText(field, rules, "0..7, 12", {});
    QCOMPARE(good.count, QString("9 items, from 0 to 12"));
    QCOMPARE(itemsOf(good), (IndexList{0, 1, 2, 3, 4, 5, 6, 7, 12}));
    const ListAnswer bad = readListText(field, rules, "3\n16\n", {});
    QVERIFY(!bad.value);
    QCOMPARE(bad.faults, QStringList{"line 2: 16 is out of range: it must be from 0 to 15."});
    QCOMPARE(bad.lines, std::vector<int>{1});
  }

  /// Whoever types a long line looks for one number in it.
  void onlyTheItemsAtFaultAreMarked() {
    const PipelineSpec spec = specOf("torch.SubsetRandomSampler");
    const Field field = fieldOf(spec, "sampler.indices");
    const auto marked = [&, rules = listRules(field, spec)](const char* given) {
      return readListText(field, rules, given, {}).spans;
    };
    QVERIFY(marked("0..4,7,9").empty());
    QCOMPARE(marked("0..4,7,99"), (std::vector<ListSpan>{{0, 7, 2}}));
    QCOMPARE(marked("1, 2\n 16, 3, four"), (std::vector<ListSpan>{{1, 1, 2}, {1, 8, 4}}));
    QCOMPARE(marked("[1, 2, 70]"), (std::vector<ListSpan>{{0, 7, 2}}));
    QCOMPARE(marked("1, 99 x 99, 2"), (std::vector<ListSpan>{{0, 3, 7}}));
  }

  void labelsAreOneForEachSample() {
    const PipelineSpec spec = specOf("catalyst.BalanceClassSampler");
    const Field field = fieldOf(spec, "dataset.labels");
    const lists::ListRules rules = listRules(field, spec);
    QVERIFY(rulesText(field, rules).endsWith("one for each of 16 samples"));
    QVERIFY(!readListText(field, rules, "0..14", {}).value);
    QVERIFY(readListText(field, rules, "0..15", {}).value.has_value());
  }

  void weightsMayBeAPattern() {
    const PipelineSpec spec = specOf("torch.WeightedRandomSampler");
    const Field field = fieldOf(spec, "sampler.weights");
    const lists::ListRules rules = listRules(field, spec);
    QCOMPARE(std::get<std::string>(*readListText(field, rules, " uniform\n", {}).value), std::string("uniform"));
    QVERIFY(std::get<NumberList>(*readListText(field, rules, "1, 0.5", {}).value) == NumberList({1, 0.5}));
    QVERIFY(!readListText(field, rules, "unifrom", {}).value);
  }

  void aListIsShownAsTextThatReadsBack() {
    const PipelineSpec spec = specOf("torch.SubsetRandomSampler");
    const Field field = fieldOf(spec, "sampler.indices");
    const IndexList list{0, 1, 2, 5, 4, 9};
    const auto shown = editableText(field, list);
    QCOMPARE(*shown, QString("0..2, 5, 4, 9"));
    QCOMPARE(itemsOf(readListText(field, listRules(field, spec), shown->toStdString(), {})), list);
    std::vector<std::int64_t> long_list(300'000, 7);
    QVERIFY(!editableText(field, IndexList(std::move(long_list))));
  }

  void filesAreReadByTheirFormat() {
    const test::TempFolder folder;
    test::spill(folder / "ids.csv", "name,id\na,3\nb,99\n");
    test::spill(folder / "ids.json", "[1, 2]");
    const PipelineSpec spec = specOf("torch.SubsetRandomSampler");
    const lists::ListRules rules = listRules(fieldOf(spec, "sampler.indices"), spec);
    const ListAnswer table = readListFile(rules, folder / "ids.csv", {}, {});
    QCOMPARE(table.columns, (QStringList{"name", "id"}));
    QCOMPARE(table.column, 1);
    QCOMPARE(table.faults.size(), 1);
    QCOMPARE(itemsOf(readListFile(rules, folder / "ids.json", {}, {})), (IndexList{1, 2}));
    QVERIFY(!readListFile(rules, folder / "none.npy", {}, {}).faults.isEmpty());
  }

  void aStoppedReadingOfAFileGivesNoList() {
    const test::TempFolder folder;
    test::spill(folder / "ids.txt", "0..3");
    const PipelineSpec spec = specOf("torch.SubsetRandomSampler");
    std::stop_source stop;
    stop.request_stop();
    const lists::ListRules rules = listRules(fieldOf(spec, "sampler.indices"), spec);
    QVERIFY(!readListFile(rules, folder / "ids.txt", {}, Work{stop.get_token(), {}}).value);
    QVERIFY(readListFile(rules, folder / "ids.txt", {}, {}).value.has_value());
  }

  void manyFaultsAreCounted() {
    const PipelineSpec spec = specOf("torch.SubsetRandomSampler");
    const Field field = fieldOf(spec, "sampler.indices");
    const ListAnswer answer =
        readListText(field, listRules(field, spec), std::string(600, 'x').replace(3, 1, "\n"), {});
    QCOMPARE(answer.faults.size(), 2);
    std::string many;
    for (int i = 0; i < 150; ++i) many += "x\n";
    QCOMPARE(readListText(field, listRules(field, spec), many, {}).faults.back(), QString("and 50 more"));
  }
};

SHARDLENS_WINDOW_TEST(ListEditTest)
#include "list_edit_test.moc"
