// SPDX-License-Identifier: Apache-2.0
// The window's texts as the sources have them: all go through the translation, and the catalogue has all of them.
#include "tests/support/places.h"
#include "tests/support/window_main.h"
#include "tests/ui/language/source_texts.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace {

const QString kRoot = QString::fromStdString(shardlens::test::sourceDir());
const QString kCatalogue = kRoot + "/resources/translations/shardlens_zh_CN.ts";

struct Message {
  QString context;
  QString source;
  QString translation;
  bool finished = true;
};

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<Message> messagesOf(const QString& path) {
  QList<Message> messages;
  QXmlStreamReader xml(contentOf(path));
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const auto name = xml.name();
    if (name == QLatin1String("name")) context = xml.readElementText();
    if (name == QLatin1String("source")) messages.push_back({context, xml.readElementText(), {}, true});
    if (name == QLatin1String("translation")) {
      messages.back().finished = !xml.attributes().hasAttribute("type");
      messages.back().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
    }
  }
  return messages;
}

QStringList placesIn(const QString& text) {
  static const QRegularExpression kPlace("%(?:L?[0-9]|n)");
  QStringList places;
  for (auto match = kPlace.globalMatch(text); match.hasNext();) places += match.next().captured();
  places.sort();
  return places;
}

/// What is left of a text without code, file filters and the letters of menus: what a language punctuates by its rules.
QString proseOf(QString text) {
  static const QRegularExpression kCode(
      R"re([\w.%]+: (?=\{|\.\.\.|%|"|mpi_rank|socket_rank|bash)|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\[[^\[\]]*\]|"[^"]*")re"
      R"re(|\([^()]*\*[^()]*\)|\(&.\)|(?<=\w)\([^()]*(?:\([^()]*\)[^()]*)*\)|\.\.\.)re");
  return text.replace(kCode, QStringLiteral("x"));
}

/// What breaks the rules of Chinese punctuation: empty when nothing does.
QString faultOf(const QString& chinese) {
  static const QRegularExpression kFault(
      QStringLiteral("[\\x{4e00}-\\x{9fff}][.,;:!?]|"            // half-width behind a Chinese letter
                     "[\\w%\\x{ff09}\\x{201d}][.,;:!?](?= |$)|"  // or behind a name, a number, a place
                     "[()]|"                                     // brackets that are not code
                     " [\\x{3001}\\x{3002}\\x{ff01}-\\x{ff1f}]|"
                     "[\\x{3001}\\x{3002}\\x{ff01}-\\x{ff1f}] "));
  return kFault.match(proseOf(chinese)).captured();
}

/// Literals that look like words and are none, or that are the same in every language.
const QMap<QString, QStringList>& allowed() {
  static const QMap<QString, QStringList> kAllowed = {
      {"ui/scene/theme.cpp",  // fonts
       {"DejaVu Sans", "DejaVu Sans Mono", "Inter", "WenQuanYi Micro Hei", "WenQuanYi Micro Hei Mono"}},
      {"ui/window/header_bar.cpp", {"ShardLens"}},
      {"ui/widgets/run/console_view.cpp", {"ShardLens"}},
      {"ui/window/main_window.cpp", {"ShardLens"}},
      {"ui/scene/design/form.cpp", {"per rank"}},  // compared with the unit of a field
      {"ui/window/perspectives.cpp", {"Alt+Wheel", "Arrow keys", "Drag", "Enter", "Wheel"}},  // names of keys
      {"ui/window/language.cpp", {"English"}},                      // what the language calls itself
      {"ui/widgets/common/style.cpp", {"Fusion"}},                  // a style
      {"ui/scene/run/text.cpp", {" (run.delays)"}},                 // a field
      {"ui/widgets/start/gallery.cpp", {"Title: ", "Look for: "}},  // marks in the files of examples
  };
  return kAllowed;
}

QStringList untranslatedIn(const QString& path) {
  const QString name = QDir(kRoot).relativeFilePath(path);
  QStringList found;
  if (name == "ui/widgets/common/svg_device.cpp") return {};  // writes XML
  for (const QString& literal : source_texts::untranslatedIn(QString::fromUtf8(contentOf(path)))) {
    if (!allowed().value(name).contains(literal)) found += name + ": \"" + literal + '"';
  }
  return found;
}

}  // namespace

class TextsTest : public QObject {
  Q_OBJECT

