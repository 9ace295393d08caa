// SPDX-License-Identifier: Apache-2.0
// What the Resume perspective says and draws, as plain values.
#include "core/base/work.h"
#include "tests/support/window_main.h"
#include "ui/paint/strip_paint.h"
#include "ui/scene/resume/answer.h"
#include "ui/scene/theme.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

PipelineSpec shuffled() {
  PipelineSpec spec;
  spec.dataset.size = 16;
  spec.world = {1, 2};
  spec.loader.batch_size = 2;
  spec.epochs = 2;
  spec.sampler = {"torch.DistributedSampler", {}};
  return spec;
}

ResumeAnswer answerOf(const PipelineSpec& spec, const ResumeChoice& choice) {
  return resumeAnswer(spec, choice).value_or(ResumeAnswer{});
}

const ResumeRow* rowOf(const ResumeAnswer& answer, const char* id) {
  const auto found = std::find_if(answer.rows.begin(), answer.rows.end(),
                                  [&](const ResumeRow& row) { return row.judged.way.id == id; });
  return found == answer.rows.end() ? nullptr : &*found;
}

/// `count` pieces of ten samples each.
std::vector<ResumeSpan> pieces(std::size_t count) {
  return std::vector<ResumeSpan>(count, ResumeSpan{10, 0, 0});
}

QImage painted(const ResumeStripScene& scene, QSize size) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(Theme::light().window);
  QPainter painter(&image);
  paintResumeStrip(painter, QRectF(QPointF(0, 0), QSizeF(size)), scene, 1, Theme::light());
  return image;
}

}  // namespace

class ResumeSceneTest : public QObject {
  Q_OBJECT

 private slots:
  void whatIsNotChosenFollowsFromThePlan() {
    const ResumeAnswer answer = answerOf(shuffled(), {});
    QCOMPARE(answer.point, (ResumePoint{Epoch{1}, 2, {1, 2}}));
    QCOMPARE(answer.epochs, 2);
    QCOMPARE(answer.steps, 4);
    QCOMPARE(trainedText(answer).remove(QChar(0x202F)), QString("8 of 16 samples trained, 50%"));
  }

  void aChoiceOutsideThePlanIsBroughtInside() {
    QCOMPARE(answerOf(shuffled(), {99, 99, {}}).point, (ResumePoint{Epoch{1}, 4, {1, 2}}));
    QCOMPARE(answerOf(shuffled(), {-3, -3, {}}).point, (ResumePoint{Epoch{0}, 0, {1, 2}}));
  }

  void theVerdictComesInWordsAndColours() {
    const ResumeAnswer answer = answerOf(shuffled(), {});
    const ResumeRow* exact = rowOf(answer, "skip-batches");
    QVERIFY(exact != nullptr);
    QCOMPARE(exact->tone, Tone::Fine);
    QCOMPARE(exact->verdictText(), QString("Exact: nothing repeated, nothing lost"));
    const ResumeRow* again = rowOf(answer, "restart-epoch");
    QVERIFY(again != nullptr);
    QCOMPARE(again->verdictText(), QString("8 repeated, 0 lost"));
    QCOMPARE(again->verdict[0].tone, Tone::Error);
    QCOMPARE(again->verdict[1].tone, Tone::Note);
    const ResumeRow* wrong = rowOf(answer, "forgotten-set-epoch");
    QVERIFY(wrong != nullptr && wrong->judged.outcome->lost > 0);
    QCOMPARE(wrong->verdict[1].tone, Tone::Warning);
    QVERIFY2(resumeSummary(answer).contains("exact"), qPrintable(resumeSummary(answer)));
  }

  void anotherWorldChangesTheVerdict() {
    const ResumeRow* row = nullptr;
    const ResumeAnswer answer = answerOf(shuffled(), {1, 2, PipelineSpec::World{1, 1}});
    QVERIFY((row = rowOf(answer, "skip-batches")) != nullptr);
    QCOMPARE(row->verdictText(), QString("4 repeated, 0 lost"));
    QVERIFY(rowOf(answer, "skip-samples") != nullptr);
    QCOMPARE(rowOf(answer, "skip-samples")->tone, Tone::Fine);
  }

