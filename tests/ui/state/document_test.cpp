// SPDX-License-Identifier: Apache-2.0
#include "ui/state/document.h"

#include "core/spec/field_table.h"
#include "tests/support/window_main.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

Value whole(std::int64_t number) {
  return number;
}

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

Result<yaml::Saved> save(Document& document, const QString& path) {
  const Document::Saving saving = document.saving(path);
  auto saved = saving.write();
  if (saved) document.saved(saving, *saved);
  return saved;
}

Issues open(Document& document, const QString& path) {
  yaml::SpecFile file = yaml::readSpecFile(path.toStdString(), document.catalogue());
  Issues issues = file.read.issues;
  if (issues.empty()) document.show(std::move(file), path);
  return issues;
}

}  // namespace

class DocumentTest : public QObject {
  Q_OBJECT

 private slots:
  void typingInOneFieldIsOneCommand() {
    Document document;
    for (const std::int64_t size : {1, 12, 128}) QVERIFY(document.edit({{"dataset.size", whole(size)}}, "size"));
    QCOMPARE(document.undoStack().count(), 1);
    document.undoStack().undo();
    QCOMPARE(document.spec(), PipelineSpec{});
    document.undoStack().redo();
    QCOMPARE(document.spec().dataset.size, 128);
  }

  void leavingTheFieldEndsTheCommand() {
    Document document;
    QVERIFY(document.edit({{"dataset.size", whole(20)}}, "size"));
    document.endTyping();
    QVERIFY(document.edit({{"dataset.size", whole(30)}}, "size"));
    QCOMPARE(document.undoStack().count(), 2);
    document.undoStack().undo();
    QCOMPARE(document.spec().dataset.size, 20);
  }

  void typingBackToTheOldValueLeavesNothingToUndo() {
    Document document;
    const std::int64_t before = document.spec().dataset.size;
    QVERIFY(document.edit({{"dataset.size", whole(1)}}, "size"));
    QVERIFY(document.edit({{"dataset.size", whole(before)}}, "size"));
    QVERIFY(!document.undoStack().canUndo());
    QVERIFY(!document.isModified());
  }

  /// A list of ten million items is one piece of memory, whatever is edited beside it.
  void aChangeSaysWhetherItCanBeTakenBack() {
    Document document;
    const auto pushed = [&](std::int64_t size) { return *document.edit({{"dataset.size", whole(size)}}, "size"); };
    const std::int64_t first = document.spec().dataset.size;
    QVERIFY(!pushed(first));
    QVERIFY(pushed(first + 1));
    QVERIFY(pushed(first + 2));  // merges
    QVERIFY(!pushed(first));     // nothing is left of the typing
    QCOMPARE(document.undoStack().count(), 0);
    PipelineSpec other = document.spec();
    QVERIFY(!document.replace(other, "the same"));
    other.epochs += 1;
    QVERIFY(document.replace(other, "another"));
  }

  void editingAndUndoingNeverCopiesALongList() {
    Document document;
    PipelineSpec spec;
    spec.dataset.labels = IndexList(10'000'000, 5);
    document.reset(spec);
    const std::int64_t* items = spec.dataset.labels.items().data();
    for (const std::int64_t size : {20, 30, 40}) {
      document.endTyping();
      QVERIFY(document.edit({{"dataset.size", whole(size)}}, "size"));
    }
    QVERIFY(document.edit({{"dataset.labels", IndexList()}}, "labels"));
    QVERIFY(document.spec().dataset.labels.empty());
    for (int i = 0; i < 4; ++i) document.undoStack().undo();
    QCOMPARE(document.spec(), spec);
    QVERIFY(document.spec().dataset.labels.items().data() == items);
  }

  void theHistoryIsBounded() {
    Document document;
    for (std::int64_t size = 1; size <= 2000; ++size) {
      document.endTyping();
      QVERIFY(document.edit({{"dataset.size", whole(100 + size)}}, "size"));
    }
    QCOMPARE(document.undoStack().count(), 1000);
    while (document.undoStack().canUndo()) document.undoStack().undo();
    QCOMPARE(document.spec().dataset.size, 1100);
  }

