// SPDX-License-Identifier: Apache-2.0
// The design as text and the document stay in step, whichever is edited.
#include "ui/state/spec_text.h"

#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/state/document.h"

#include <QSignalSpy>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr const char* kText =
    "# what we train on\n"
    "shardlens: 2\n"
    "dataset: {size: 64}   # a small one\n"
    "loader: {batch_size: 4}\n";

/// A document of a file, with somebody who looks at its text.
struct Fixture {
  Fixture() {
    test::spill(path(), kText);
    document.show(yaml::readSpecFile(path(), document.catalogue()), QString::fromStdString(path()));
    text.setWatched(true);
  }
  [[nodiscard]] std::string path() const { return (folder / "spec.yaml").string(); }
  void type(const QString& typed) {
    text.edit(typed);
    text.readNow();
  }

  test::TempFolder folder;
  Document document;
  SpecText text{document};
};

QString withBatch(const char* value) {
  return QString(kText).replace("batch_size: 4", QString("batch_size: ") + value);
}

}  // namespace

class SpecTextTest : public QObject {
  Q_OBJECT

 private slots:
  void theTextOfAFileIsItsOwn() {
    Fixture f;
    EVENTUALLY_EQUAL(f.text.text(), QString(kText));
    QVERIFY(f.text.problems().empty());
    QVERIFY(!f.document.isModified());
  }

  void aTypedTextBecomesTheDesignInOneStep() {
    Fixture f;
    EVENTUALLY(!f.text.text().isEmpty());
    f.type(withBatch("8"));
    QCOMPARE(f.document.spec().loader.batch_size, std::int64_t{8});
    QCOMPARE(f.document.undoStack().count(), 1);
    f.document.undoStack().undo();
    QCOMPARE(f.document.spec().loader.batch_size, std::int64_t{4});
    EVENTUALLY_EQUAL(f.text.text(), QString(kText));
    f.document.undoStack().redo();
    EVENTUALLY_EQUAL(f.text.text(), withBatch("8"));
  }

  void typingIsReadByItselfAfterAPause() {
    Fixture f;
    EVENTUALLY(!f.text.text().isEmpty());
    f.text.edit(withBatch("16"));
    QCOMPARE(f.document.spec().loader.batch_size, std::int64_t{4});
    EVENTUALLY_EQUAL(f.document.spec().loader.batch_size, std::int64_t{16});
  }

  void anEditElsewhereKeepsTheCommentsOfTheText() {
    Fixture f;
    EVENTUALLY(!f.text.text().isEmpty());
    QVERIFY(f.document.edit({{"loader.batch_size", std::int64_t{2}}}, "batches of two"));
    EVENTUALLY_EQUAL(f.text.text(), withBatch("2"));
    QVERIFY(!f.text.isRewritten());
  }

  void aBrokenTextLeavesTheDesignAndSaysWhere() {
    Fixture f;
    EVENTUALLY(!f.text.text().isEmpty());
    f.type(withBatch("many"));
    QCOMPARE(f.document.spec().loader.batch_size, std::int64_t{4});
    QCOMPARE(f.text.problems().size(), std::size_t{1});
    QCOMPARE(f.text.problems().front().place.line, 4);
    QCOMPARE(f.text.problems().front().place.column, 22);
    f.type(withBatch("6"));
    QVERIFY(f.text.problems().empty());
    QCOMPARE(f.document.spec().loader.batch_size, std::int64_t{6});
  }

  void anEditElsewhereDoesNotOverwriteABrokenText() {
    Fixture f;
    EVENTUALLY(!f.text.text().isEmpty());
    f.type(withBatch("many"));
    QVERIFY(f.document.edit({{"dataset.size", std::int64_t{99}}}, "99 samples"));
    QVERIFY(f.text.isOutOfStep());
    QCOMPARE(f.text.text(), withBatch("many"));
    f.text.takeDesign();
    EVENTUALLY(f.text.text().contains("size: 99"));
    QVERIFY(f.text.text().contains("# a small one"));
    QVERIFY(f.text.problems().empty());
    QVERIFY(!f.text.isOutOfStep());
  }

  void aCommentIsAChangeAndIsSaved() {
    Fixture f;
    EVENTUALLY(!f.text.text().isEmpty());
    const QString commented = QString(kText).replace("a small one", "of our own");
    f.type(commented);
    QVERIFY(f.document.isModified());
    const Document::Saving saving = f.document.saving(f.document.path());
    const auto saved = saving.write();
    QVERIFY(saved);
    f.document.saved(saving, *saved);
    QVERIFY(!f.document.isModified());
    QCOMPARE(QString::fromStdString(test::slurp(f.path())), commented);
  }

  void aFormEditAfterATypedCommentIsSavedWithIt() {
    Fixture f;
    EVENTUALLY(!f.text.text().isEmpty());
    f.type(QString(kText).replace("a small one", "of our own"));
    QVERIFY(f.document.edit({{"loader.batch_size", std::int64_t{2}}}, "batches of two"));
    QVERIFY(f.document.saving(f.document.path()).write());
    QCOMPARE(QString::fromStdString(test::slurp(f.path())), withBatch("2").replace("a small one", "of our own"));
  }

  void aTextThatCannotBeChangedInPlaceIsWrittenAnewAndSaysSo() {
    Fixture f;
    f.document.reset({});
    EVENTUALLY(f.text.text().contains("shardlens: 2"));
    QVERIFY(!f.text.isRewritten());  // there was none that could have been kept
  }

  void aLongTextIsReadOnAWorker() {
    Fixture f;
    EVENTUALLY(!f.text.text().isEmpty());
    f.text.edit(QString(kText) + QString("# a remark\n").repeated(4000) + "epochs: 7\n");
    f.text.readNow();
    QCOMPARE(f.document.spec().epochs, std::int64_t{2});
    EVENTUALLY_EQUAL(f.document.spec().epochs, std::int64_t{7});
  }

  void aBrokenFileIsMendedAsText() {
    Fixture f;
    const std::string path = (f.folder / "broken.yaml").string();
    test::spill(path, "shardlens: 2\ndataset: {sise: 4}\n");
    QSignalSpy mended(&f.text, &SpecText::mended);
    f.text.showBroken(QString::fromStdString(path), yaml::readSpecFile(path, f.document.catalogue()));
    QCOMPARE(f.text.problems().size(), std::size_t{1});
    QVERIFY(f.text.text().contains("sise"));
    f.type("shardlens: 2\ndataset: {saze: 4}\n");
    QCOMPARE(mended.count(), 0);
    f.type("shardlens: 2\ndataset: {size: 4}\n");
    QCOMPARE(mended.count(), 1);
    QCOMPARE(f.document.spec().dataset.size, std::int64_t{64});  // whoever listens puts it in place
  }

  void anotherDocumentHasAnotherText() {
    Fixture f;
    EVENTUALLY(!f.text.text().isEmpty());
    f.type(withBatch("many"));
    f.document.reset({});
    EVENTUALLY(f.text.problems().empty() && !f.text.text().isEmpty());
    QVERIFY(!f.text.text().contains("what we train on"));
  }
};

SHARDLENS_WINDOW_TEST(SpecTextTest)
#include "spec_text_test.moc"