 private slots:
  void theCatalogueHasEveryText() {
    const QTemporaryDir folder;
    const QString copy = folder.path() + "/shardlens_zh_CN.ts";
    QVERIFY(QFile::copy(kCatalogue, copy));
    QProcess script;
    script.start(kRoot + "/resources/scripts/translate", {copy});
    QVERIFY(script.waitForFinished(60'000));
    QCOMPARE(script.exitCode(), 0);
    const auto kept = messagesOf(kCatalogue);
    const auto wanted = messagesOf(copy);
    QVERIFY(wanted.size() > 500);
    QStringList missing;
    for (const Message& message : wanted) {
      if (!message.finished || message.translation.isEmpty()) missing += message.context + ": " + message.source;
    }
    QVERIFY2(missing.isEmpty(), qPrintable("run resources/scripts/translate, then translate:\n" + missing.join('\n')));
    QVERIFY2(kept.size() == wanted.size(),
             "run resources/scripts/translate: the catalogue has texts that no source has");
  }

  /// Other languages translate "%1 rank" whole: a noun without a row would stay English.
  void whateverIsCountedHasARow() {
    static const QRegularExpression kCall("\\b(?:wordedCount|countOf)\\(");
    static const QRegularExpression kNoun("\"([^\"\\\\]*)\"\\)$");
    QStringList known;
    for (const Message& message : messagesOf(kCatalogue)) {
      if (message.context == "count") known += message.source;
    }
    QStringList missing;
    int calls = 0;
    for (const char* folder : {"/core", "/ui"}) {
      QDirIterator files(kRoot + folder, {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
      while (files.hasNext()) {
        const QString code = QString::fromUtf8(contentOf(files.next()));
        for (auto all = kCall.globalMatch(code); all.hasNext();) {
          const qsizetype begin = all.next().capturedEnd();
          qsizetype end = begin;
          for (int open = 1; open > 0 && end < code.size(); ++end)
            open += code[end] == '(' ? 1 : code[end] == ')' ? -1 : 0;
          const auto noun = kNoun.match(code.mid(begin, end - begin));
          if (!noun.hasMatch()) continue;  // of a variable, or another function of that name
          ++calls;
          if (!known.contains("%1 " + noun.captured(1))) missing += files.filePath() + ": " + noun.captured(1);
        }
      }
    }
    QVERIFY(calls > 100);
    QVERIFY2(missing.isEmpty(), qPrintable("add rows to ui/scene/number_text.cpp:\n" + missing.join('\n')));
  }

  void aTranslationHasThePlacesOfItsText() {
    for (const Message& message : messagesOf(kCatalogue)) {
      const QString what = message.source + " -> " + message.translation;
      QVERIFY2(placesIn(message.source) == placesIn(message.translation), qPrintable(what));
    }
  }

  void aWordHasOneTranslation() {
    static const QRegularExpression kOther(
        "(?<![A-Za-z._#(*])([Ss]amplers?|[Ll]oaders?|generators?)(?![A-Za-z_.(,=*])|"
        "每一?步|%\\d 步|第 ?%\\d ?步|步数");
    for (const Message& message : messagesOf(kCatalogue)) {
      const auto other = kOther.match(message.translation);
      QVERIFY2(!other.hasMatch(), qPrintable(other.captured() + ": " + message.translation));
    }
  }

  void chineseTextsHaveChinesePunctuation() {
    QCOMPARE(faultOf("每步 %1（%2），见 Trainer(strategy=...)。"), QString());
    QCOMPARE(faultOf("请写 world: {nodes: 1, ranks_per_node: %1}"), QString());
    for (const char* wrong :
         {"已保存 %1.", "%1 (%2)", "默认值(%1)", "rank %1, step %2", "完成 。", "（Alt+Left） 上一个"})
      QVERIFY2(!faultOf(wrong).isEmpty(), wrong);
    for (const Message& message : messagesOf(kCatalogue)) {
      if (message.context == "QShortcut") continue;  // names of keys
      const QString fault = faultOf(message.translation);
      QVERIFY2(fault.isEmpty(), qPrintable('"' + fault + "\": " + message.translation));
      const bool is_sentence = message.source.endsWith('.') && !message.source.endsWith("...");
      QVERIFY2(is_sentence == message.translation.endsWith(QChar(0x3002)) || message.source.endsWith(QChar(0x2026)),
               qPrintable(message.source + " -> " + message.translation));
    }
  }

  /// Behind a full stop of its own width, there is no blank: what is said after it begins at once.
  void whatIsAddedToAChineseSentenceBeginsAtOnce() { QVERIFY(!contentOf(kCatalogue).contains("<translation> ")); }

  /// "Open…", not "Open …" or "Open...": one form in all languages. Behind a comma of a list, there is a blank.
  void anEllipsisStandsRightBehindItsWord() {
    static const QRegularExpression kApart("[^,\\s]\\s+\\x{2026}|\\w\\.\\.\\.$");
    for (const Message& message : messagesOf(kCatalogue)) {
      for (const QString& text : {message.source, message.translation})
        QVERIFY2(!proseOf(text).contains(kApart), qPrintable(text));
    }
  }

  void menusKeepTheirLetters() {
    static const QRegularExpression kLetter("&([A-Za-z])");
    for (const Message& message : messagesOf(kCatalogue)) {
      const auto own = kLetter.match(message.source);
      if (!own.hasMatch() || message.context != "window") continue;
      const QString here = kLetter.match(message.translation).captured(1);
      QVERIFY2(here.toUpper() == own.captured(1).toUpper(), qPrintable(message.source + " -> " + message.translation));
    }
  }

  void noTextGoesPastTheTranslation() {
    QStringList found;
    QDirIterator files(kRoot + "/ui", {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) found += untranslatedIn(files.next());
    found.sort();
    QVERIFY2(found.isEmpty(), qPrintable("wrap these by tr() or phrase():\n" + found.join('\n')));
  }

  void theCheckFindsWhatItShould() {
    QVERIFY(source_texts::isForReading("No rank has a batch"));
    QVERIFY(source_texts::isForReading("Findings"));
    QVERIFY(!source_texts::isForReading("design.plan"));
    QVERIFY(!source_texts::isForReading("layout/geometry"));
    QVERIFY(source_texts::isTranslated("  label->setText(phrase(\"run\", "));
    QVERIFY(!source_texts::isTranslated("  label->setText("));
    QVERIFY(source_texts::isForPrograms("  return ", "shardlens plan"));
  }
};

SHARDLENS_WINDOW_TEST(TextsTest)
#include "texts_test.moc"
#include "ui/state/phrase.h"