  /// Each list takes 80 MB; those that only the history keeps take a gigabyte at most.
  void theHistoryIsBoundedByTheMemoryOfItsLists() {
    Document document;
    const auto list = [](std::int64_t label) { return IndexList(10'000'000, label); };
    QVERIFY(document.edit({{"dataset.size", whole(99)}}, "size"));
    for (std::int64_t label = 1; label <= 20; ++label) {
      document.endTyping();
      QVERIFY(document.edit({{"dataset.labels", list(label)}}, "labels"));
    }
    QCOMPARE(document.undoStack().count(), 12);  // and so many lists of the past: 960 MB
    QVERIFY(document.isModified());
    QCOMPARE(document.undoStack().undoText(), "labels");
    for (std::int64_t label = 19; label >= 8; --label) {
      document.undoStack().undo();
      QCOMPARE(document.spec().dataset.labels.front(), label);
    }
    QVERIFY(!document.undoStack().canUndo());
    QVERIFY(document.isModified());  // how it began cannot be reached any more
    while (document.undoStack().canRedo()) document.undoStack().redo();
    QCOMPARE(document.spec().dataset.labels.front(), 20);
  }

  void aListThatManyStepsShareCountsOnce() {
    Document document;
    const IndexList list(10'000'000, 5);
    for (int i = 0; i < 40; ++i) {
      document.endTyping();
      QVERIFY(document.edit({{"dataset.labels", i % 2 == 0 ? list : IndexList()}}, "labels"));
    }
    QCOMPARE(document.undoStack().count(), 40);
  }

