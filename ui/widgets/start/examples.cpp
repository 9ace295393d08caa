// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/start/examples.h"

#include "ui/state/phrase.h"
#include "ui/widgets/start/example_texts.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QStringList>
#include <QTextStream>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr const char* kFirst = "distributed-sampler";
constexpr const char* kTitle = "Title: ";
constexpr const char* kLookFor = "Look for: ";
/// In this order; what is not named here comes after them, by name.
const QStringList kOrder = {"distributed-sampler-no-set-epoch",
                            "shard-local-rank",
                            "no-distributed-sampler",
                            "webdataset-uneven-shards",
                            "iterable-duplicates",
                            "accelerate-divides-twice",
                            "two-stream-on-every-rank",
                            "seed-local-rank",
                            "seed-same",
                            "evaluation-padding",
                            "batch-sampler-drop-last",
                            "slow-rank",
                            "distributed-sampler"};

/// share/ of the installation, or resources/ of the source tree that the build folder lies in.
QString folder() {
  QDir dir(QCoreApplication::applicationDirPath());
  if (dir.exists("../share/shardlens/examples")) return dir.absoluteFilePath("../share/shardlens/examples");
  constexpr int kDeepestBuildFolder = 8;
  for (int up = 0; up < kDeepestBuildFolder; ++up) {
    if (dir.exists("resources/examples")) return dir.absoluteFilePath("resources/examples");
    if (!dir.cdUp()) break;
  }
  return {};
}

/// A text of an example in the language of the window; one of an example that the program does not know stays.
QString translated(const QString& text) {
  for (const char* known : kExampleTexts) {
    if (text == QString::fromUtf8(known)) return phrase("examples", known);
  }
  return text;
}

Example read(const QFileInfo& info) {
  Example example{info.absoluteFilePath(), info.completeBaseName(), info.completeBaseName(), {}, {}};
  QFile file(example.path);
  if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) return example;
  QTextStream text(&file);
  for (QString line = text.readLine(); line.startsWith("# "); line = text.readLine()) {
    const QString said = line.mid(2);
    if (said.startsWith(kLookFor)) {
      example.look_for = translated(said.mid(qstrlen(kLookFor)));
    } else if (said.startsWith(kTitle)) {
      example.title = translated(said.mid(qstrlen(kTitle)));
    } else if (example.summary.isEmpty()) {
      example.summary = translated(said);
    }
  }
  return example;
}

}  // namespace

std::vector<Example> examples() {
  std::vector<Example> found;
  const QString where = folder();
  if (where.isEmpty()) return found;
  for (const QFileInfo& info : QDir(where).entryInfoList({"*.yaml"}, QDir::Files, QDir::Name)) {
    found.push_back(read(info));
  }
  const auto place = [](const Example& example) {
    const auto index = kOrder.indexOf(example.name);
    return index < 0 ? kOrder.size() : index;
  };
  std::ranges::stable_sort(found, {}, place);
  return found;
}

QString firstExample() {
  for (const Example& example : examples()) {
    if (example.name == kFirst) return example.path;
  }
  return {};
}

}  // namespace shardlens::ui