  void everyStopAndAnyWorldHasAnAnswer() {
    for (const qint64 steps : {0, 1, 4}) {
      for (const PipelineSpec::World& world : {PipelineSpec::World{1, 1}, {2, 512}}) {
        const ResumeAnswer answer = answerOf(shuffled(), {0, steps, world});
        QVERIFY(answer.problems.empty());
        QVERIFY(!answer.rows.empty());
        QCOMPARE(answer.point.steps, steps);
        for (const ResumeRow& row : answer.rows) QVERIFY2(!row.verdict.empty(), row.judged.way.id.c_str());
      }
    }
  }

  void aShorterEpochIsSaidToBeOver() {
    PipelineSpec spec = shuffled();
    spec.sampler = {"torch.RandomSampler", {}};  // every rank reads everything: 8 steps; divided it has 4
    const ResumeAnswer answer = answerOf(spec, {0, 6, {}});
    const ResumeRow* lightning = rowOf(answer, "lightning");
    QVERIFY(lightning != nullptr);
    QCOMPARE(answer.steps, 8);
    QCOMPARE(lightning->judged.steps, 4);
    QCOMPARE(lightning->tone, Tone::Note);
    QVERIFY(lightning->verdictText().contains("over after 4"));
    QVERIFY(!lightning->reason.isEmpty());
  }

  void aWayThatStopsSaysWhy() {
    PipelineSpec spec = shuffled();
    spec.world = {1, 4};
    const ResumeAnswer answer = answerOf(spec, {0, 1, PipelineSpec::World{1, 2}});
    const auto stopping = std::find_if(answer.rows.begin(), answer.rows.end(),
                                       [](const ResumeRow& row) { return row.judged.way.error.has_value(); });
    QVERIFY(stopping != answer.rows.end());
    QVERIFY(!stopping->reason.isEmpty());
    QVERIFY(!stopping->verdict.empty());
    QVERIFY(resumeFacts(*stopping).empty());
  }

  void aSpecWithProblemsHasNoRows() {
    PipelineSpec spec = shuffled();
    spec.sampler.type = "torch.NoSampler";
    const ResumeAnswer answer = answerOf(spec, {});
    QVERIFY(answer.rows.empty());
    QVERIFY(!answer.problems.empty());
  }

  void aStoppedComputationHasNoAnswer() {
    std::stop_source stop;
    stop.request_stop();
    PipelineSpec spec = shuffled();
    spec.dataset.size = 100'000;
    QVERIFY(!resumeAnswer(spec, {}, Work{stop.get_token(), {}}).has_value());
  }

  void rowsAreToldOfOneByOne() {
    std::vector<std::size_t> rows;
    const auto answer = resumeAnswer(shuffled(), {}, {}, [&rows](const ResumeAnswer& part) {
      QCOMPARE(part.point, (ResumePoint{Epoch{1}, 2, {1, 2}}));
      rows.push_back(part.rows.size());
    });
    QVERIFY(answer.has_value());
    QCOMPARE(rows.size(), answer->rows.size() + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) QCOMPARE(rows[i], i);
  }

  void olderRowsStayUntilTheirNewOnesCome() {
    const ResumeAnswer older = answerOf(shuffled(), {1, 1, {}});
    ResumeAnswer part = answerOf(shuffled(), {1, 2, {}});
    part.rows.resize(2);
    const ResumeAnswer filled = filledUp(part, older);
    QCOMPARE(filled.rows.size(), older.rows.size());
    QVERIFY(!filled.rows[1].old && filled.rows[1].judged.at == 2);
    QVERIFY(filled.rows[2].old && filled.rows[2].judged.at == 1);
    QCOMPARE(filled.rows[2].judged.way.id, older.rows[2].judged.way.id);
    QCOMPARE(filled.point.steps, 2);
  }