  /// A file that was saved meanwhile is still what "not modified" means.
  void forgettingKeepsWhatWasSaved() {
    Document document;
    const auto put = [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t label = from; label <= to; ++label) {
        document.endTyping();
        QVERIFY(document.edit({{"dataset.labels", IndexList(10'000'000, label)}}, "labels"));
      }
    };
    put(1, 10);
    document.undoStack().setClean();
    const QSignalSpy changes(&document, &Document::modifiedChanged);
    put(11, 16);
    QCOMPARE(changes.count(), 1);
    QVERIFY(document.isModified());
    while (document.spec().dataset.labels.front() > 10) document.undoStack().undo();
    QVERIFY(!document.isModified());
  }

  void typingInARecordIsOneCommandAndAddingOneIsAnother() {
    Document document;
    const Record fresh{{{"rank", whole(1)}, {"ms", 0.0}}};
    QVERIFY(document.edit({{"run.delays", RecordList{fresh}}}, "add"));
    QVERIFY(document.edit({{"run.delays", RecordList{fresh, fresh}}}, "add"));
    for (const double ms : {4.0, 40.0}) QVERIFY(document.edit({{"run.delays[1].ms", ms}}, "ms"));
    QCOMPARE(document.undoStack().count(), 3);
    document.undoStack().undo();
    QCOMPARE(document.spec().run.delays[1].ms, 0.0);
    document.undoStack().undo();
    QCOMPARE(document.spec().run.delays.size(), std::size_t{1});
    document.undoStack().redo();
    document.undoStack().redo();
    QCOMPARE(document.spec().run.delays[1].ms, 40.0);
  }

  void choicesDoNotMerge() {
    Document document;
    QVERIFY(document.edit({{"loader.drop_last", true}}, "drop"));
    QVERIFY(document.edit({{"loader.drop_last", false}}, "drop"));
    QCOMPARE(document.undoStack().count(), 2);
  }

  void severalEditsAreOneCommandAndAllOrNothing() {
    Document document;
    const auto refused = document.edit({{"dataset.size", whole(99)}, {"loader.batch_size", whole(0)}}, "two");
    QVERIFY(!refused);
    QCOMPARE(refused.error().place.field, std::string("loader.batch_size"));
    QCOMPARE(document.spec(), PipelineSpec{});
    QVERIFY(document.edit({{"dataset.size", whole(99)}, {"loader.batch_size", whole(3)}}, "two"));
    document.undoStack().undo();
    QCOMPARE(document.spec(), PipelineSpec{});
  }

  void anUnknownFieldIsRefusedByName() {
    Document document;
    const auto refused = document.edit({{"sampler.sed", whole(1)}}, "x");
    QVERIFY(!refused);
    QVERIFY(refused.error().text().find("sampler.sed") != std::string::npos);
  }

  void savingAndOpeningGivesTheSameSpecAndACleanDocument() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.yaml");
    Document document;
    QVERIFY(document.edit({{"dataset.size", whole(77)}}, "size"));
    QVERIFY(save(document, path));
    QVERIFY(!document.isModified());
    QCOMPARE(document.path(), path);
    Document other;
    QVERIFY(open(other, path).empty());
    QCOMPARE(other.spec(), document.spec());
    QVERIFY(!other.isModified());
  }

  void whatIsInNoFileIsSavedWithItsText() {
    const QTemporaryDir folder;
    Document document;
    document.show({{{}, {}}, {}, std::make_shared<const std::string>("# seen in a job\nshardlens: 2\n")}, {});
    QVERIFY(!document.isModified());
    QVERIFY(save(document, folder.filePath("a.yaml")));
    QVERIFY(document.path() == folder.filePath("a.yaml") && !document.isModified());
    QFile file(folder.filePath("a.yaml"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith("# seen in a job\n"));
  }

  void aBadFileLeavesTheDocumentAloneAndTellsEveryProblem() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("bad.yaml");
    write(path, "shardlens: 2\ndataset: {sise: 4}\nloader: {batch_size: 0}\n");
    Document document;
    QVERIFY(document.edit({{"dataset.size", whole(5)}}, "size"));
    const PipelineSpec before = document.spec();
    const Issues issues = open(document, path);
    QVERIFY(issues.size() >= 2);
    QCOMPARE(issues[0].place.line, 2);
    QVERIFY(issues[0].place.column > 0);
    QCOMPARE(document.spec(), before);
    QVERIFY(document.isModified());
    QVERIFY(document.path().isEmpty());
  }

  void whatIsEditedWhileTheFileIsWrittenStaysModified() {
    const QTemporaryDir folder;
    Document document;
    QVERIFY(document.edit({{"dataset.size", whole(77)}}, "size"));
    const Document::Saving saving = document.saving(folder.filePath("a.yaml"));
    document.endTyping();
    QVERIFY(document.edit({{"dataset.size", whole(78)}}, "size"));
    document.saved(saving, *saving.write());
    QCOMPARE(document.path(), folder.filePath("a.yaml"));
    QVERIFY(document.isModified());
    document.undoStack().undo();
    document.undoStack().undo();
    QVERIFY(document.isModified());  // the file says 77
  }

  void aDocumentThatCameMeanwhileIsLeftAlone() {
    const QTemporaryDir folder;
    Document document;
    QVERIFY(document.edit({{"dataset.size", whole(77)}}, "size"));
    const Document::Saving saving = document.saving(folder.filePath("a.yaml"));
    document.reset({});
    document.saved(saving, *saving.write());
    QVERIFY(document.path().isEmpty());
  }

  void aChangeFromOutsideIsSeenAndNotOverwrittenUnasked() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.yaml");
    Document document;
    QVERIFY(save(document, path));
    QVERIFY(!document.isChangedTo(*yaml::stampOf(path.toStdString())));
    write(path, "shardlens: 2\ndataset: {size: 4}\n");
    QVERIFY(document.isChangedTo(*yaml::stampOf(path.toStdString())));
    QVERIFY(document.edit({{"dataset.size", whole(5)}}, "size"));
    const auto refused = save(document, path);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::Conflict);
    document.keepMine(*yaml::stampOf(path.toStdString()));
    QVERIFY(save(document, path));
    QVERIFY(!document.isChangedTo(*yaml::stampOf(path.toStdString())));
  }
};

SHARDLENS_WINDOW_TEST(DocumentTest)
#include "document_test.moc"
