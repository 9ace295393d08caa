// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/recorded_text.h"

#include "core/base/phrase.h"
#include "ui/state/phrase.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <string>
#include <vector>

namespace shardlens::ui {
namespace {

/// What core/collect, core/launch and core/record say into a recording; %1 to %3 are theirs.
constexpr const char* kSaid[] = {
    QT_TRANSLATE_NOOP("record", "The user stopped the job."),
    QT_TRANSLATE_NOOP("record", "ShardLens got %1, which asks it to end, and stopped the job."),
    QT_TRANSLATE_NOOP("record", "Passed %1 on to the job."),
    QT_TRANSLATE_NOOP("record", "The terminal was closed; the job and its recording continue."),
    QT_TRANSLATE_NOOP("record",
                      "The launcher %1 was stopped by a signal: until it gets SIGCONT, it prints nothing and does not "
                      "notice when a rank ends."),
    QT_TRANSLATE_NOOP("record",
                      "The command %1 was stopped by a signal: until it gets SIGCONT, it prints nothing and does not "
                      "notice when a rank ends."),
    QT_TRANSLATE_NOOP("record", "The launcher %1 continues."),
    QT_TRANSLATE_NOOP("record", "The command %1 continues."),
    QT_TRANSLATE_NOOP("record", "Some processes of the job could not be killed: look for them with ps."),
    QT_TRANSLATE_NOOP("record",
                      "This rank is not measured: its program was built with another version of ShardLens, and its "
                      "ring has another format."),
    QT_TRANSLATE_NOOP("record", "This rank is not measured from here on: its ring was cut short."),
    QT_TRANSLATE_NOOP("record",
                      "The command started ranks again. Steps and waits are recorded only for the first start, what "
                      "loaders read for every start."),
    QT_TRANSLATE_NOOP("record", "Further output was not recorded: there is too much of it."),
    QT_TRANSLATE_NOOP("record",
                      "This installation has no probe for PyTorch: the command runs, and what its loaders do is not "
                      "recorded."),
    QT_TRANSLATE_NOOP(
        "record",
        "This installation has no probe for MPI: the command runs, and what its MPI ranks wait for is not "
        "recorded."),
    QT_TRANSLATE_NOOP("record",
                      "The path of the probe for PyTorch has a colon, which PYTHONPATH cannot name: the command runs, "
                      "and what its loaders do is not recorded."),
    QT_TRANSLATE_NOOP("record",
                      "The path of the probe for MPI has a blank or a colon, which LD_PRELOAD cannot name: the command "
                      "runs, and what its MPI ranks wait for is not recorded."),
    QT_TRANSLATE_NOOP("record",
                      "This installation has no probe for NCCL: the command runs, and what its NCCL operations wait "
                      "for is not recorded."),
    QT_TRANSLATE_NOOP("record",
                      "The path of the probe for NCCL is longer than the 254 bytes that NCCL reads: the command runs, "
                      "and what its NCCL operations wait for is not recorded."),
    QT_TRANSLATE_NOOP(
        "record",
        "NCCL_PROFILER_PLUGIN names %1 and is left as it is: what the job's NCCL operations wait for is not recorded."),
    QT_TRANSLATE_NOOP("record",
                      "The processes are not one world of %1 ranks: the first reports a world of 1 rank. Only that "
                      "world is shown and recorded."),
    QT_TRANSLATE_NOOP("record",
                      "The processes are not one world of 1 rank: the first reports a world of %1 ranks. Only that "
                      "world is shown and recorded."),
    QT_TRANSLATE_NOOP("record",
                      "The processes are not one world of %1 ranks: the first reports a world of %2 ranks. Only that "
                      "world is shown and recorded."),
    QT_TRANSLATE_NOOP("record", "%1 nodes are emulated on one host: node and local rank come from the spec."),
    QT_TRANSLATE_NOOP("record", "The launcher %1 does not start MPI: %2 runs in place of %3."),
    QT_TRANSLATE_NOOP("record",
                      "%1 records of ranks and %2 lines of output were left out of the recording, because the disk was "
                      "too slow."),
    QT_TRANSLATE_NOOP("record", "%1 records of ranks were left out of the recording, because the disk was too slow."),
    QT_TRANSLATE_NOOP("record", "%1 lines of output were left out of the recording, because the disk was too slow."),
    QT_TRANSLATE_NOOP("record", "Another process asked the launcher %1 to end, and it ended the ranks."),
    QT_TRANSLATE_NOOP("record", "The launcher %1 was ended by %2, and the ranks ended with it."),
    QT_TRANSLATE_NOOP("record", "Another process asked the command %1 to end, and it ended the ranks."),
    QT_TRANSLATE_NOOP("record", "The command %1 was ended by %2, and the ranks ended with it."),
    QT_TRANSLATE_NOOP("record", "The command %1 was ended by %2."),
    QT_TRANSLATE_NOOP("record", "The command %1 ended with code 0, but its rank never reported anything."),
    QT_TRANSLATE_NOOP("record", "The command %1 ended with code 0, but none of its %2 ranks ever reported anything."),
    QT_TRANSLATE_NOOP("record", "1 process of the job ended without saying how, as after os._exit() or a signal."),
    QT_TRANSLATE_NOOP("record", "%1 processes of the job ended without saying how, as after os._exit() or a signal."),
    QT_TRANSLATE_NOOP("record", "The launcher %1 ended with code 0, but its rank never reported anything."),
    QT_TRANSLATE_NOOP("record", "The launcher %1 ended with code 0, but none of its %2 ranks ever reported anything."),
    QT_TRANSLATE_NOOP("record", "Rank %1 ended without saying how, as after os._exit() or a signal."),
    QT_TRANSLATE_NOOP("record", "Ranks %1 ended without saying how, as after os._exit() or a signal."),
    QT_TRANSLATE_NOOP("record", "A process of the job (pid %1) ended with code %2."),
    QT_TRANSLATE_NOOP("record", "The command %1 ended with code %2: the last exception in its output is %3"),
    QT_TRANSLATE_NOOP("record",
                      "The launcher %1 ended with code %2: the last exception in its output is %3 (the torchrun of "
                      "Debian 12 has to be started with -r 1 -t 1)"),
    QT_TRANSLATE_NOOP("record", "The launcher %1 ended with code %2: the last exception in its output is %3"),
    QT_TRANSLATE_NOOP("record", "The command %1 ended with code %2: %3"),
    QT_TRANSLATE_NOOP("record", "The command %1 ended with code %2."),
    QT_TRANSLATE_NOOP("record", "Rank %1 ended with code %2: %3"),
    QT_TRANSLATE_NOOP("record", "Rank %1 ended with code %2."),
    QT_TRANSLATE_NOOP("record", "The launcher %1 ended with code %2: %3"),
    QT_TRANSLATE_NOOP("record", "The launcher %1 ended with code %2."),
    // as recorded by earlier versions
    QT_TRANSLATE_NOOP("record", "1 rank shares %1 cores, so waits include CPU scheduling."),
    QT_TRANSLATE_NOOP("record", "%1 ranks share %2 cores, so waits include CPU scheduling."),
    QT_TRANSLATE_NOOP("record", "%1 ranks share 1 core, so waits include CPU scheduling."),
    QT_TRANSLATE_NOOP("record",
                      "The command started ranks again. Steps and waits are recorded of the first start alone, what "
                      "loaders read of every start."),
    QT_TRANSLATE_NOOP("record",
                      "The processes are not one world of %1 ranks: the first says that its world has 1 rank. Only its "
                      "world is shown and recorded."),
    QT_TRANSLATE_NOOP("record",
                      "The processes are not one world of 1 rank: the first says that its world has %1 ranks. Only its "
                      "world is shown and recorded."),
    QT_TRANSLATE_NOOP("record",
                      "The processes are not one world of %1 ranks: the first says that its world has %2 ranks. Only "
                      "its world is shown and recorded."),
};

struct Said {
  const char* text = nullptr;
  QRegularExpression shape;
  bool has_places = false;
};

const std::vector<Said>& said() {
  static const std::vector<Said> kAll = [] {
    std::vector<Said> all;
    for (const char* text : kSaid) {
      QString shape = QRegularExpression::escape(QString::fromUtf8(text));
      for (const char* place : {"\\%1", "\\%2", "\\%3"}) shape.replace(QLatin1String(place), QStringLiteral("(.+?)"));
      all.push_back({text, QRegularExpression(QRegularExpression::anchoredPattern(shape)), shape.contains("(.+?)")});
    }
    return all;
  }();
  return kAll;
}

/// The sentence in the window's language, with the recorded numbers and names in its places.
QString translated(const Said& one, const QRegularExpressionMatch& match) {
  std::vector<std::string> places;
  for (int place = 1; place <= match.lastCapturedIndex(); ++place) {
    places.push_back(match.captured(place).toStdString());
  }
  return QString::fromStdString(filledFrom(phrase("record", one.text).toStdString(), places));
}

}  // namespace

QString recordedText(const LogLine& line) {
  QString text = QString::fromStdString(line.text);
  const bool untranslated = phrase("record", kSaid[0]) == QLatin1String(kSaid[0]);
  if (untranslated) return text;
  for (const Said& one : said()) {
    // What a rank printed is searched for whole sentences only: its own words are no places.
    if (one.has_places && line.rank != LogLine::kOwn) continue;
    if (const auto match = one.shape.match(text); match.hasMatch()) return translated(one, match);
  }
  return text;
}

}  // namespace shardlens::ui