  void theCommandSaysTheSame() {
    QCOMPARE(resumeCommand("/data/my spec.yaml", {Epoch{2}, 500, {2, 4}}),
             QString("shardlens resume '/data/my spec.yaml' --at 500 --epoch 2 --world 2x4"));
    QCOMPARE(resumeCommand("a.yaml", {Epoch{0}, 5, {2, RanksPerNode({2, 1})}}),
             QString("shardlens resume a.yaml --at 5 --epoch 0 --world 2,1"));
  }

  void idsSayHowManyMoreThereAre() {
    QCOMPARE(idsText({3, 6, 8}, 3, 12), QString("3, 6, 8"));
    QCOMPARE(idsText({3, 6, 8, 9}, 1004, 3), QString("3, 6, 8 and %1 more").arg(number(1001)));
  }

  void placesAndStepsBelongTogether() {
    const ResumeAnswer answer = answerOf(shuffled(), {});
    QCOMPARE(stopPlace(answer, 2), 0.5);
    QCOMPARE(stopPlace(answer, 3), 0.75);
    QCOMPARE(stopShare(answer.rows.front(), 2), 0.5);
    for (qint64 steps = 0; steps <= 4; ++steps) QCOMPARE(stopAt(answer, stopPlace(answer, steps)), steps);
    QCOMPARE(stopAt(answer, 7.0), 4);
    QCOMPARE(stopAt(answer, -1.0), 0);
  }

  void theDesignsOwnFrameworkComesFirst() {
    const ResumeAnswer answer = answerOf(shuffled(), {});
    const std::size_t own = ownRows(answer);
    QVERIFY(own > 0 && own < answer.rows.size());
    for (std::size_t i = 0; i < answer.rows.size(); ++i) QCOMPARE(answer.rows[i].judged.way.of_design, i < own);
    QVERIFY2(othersText(answer).contains("of other frameworks: "), qPrintable(othersText(answer)));
    PipelineSpec spec = shuffled();
    spec.framework.lightning.strategy = "ddp";
    QVERIFY(rowOf(answerOf(spec, {}), "lightning")->judged.way.of_design);
    ResumeAnswer unknown = answer;
    for (ResumeRow& row : unknown.rows) row.judged.way.of_design = false;
    QCOMPARE(ownRows(unknown), unknown.rows.size());  // nothing is folded then
    QVERIFY(othersText(unknown).isEmpty());
  }

  void theSeamStandsWhereTheStopIsShownWhateverTheShare() {
    const ResumeStripScene scene = resumeStripScene(pieces(10), 0.3, 60, 100);
    QCOMPARE(scene.seam, 60);
    QCOMPARE(scene.columns.size(), std::size_t{10});
    QCOMPARE(scene.columns[2].to, 58);
    QVERIFY(scene.columns[2].trained && !scene.columns[3].trained);
    QCOMPARE(scene.columns[3].from, 62);
    QCOMPARE(resumeStripScene(pieces(10), 0, 0, 100).seam, -1);
    QCOMPARE(resumeStripScene(pieces(10), 1, 100, 100).seam, -1);
    QVERIFY(resumeStripScene(pieces(10), 1, 100, 100).columns.back().trained);
  }

  void aColumnForEachPieceWhileThereIsRoom() {
    const ResumeStripScene scene = resumeStripScene(pieces(4), 0.5, 100 / 2, 100);
    QCOMPARE(scene.columns.size(), std::size_t{4});
    QCOMPARE(scene.seam, 50);
    QCOMPARE(scene.columns[1].to, 48);
    QVERIFY(scene.columns[1].trained);
    QVERIFY(!scene.columns[2].trained);
    QCOMPARE(scene.columns[3].to, 100);
  }

