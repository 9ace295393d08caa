// SPDX-License-Identifier: GPL-3.0-or-later
// A finding that is clicked selects what it speaks of, in every example: what the window then shows is concerned, and
// no view says of it that all is well.
#include "core/audit/overlap.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/scene/stage/stage_input.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/tabs/overlap_view.h"
#include "ui/window/bottom_tabs.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <set>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr int kPatienceMs = 60'000;

std::int64_t readings(const EpochPlan& epoch, SampleIndex sample) {
  std::int64_t count = 0;
  for (const RankEpoch& rank : epoch.ranks) {
    for (Step step{0}; step.value < rank.batches(); ++step) {
      const auto batch = rank.batchSamples(step);
      count += std::count(batch.begin(), batch.end(), sample);
    }
  }
  return count;
}

std::int64_t holders(const SeedTable& seeds, quint64 seed) {
  std::set<std::pair<std::int64_t, std::int64_t>> processes;
  for (const SeedRow& row : seeds.rows) {
    if (row.epoch == seeds.first_epoch && row.seed == seed) processes.insert({row.rank, row.worker});
  }
  return static_cast<std::int64_t>(processes.size());
}

/// Clicks the card, and waits until the window shows what it is about.
void choose(Fixture& f, FindingCard& card) {
  f.workspace().selection.clear();
  emit card.activated();
  QVERIFY(QTest::qWaitFor([&f] { return f.isReady(); }, kPatienceMs));
}

/// Why what is selected is not what the finding speaks of; empty where it is.
QString notConcerned(Fixture& f, const Finding& finding) {
  const Selected& selected = f.workspace().selection.current();
  const PlanSnapshotPtr answer = f.workspace().plans.snapshot();
  const bool is_problem = finding.severity != Severity::Info;
  if (is_problem && finding.topic == FindingTopic::Ranks && selected.ranks.size() != 2) return "no pair is selected";
  if (is_problem && finding.code.starts_with("seeds-collide-ranks") && !selected.seed) return "no seed is selected";
  if (!finding.where.ranks.empty() && selected.ranks.empty() && !selected.seed) return "none of its ranks is selected";
  for (const qint64 rank : selected.ranks) {
    const auto& concerned = finding.where.ranks;
    if (!concerned.empty() && std::ranges::find(concerned, rank) == concerned.end()) return "a rank without it";
  }
  if (selected.ranks.size() == 2) {
    const auto shared =
        sharedSamples(*answer->plan, answer->epoch->epoch, Rank{selected.ranks[0]}, Rank{selected.ranks[1]});
    const bool is_apart = finding.code == "peers-read-apart";  // they should share everything
    if (!shared || (shared->empty() && !is_apart)) return "the selected ranks share nothing";
  }
  if (selected.seed && holders(answer->audit->seeds, *selected.seed) < 2) return "one process has the seed";
  if (selected.sample && readings(*answer->epoch, *selected.sample) == 1) return "the sample is read once";
  if (selected.ranks.size() == 1 && selected.step) {
    const RankEpoch& rank = answer->epoch->ranks[static_cast<std::size_t>(selected.ranks[0])];
    const bool has_batch = *selected.step < rank.batches();
    if (finding.topic == FindingTopic::Steps && has_batch && rank.batch(Step{*selected.step}).size() > 0)
      return "the rank has a batch there";
    if (finding.topic == FindingTopic::Batches && has_batch &&
        rank.batch(Step{*selected.step}).size() >= f.spec().loader.batch_size)
      return "the batch is a full one";
  }
  return {};
}

/// A view that says of the ranks of an error or a warning that they share nothing; empty where none does.
QString allClear(const Fixture& f, const Finding& finding) {
  if (finding.topic != FindingTopic::Ranks || finding.severity == Severity::Info) return {};
  if (finding.code == "peers-read-apart") return {};  // that they share none is what is wrong
  const auto* overlap = f.window.findChild<OverlapView*>();
  if (overlap->mode() == OverlapView::Ranks && overlap->title().contains("no sample")) return overlap->title();
  const QString& sentence = f.window.design()->inspector()->shown().sentence;
  return sentence.contains("no sample") ? sentence : QString();
}

}  // namespace

class FindingPlacesTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void aFindingSelectsWhatItSpeaksOf_data() {
    QTest::addColumn<QString>("name");
    const QDir folder(QString::fromStdString(test::sourceDir()) + "/resources/examples");
    for (const QString& file : folder.entryList({"*.yaml"}))
      QTest::newRow(qPrintable(file)) << file.left(file.size() - 5);
  }

  void aFindingSelectsWhatItSpeaksOf() {
    QFETCH(const QString, name);
    Fixture f(qPrintable(name));
    QVERIFY(f.settled);
    f.window.design()->tabs()->show("overlap");
    const auto& cards = f.window.design()->findings()->cards();
    EVENTUALLY(f.isReady() && cards.size() == f.workspace().plans.snapshot()->audit->findings.size());
    for (std::size_t i = 0; i < cards.size(); ++i) {
      const Finding finding = cards[i]->finding();
      if (finding.is_proof) continue;
      choose(f, *cards[i]);
      QVERIFY2(notConcerned(f, finding).isEmpty(), qPrintable(text(finding.title) + ": " + notConcerned(f, finding)));
      EVENTUALLY_EQUAL(allClear(f, finding), QString());
    }
  }

  void theLocalRankBugShowsRanks0And4() {
    Fixture f("shard-local-rank");
    QVERIFY(f.settled);
    f.window.design()->tabs()->show("overlap");
    const auto& cards = f.window.design()->findings()->cards();
    EVENTUALLY(!cards.empty());
    choose(f, *cards.front());
    QCOMPARE(f.workspace().selection.current().ranks, (std::vector<qint64>{0, 4}));
    const auto* overlap = f.window.findChild<OverlapView*>();
    EVENTUALLY(overlap->title().startsWith("Ranks 0 and 4 share all"));
    EVENTUALLY(f.window.design()->inspector()->shown().sentence.startsWith("They share"));
  }
};

SHARDLENS_WINDOW_TEST(FindingPlacesTest)
#include "finding_places_test.moc"
