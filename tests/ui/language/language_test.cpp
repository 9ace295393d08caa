// SPDX-License-Identifier: Apache-2.0
// The window in each of its languages: it speaks the chosen one, and nothing that it says is cut off at 1280x720.
#include "ui/window/language.h"

#include "core/base/phrase.h"
#include "core/diagnose/proof.h"
#include "core/film/film.h"
#include "core/launch/launch_words.h"
#include "core/lens/lens.h"
#include "core/plan/plan.h"
#include "core/resume/resume.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/spec/sampler_info.h"
#include "core/spec/validate.h"
#include "core/yaml/spec_reader.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/language/speaking.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/scene/design/form.h"
#include "ui/scene/design/sampler_list.h"
#include "ui/scene/number_text.h"
#include "ui/scene/tabs/export_text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/page.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/start/gallery.h"
#include "ui/widgets/tabs/export_view.h"
#include "ui/window/bottom_tabs.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QFontDatabase>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>
#include <QTranslator>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// English words, other than those that the translation keeps.
bool hasEnglish(const QString& text) {
  static const QRegularExpression kEnglish("(?!\\b(?:rank|epoch|step|batch|worker|shard)\\b)\\b[a-z]{2,}\\b");
  return kEnglish.match(text).hasMatch();
}

bool isElided(const QWidget& widget) {
  return qobject_cast<const ElidedLabel*>(&widget) != nullptr ||
         QString(widget.metaObject()->className()).contains("Elided");
}

/// How many pixels of its text a label lacks, beyond what rounding takes.
int lackOf(const QLabel& label) {
  if (label.text().isEmpty() || isElided(label)) return 0;
  constexpr int kRounding = 2;
  if (label.wordWrap()) return label.heightForWidth(label.width()) - label.height() - kRounding;
  return label.sizeHint().width() - label.width() - kRounding;
}

int lackOf(const QAbstractButton& button) {
  constexpr int kRounding = 2;
  if (button.sizePolicy().hasHeightForWidth())
    return button.heightForWidth(button.width()) - button.height() - kRounding;
  const int text = button.fontMetrics().size(Qt::TextShowMnemonic, button.text()).width();
  return button.text().isEmpty() || isElided(button) ? 0 : text - button.width() - kRounding;
}

QStringList cutIn(const QWidget& window, const QString& page) {
  QStringList cut;
  const auto note = [&](const QWidget& widget, const QString& text, int lack) {
    if (!widget.isVisible() || widget.visibleRegion().isEmpty() || lack <= 0) return;
    cut += QString("%1: \"%2\" lacks %3 px (%4)").arg(page, text).arg(lack).arg(widget.metaObject()->className());
  };
  for (const QLabel* label : window.findChildren<QLabel*>()) note(*label, label->text(), lackOf(*label));
  for (const auto* button : window.findChildren<QAbstractButton*>()) note(*button, button->text(), lackOf(*button));
  return cut;
}

/// What is still cut once everything is computed and laid out.
QStringList cutAtLast(const Fixture& f, const QString& page) {
  constexpr int kPatience = 240'000;  // a sanitizer on a busy host
  constexpr int kToLayOut = 20'000;
  (void)QTest::qWaitFor([&f] { return f.isReady(); }, kPatience);
  (void)QTest::qWaitFor([&] { return f.isReady() && cutIn(f.window, page).isEmpty(); }, kToLayOut);
  return cutIn(f.window, page);
}

}  // namespace

class LanguageTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }
  void init() {
    if (QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty())
      QSKIP("SKIPPED: no font with Chinese characters is installed (Debian: fonts-wqy-microhei)");
  }

  /// The key that a Chinese menu has in brackets is no part of the words, on the sheet of keys and in the locator.
  void wordsOfActionsHaveNoKeyInBrackets() {
    const Speaking chinese("zh_CN");
    MainWindow window({false, {}, false});
    for (const QAction* action : window.actions().all()) {
      static const QRegularExpression kKey("&|\\([A-Z]\\)");
      QVERIFY2(!Actions::plainText(*action).contains(kKey), qPrintable(Actions::plainText(*action)));
    }
  }

  /// Where an item at fault stands is known whatever its line is called.
  void linesOfFaultsAreFoundInAnyLanguage() {
    PipelineSpec spec;
    spec.sampler.type = "torch.SubsetRandomSampler";
    const Field field = *findField(spec, sampling::catalogue(), "sampler.indices");
    const Speaking chinese("zh_CN");
    const ListAnswer bad = readListText(field, listRules(field, spec), "3\n16\n", {});
    QVERIFY(bad.faults.size() == 1 && bad.faults.front().contains(chineseLetters()));
    QCOMPARE(bad.lines, std::vector<int>{1});
    QCOMPARE(bad.spans, (std::vector<ListSpan>{{1, 0, 2}}));
  }

  /// What a film leaves out is said once more for the window; its page is English.
  void whatAFilmLeavesOutIsSaidInTheLanguageOfTheWindow() {
    Film film;
    film.all_epochs = 9;
    for (const std::int64_t epoch : {0, 1}) {
      FilmEpoch shown;
      shown.epoch = epoch;
      shown.steps = 20;
      shown.all_steps = 100;
      film.epochs.push_back(shown);
    }
    QCOMPARE(leftOutOf(film),
             (std::vector<std::string>{"The film shows only the first 20 of the 100 steps of each epoch.",
                                       "The film shows only epochs 0 and 1. The spec has 9 epochs."}));
    const Speaking chinese("zh_CN");
    for (const std::string& sentence : leftOutOf(film)) QVERIFY(text(sentence).contains(chineseLetters()));
  }

  void whatWasAskedForComesFirst() {
    qputenv("SHARDLENS_LANGUAGE", "zh_CN");
    QCOMPARE(chosenLanguage("en", "zh_CN"), QString("en"));
    QCOMPARE(chosenLanguage({}, "en"), QString("zh_CN"));
    qunsetenv("SHARDLENS_LANGUAGE");
    QCOMPARE(chosenLanguage({}, "zh_CN"), QString("zh_CN"));
    QVERIFY(languages().contains(chosenLanguage({}, kSystemLanguage)));
  }

  void theTextsAreThoseOfTheLanguage() {
    QCOMPARE(phrase("window", "&File"), QString("&File"));
    QCOMPARE(countOf(2, "rank"), QString("2 ranks"));
    const Speaking chinese("zh_CN");
    QCOMPARE(phrase("window", "&File"), QString("文件(&F)"));
    QCOMPARE(countOf(2, "rank"), QString("2 个 rank"));
    QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Cancel"), QString("取消"));
  }

  void theExamplesHaveTheLanguageToo() {
    const auto english = examples();
    const Speaking chinese("zh_CN");
    const auto here = examples();
    QVERIFY(!here.empty());
    for (std::size_t i = 0; i < here.size(); ++i) {
      QVERIFY2(here[i].title != english[i].title, qPrintable(here[i].title));
      QVERIFY2(here[i].summary != english[i].summary, qPrintable(here[i].summary));
      QVERIFY2(here[i].look_for != english[i].look_for, qPrintable(here[i].look_for));
    }
  }

  void theLensAndResumeSpeakIt() {
    const Speaking chinese("zh_CN");
    static const QRegularExpression kChinese("[\\x{3002}\\x{4e00}-\\x{9fff}]");
    const auto speaks = [](const std::string& text) { return QString::fromStdString(text).contains(kChinese); };
    PipelineSpec spec;
    spec.dataset.size = 64;
    spec.world = {2, 2};
    spec.sampler.type = "torch.DistributedSampler";
    for (const LensColumn& column : lensColumns(spec)) {
      QVERIFY2(speaks(column.makes), column.makes.c_str());
      for (const Note& note : column.notes) QVERIFY2(speaks(note.text), note.text.c_str());
    }
    for (const ResumeWay& way : resumeWays(spec, {.epoch = Epoch{0}, .steps = 2, .world = {1, 2}})) {
      QVERIFY2(speaks(way.rule), way.rule.c_str());
      for (const Note& note : way.notes) QVERIFY2(speaks(note.text), note.text.c_str());
    }
  }

  void samplersAndFieldsSpeakIt() {
    const Speaking chinese("zh_CN");
    for (const SamplerInfo& info : sampling::catalogue())
      QVERIFY2(worded("samplers", info.summary.c_str()) != info.summary, info.summary.c_str());
    for (const FormSection& section : formOf({}, sampling::catalogue()))
      QVERIFY2(!hasEnglish(section.head), qPrintable(section.head));
    for (const Field& field : fixedFields()) {
      QVERIFY2(worded("fields", field.help.c_str()) != field.help, field.help.c_str());
    }
    for (const SamplerInfo& info : sampling::catalogue()) {
      for (const Field& field : info.parameters)
        QVERIFY2(worded("fields", field.help.c_str()) != field.help, field.help.c_str());
      for (const std::string& pitfall : info.pitfalls)
        QVERIFY2(worded("samplers", pitfall.c_str()) != pitfall, pitfall.c_str());
    }
  }

  void theSamplerPickerSpeaksIt() {
    const Speaking chinese("zh_CN");
    const auto rows = samplerRows(sampling::catalogue());
    for (const SamplerRow& row : rows) {
      for (const SamplerTag& tag : row.tags)
        QVERIFY2(!hasEnglish(tag.text), qPrintable(text(row.type) + ": " + tag.text));
    }
    QVERIFY(std::ranges::any_of(rows, [](const SamplerRow& row) { return row.framework == "半监督"; }));
    const auto preview = samplerPreview("meanteacher.TwoStreamBatchSampler", sampling::catalogue(), {});
    QVERIFY(preview.has_value());
    QVERIFY2(preview->made_up.contains("数据集的前一半"), qPrintable(preview->made_up));
  }

  void whatIsWrongWithASpecIsSaidInIt() {
    const Speaking chinese("zh_CN");
    PipelineSpec spec;
    spec.loader.batch_size = 0;
    spec.sampler.type = "torch.DistributedSample";
    spec.dataset.shards = IndexList({3, 4});
    for (const Error& error : validate(spec, sampling::catalogue())) {
      const QString said = QString::fromStdString(error.message + error.hint);
      QVERIFY2(said.contains(chineseLetters()), qPrintable(said));
    }
    for (const char* broken :
         {"shardlens: 1\nworld: {nodes: 2\n", "", "shardlens: 1\nfoo: 2\n", "shardlens: 1\n\tname: x\n"}) {
      const auto read = yaml::readSpec(broken, sampling::catalogue());
      QVERIFY(!read.issues.empty());
      for (const Error& error : read.issues)
        QVERIFY2(QString::fromStdString(error.message).contains(chineseLetters()), error.message.c_str());
    }
  }

  /// What a framework raises is quoted; what is said beside it, and every refusal of our own, is in the language.
  void whatSamplersRefuseIsSaidInIt() {
    const Speaking chinese("zh_CN");
    int refusals = 0;
    const auto look = [&refusals](const PipelineSpec& spec) {
      const auto plan = Plan::make(spec);
      const auto epoch = plan ? plan->epoch(Epoch{0}) : Result<EpochPlan>(plan.error());
      if (epoch) return;
      const Error& error = epoch.error();
      ++refusals;
      QString own = QString::fromStdString(error.hint);
      if (error.raised.empty()) own += QString::fromStdString(error.message);
      if (own.isEmpty()) return;
      QVERIFY2(own.contains(chineseLetters()), qPrintable(text(spec.sampler.type) + ": " + own));
    };
    for (const SamplerInfo& info : sampling::catalogue()) {
      for (const std::int64_t size : {0, 1, 6}) {
        PipelineSpec spec;
        spec.dataset.size = size;
        spec.dataset.labels = IndexList({1, 2, 3});
        spec.dataset.lengths = IndexList({4, 5});
        spec.world = {1, 4};
        spec.sampler = {info.type, {}};
        look(spec);
      }
    }
    QVERIFY2(refusals > 20, qPrintable(QString::number(refusals)));
    PipelineSpec of_one;  // a rank alone refuses
    of_one.world = {1, 4};
    of_one.sampler = {"torch.DistributedSampler", {{"num_replicas", std::int64_t{2}}}};
    const auto plan = Plan::make(of_one);
    QVERIFY(!plan);
    const QString hint = text(plan.error().hint);
    QVERIFY2(hint.contains("rank 2") && !hint.contains("raised"), qPrintable(hint));
  }

  void theExportTargetsSpeakIt() {
    const Speaking chinese("zh_CN");
    for (const yaml::ExportTarget& target : yaml::exportTargets()) {
      const QString summary = exportWords(target.summary);
      QVERIFY2(summary.contains(chineseLetters()), qPrintable(summary));
    }
    QVERIFY(exportTitle(*yaml::findTarget("torchrun")).contains(chineseLetters()));
  }

  void theProofSpeaksIt() {
    const Speaking chinese("zh_CN");
    QCOMPARE(words::otherWorldThanPlanned(2, 4), std::string("运行的 world 为 2 个 rank，计划为 4 个 rank。"));
    QCOMPARE(words::differs(1, 0, 3, words::skipped()), std::string("rank 1，epoch 0，step 3：被跳过。"));
    QCOMPARE(words::ranksShareCores(4, 2), std::string("4 个 rank 共用 2 个核心，因此等待时间包含 CPU 调度。"));
  }

  void filesAreEnglish() {
    const Speaking chinese("zh_CN");
    Fixture f("shard-local-rank");
    QVERIFY(f.settled);
    f.window.design()->tabs()->show("export");
    const auto* view = f.window.findChild<ExportView*>();
    EVENTUALLY(view->text().contains("Two nodes read the same slices."));
    static const QRegularExpression kChinese("[\\x{4e00}-\\x{9fff}]");
    QVERIFY2(!view->text().contains(kChinese), qPrintable(view->text()));
  }

  void nothingIsCutOff_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("design");
    QTest::addColumn<qint64>("size");  // of the dataset, instead of the example's; 0: that
    for (const QString& name : languages()) {
      const auto add = [&name](const char* which, const char* design, qint64 size) {
        QTest::newRow(qPrintable(name + ", " + which)) << name << QString(design) << size;
      };
      add("tiny", "batch-sampler-drop-last", 0);
      add("typical", "distributed-sampler", 0);
      add("two streams", "two-stream-on-every-rank", 0);
      add("huge", "evaluation-padding", 2'000'003);
    }
  }

  void nothingIsCutOff() {
    QFETCH(const QString, language);
    QFETCH(const QString, design);
    QFETCH(const qint64, size);
    const Speaking speaking(language);
    Fixture f(qPrintable(design));
    QVERIFY(f.settled);
    if (size > 0) {
      PipelineSpec spec = f.spec();
      spec.dataset.size = size;
      f.workspace().document.reset(spec);
      EVENTUALLY(f.isReady() && f.workspace().plans.snapshot()->spec == spec);
    }
    QStringList cut;
    for (const QString& tab : namesOf(bottomTabs())) {
      f.window.design()->tabs()->show(tab);
      cut += cutAtLast(f, "design, " + tab);
    }
    for (const QString& name : namesOf(perspectives())) {
      f.window.setPerspective(name);
      cut += cutAtLast(f, name);
    }
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join('\n')));
  }
};

SHARDLENS_WINDOW_TEST(LanguageTest)
#include "language_test.moc"
