// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/start/examples.h"

#include "ui/state/phrase.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QStringList>
#include <QTextStream>

#include <algorithm>
#include <array>

namespace shardlens::ui {
namespace {

/// What the examples in resources/examples say of themselves, once more for lupdate: the files stay in English, and
/// tests/ui/language says when one of them says something else.
[[maybe_unused]] constexpr std::array kExampleTexts = {
    QT_TRANSLATE_NOOP("examples", "Accelerate divides twice"),
    QT_TRANSLATE_NOOP(
        "examples",
        "The script keeps its DistributedSampler, and accelerator.prepare() divides the batches among the "
        "processes once more."),
    QT_TRANSLATE_NOOP(
        "examples", "72 of 96 samples are never read in an epoch, without a warning; the fix leaves the sampler out."),
    QT_TRANSLATE_NOOP("examples", "All ranks add up: [1, 2] + [3, 4] = [4, 6]"),
    QT_TRANSLATE_NOOP(
        "examples",
        "Two ranks hold [1, 2] and [3, 4]. An all-reduce adds them up round a ring, so that both have the sum."),
    QT_TRANSLATE_NOOP(
        "examples",
        "`shardlens rehearse` says what each rank would send in each of the two rounds of a ring, and that "
        "both real ranks had the predicted [4, 6]."),
    QT_TRANSLATE_NOOP("examples", "A barrier that one rank never reaches"),
    QT_TRANSLATE_NOOP(
        "examples",
        "The first rank prepares the dataset while the others wait for it in a barrier, which it does not "
        "call when it is done."),
    QT_TRANSLATE_NOOP("examples",
                      "ranks 1 to 3 wait at the start for ever, and rank 0 waits for them in the first all-reduce; the "
                      "fix lets it call the barrier."),
    QT_TRANSLATE_NOOP("examples", "drop_last drops data"),
    QT_TRANSLATE_NOOP("examples", "Ten samples in batches of three, and the loader drops a short last batch."),
    QT_TRANSLATE_NOOP(
        "examples",
        "three batches; sample 9 is never read, and with a fixed order it is the same sample in every epoch."),
    QT_TRANSLATE_NOOP("examples", "The last batch is short"),
    QT_TRANSLATE_NOOP("examples", "Ten samples in batches of three; the loader keeps the short last batch."),
    QT_TRANSLATE_NOOP("examples", "four batches, the last one short: [0, 1, 2], [3, 4, 5], [6, 7, 8], [9]."),
    QT_TRANSLATE_NOOP("examples", "set_epoch forgotten"),
    QT_TRANSLATE_NOOP("examples",
                      "The script forgets sampler.set_epoch(epoch), so every epoch repeats the order of epoch 0."),
    QT_TRANSLATE_NOOP("examples", "epoch 1 has exactly the batches of epoch 0; the model only ever sees one order."),
    QT_TRANSLATE_NOOP("examples", "A plan that is right"),
    QT_TRANSLATE_NOOP("examples",
                      "Two ranks share 16 samples through DistributedSampler: each sample is read once per epoch, in a "
                      "new order every time."),
    QT_TRANSLATE_NOOP(
        "examples",
        "rank 0 gets [12, 9], [11, 13], [2, 15], [4, 7] in epoch 0, and every sample is covered exactly once."),
    QT_TRANSLATE_NOOP("examples", "Padding in evaluation"),
    QT_TRANSLATE_NOOP("examples",
                      "50,000 validation images on 64 GPUs: DistributedSampler makes the shares equal by repeating the "
                      "first 48 images."),
    QT_TRANSLATE_NOOP(
        "examples",
        "48 images are counted twice, so the accuracy depends on the number of GPUs; the hatched cells are padding."),
    QT_TRANSLATE_NOOP("examples", "Workers read the same stream"),
    QT_TRANSLATE_NOOP(
        "examples",
        "An IterableDataset that checks neither its rank nor its worker: every copy reads the whole stream."),
    QT_TRANSLATE_NOOP(
        "examples",
        "two ranks with two workers each read every sample four times; the fix divides the stream among them."),
    QT_TRANSLATE_NOOP("examples", "No DistributedSampler"),
    QT_TRANSLATE_NOOP("examples",
                      "A script for one GPU, started on four: every rank shuffles the whole dataset, and one seed "
                      "gives all the same order."),
    QT_TRANSLATE_NOOP(
        "examples",
        "all ranks share all 96 samples, so four GPUs do the work of one; the fix divides the samples among them."),
    QT_TRANSLATE_NOOP("examples", "Seeds repeat on every node"),
    QT_TRANSLATE_NOOP("examples",
                      "Every rank shuffles for itself after torch.manual_seed(42 + local_rank): on two nodes each "
                      "local rank exists twice."),
    QT_TRANSLATE_NOOP(
        "examples",
        "ranks 0 and 4, 1 and 5, 2 and 6, 3 and 7 draw the same batches, and their workers the same augmentation."),
    QT_TRANSLATE_NOOP("examples", "One seed for every rank"),
    QT_TRANSLATE_NOOP("examples",
                      "Every rank calls torch.manual_seed(0). The sampler deals different samples, but random "
                      "augmentation follows the seed."),
    QT_TRANSLATE_NOOP("examples", "in the seeds table, worker 0 has the same seed on every rank, and so has worker 1."),
    QT_TRANSLATE_NOOP("examples", "local_rank passed as rank"),
    QT_TRANSLATE_NOOP(
        "examples",
        "DistributedSampler was given num_replicas=4 and rank=local_rank, right on one node and wrong on two."),
    QT_TRANSLATE_NOOP(
        "examples",
        "ranks 0 and 4, 1 and 5, 2 and 6, 3 and 7 read the same slices, so an epoch reads every sample twice."),
    QT_TRANSLATE_NOOP("examples", "One slow rank"),
    QT_TRANSLATE_NOOP(
        "examples",
        "Four ranks run in step, and rank 2 is deliberately slowed by 60 ms in every step. Launch a stand-in."),
    QT_TRANSLATE_NOOP("examples",
                      "ranks 0, 1 and 3 wait in the all-reduce for rank 2, which is named as the straggler; 40 steps "
                      "take about 5 s."),
    QT_TRANSLATE_NOOP("examples", "Two streams on every rank"),
    QT_TRANSLATE_NOOP("examples",
                      "The two-stream batch sampler of semi-supervised code knows nothing of ranks: a batch has one "
                      "labelled sample and three others."),
    QT_TRANSLATE_NOOP(
        "examples",
        "with one seed, every rank draws the same batches; the fix is the two-stream sampler for several ranks."),
    QT_TRANSLATE_NOOP("examples", "Uneven shards hang"),
    QT_TRANSLATE_NOOP(
        "examples",
        "Nine tar files on four ranks: some ranks get more files than others, and the last files are short."),
    QT_TRANSLATE_NOOP(
        "examples",
        "rank 3 runs out of batches first, and the others wait for it in the all-reduce until the timeout."),
    QT_TRANSLATE_NOOP("examples", "Rank 0 downloads, the others wait"),
    QT_TRANSLATE_NOOP("examples",
                      "The right way to prepare a dataset once: the other ranks wait in a barrier, which rank 0 calls "
                      "when it is done."),
    QT_TRANSLATE_NOOP(
        "examples",
        "`shardlens rehearse` sees every rank get through; without the third phase of the schedule, ranks "
        "1 to 3 would wait for ever."),
};

constexpr const char* kFirst = "distributed-sampler";
constexpr const char* kTitle = "Title: ";
constexpr const char* kLookFor = "Look for: ";
/// In this order; what is not named here comes after them, by name.
const QStringList kOrder = {"distributed-sampler-no-set-epoch",
                            "shard-local-rank",
                            "no-distributed-sampler",
                            "webdataset-uneven-shards",
                            "barrier-never-reached",
                            "iterable-duplicates",
                            "accelerate-divides-twice",
                            "two-stream-on-every-rank",
                            "seed-local-rank",
                            "seed-same",
                            "evaluation-padding",
                            "batch-sampler-drop-last",
                            "slow-rank",
                            "zero-first",
                            "all-reduce-ring",
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