  void theWorstPieceOfAPixelWins() {
    std::vector<ResumeSpan> many = pieces(2000);
    many[3].repeated = 1;
    many[1777].lost = 10;
    const ResumeStripScene scene = resumeStripScene(many, 0.5, 100 / 2, 100);
    QCOMPARE(scene.columns.size(), std::size_t{96});
    QCOMPARE(scene.columns[0].repeated, 0.1);
    QCOMPARE(scene.columns[85].lost, 1.0);
    QCOMPARE(std::count_if(scene.columns.begin(), scene.columns.end(),
                           [](const ResumeStripColumn& one) { return one.repeated > 0 || one.lost > 0; }),
             2);
  }

  void everyPieceIsOnSomePixel() {
    for (const int width : {1, 7, 333, 1000, 4001}) {
      for (std::size_t at = 0; at < 1000; at += 37) {
        std::vector<ResumeSpan> many = pieces(1000);
        many[at].lost = 1;
        const ResumeStripScene scene = resumeStripScene(many, 0.5, width / 2, width);
        QVERIFY(std::any_of(scene.columns.begin(), scene.columns.end(),
                            [](const ResumeStripColumn& one) { return one.lost > 0 && one.to > one.from; }));
        QCOMPARE(scene.columns.front().from, 0);
        QCOMPARE(scene.columns.back().to, width);
      }
    }
  }

  void nothingThatIsThereVanishesAndOnlyAllIsFull() {
    QCOMPARE(filledPixels(0, 16), 0);
    QCOMPARE(filledPixels(1e-9, 16), 1);
    QCOMPARE(filledPixels(0.5, 16), 8);
    QCOMPARE(filledPixels(0.999999, 16), 15);
    QCOMPARE(filledPixels(1, 16), 16);
    QCOMPARE(filledPixels(0.1, 1), 1);
  }

  void oneRepeatedSampleAmongMillionsIsOnThePicture() {
    std::vector<ResumeSpan> many(2000, ResumeSpan{1'000'000, 0, 0});
    many[10].repeated = 1;
    many[1990].lost = 1;
    const QImage image = painted(resumeStripScene(many, 0.5, 500 / 2, 500), {500, 16});
    int repeated = 0;
    int lost = 0;
    for (int x = 0; x < image.width(); ++x) {
      for (int y = 0; y < image.height(); ++y) {
        repeated += image.pixelColor(x, y) == duplicateColor(Theme::light());
        lost += image.pixelColor(x, y) == neverColor();
      }
    }
    QCOMPARE(repeated, 1);
    QCOMPARE(lost, 1);
    QVERIFY(image.pixelColor(100, 4) == trainedColor(Theme::light()));
    QVERIFY(image.pixelColor(400, 4) == aheadColor(Theme::light()));
  }

  /// Repeated and lost have the colours of the Stage, and a line of the panel between them and to what is behind them.
  void marksStandApart() {
    const QImage image = painted(resumeStripScene({{100, 50, 25}, {100, 0, 0}}, 0.5, 20, 40), {40, 16});
    const auto at = [&image](int y) { return image.pixelColor(4, y); };
    const Theme& theme = Theme::light();
    QCOMPARE(at(15), duplicateColor(theme));
    QCOMPARE(at(8), duplicateColor(theme));
    QCOMPARE(at(7), theme.panel);
    int hatched = 0;
    int plain = 0;
    for (int y = 3; y < 7; ++y) (at(y) == neverColor() ? plain : hatched) += 1;
    QVERIFY(plain > 0 && plain < 4);
    QCOMPARE(at(2), theme.panel);
    QCOMPARE(at(1), trainedColor(theme));
  }

  void anEmptyStripDrawsNothing() {
    QVERIFY(resumeStripScene({}, 0.5, 100 / 2, 100).columns.empty());
    QVERIFY(resumeStripScene(pieces(3), 0.5, 0 / 2, 0).columns.empty());
  }
};

SHARDLENS_WINDOW_TEST(ResumeSceneTest)
#include "resume_scene_test.moc"
