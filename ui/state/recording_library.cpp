// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/recording_library.h"

#include "core/base/phrase.h"
#include "core/record/frame.h"
#include "ui/state/phrase.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <string_view>

namespace shardlens::ui {
namespace {

/// Whether a regular file begins as recordings do, whatever it is called.
bool beginsAsRecording(const QFileInfo& info) {
  QFile file(info.filePath());
  if (!info.isFile() || !file.open(QIODevice::ReadOnly)) return false;
  const QByteArray first = file.read(static_cast<qint64>(frame::kMagic.size()));
  return std::string_view(first.constData(), static_cast<std::size_t>(first.size())) == frame::kMagic;
}

using Entries = QHash<QString, RecordingLibrary::Entry>;

constexpr qsizetype kMostKept = 500;
constexpr int kFormat = 2;

void put(QJsonObject& object, const char* key, const std::optional<std::int64_t>& value) {
  if (value) object[key] = QString::number(*value);  // JSON's numbers are not exact
}

std::optional<std::int64_t> numberIn(const QJsonObject& object, const char* key) {
  bool fits = false;
  const std::int64_t value = object[key].toString().toLongLong(&fits);
  return fits ? std::optional(value) : std::nullopt;
}

QJsonObject toJson(const RecordingLibrary::Entry& entry) {
  QJsonObject object;
  object["stamp"] = entry.stamp;
  if (!entry.facts) {
    object["problem"] = entry.problem;
    return object;
  }
  const RecordingFacts& facts = *entry.facts;
  object["name"] = QString::fromStdString(facts.name);
  object["command"] = QString::fromStdString(facts.command);
  put(object, "started_unix_ns", facts.started_unix_ns);
  put(object, "elapsed_ns", facts.elapsed_ns);
  put(object, "ranks", facts.ranks);
  if (facts.outcome) object["outcome"] = static_cast<int>(*facts.outcome);
  object["failure"] = QString::fromStdString(facts.failure);
  object["verdict"] = QString::fromStdString(facts.verdict);
  put(object, "planned", facts.planned);
  put(object, "matched", facts.matched);
  put(object, "mismatched", facts.mismatched);
  object["damaged"] = facts.is_damaged;
  return object;
}

RecordingLibrary::Entry fromJson(const QJsonObject& object) {
  RecordingLibrary::Entry entry{object["stamp"].toString(), std::nullopt, object["problem"].toString()};
  if (object.contains("problem")) return entry;
  RecordingFacts facts;
  facts.name = object["name"].toString().toStdString();
  facts.command = object["command"].toString().toStdString();
  facts.started_unix_ns = numberIn(object, "started_unix_ns");
  facts.elapsed_ns = numberIn(object, "elapsed_ns");
  facts.ranks = numberIn(object, "ranks");
  const int outcome = object["outcome"].toInt(-1);
  if (outcome >= 0 && outcome <= static_cast<int>(JobStatus::Stopped)) facts.outcome = static_cast<JobStatus>(outcome);
  facts.failure = object["failure"].toString().toStdString();
  facts.verdict = object["verdict"].toString().toStdString();
  facts.planned = numberIn(object, "planned");
  facts.matched = numberIn(object, "matched").value_or(0);
  facts.mismatched = numberIn(object, "mismatched").value_or(0);
  facts.is_damaged = object["damaged"].toBool();
  entry.facts = std::move(facts);
  return entry;
}

Entries readEntries(const QString& path) {
  Entries entries;
  QFile file(path);
  if (path.isEmpty() || !file.open(QIODevice::ReadOnly)) return entries;
  const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
  if (root["format"].toInt() != kFormat || root["english"].toBool(true) != speaksEnglish()) return entries;
  const QJsonObject all = root["recordings"].toObject();
  for (auto one = all.begin(); one != all.end(); ++one) entries.insert(one.key(), fromJson(one.value().toObject()));
  return entries;
}

/// A cache that cannot be written is read again the next time.
void writeEntries(const QString& path, const Entries& entries) {
  if (path.isEmpty()) return;
  QJsonObject all;
  for (auto one = entries.begin(); one != entries.end() && all.size() < kMostKept; ++one) {
    const bool is_running = one->facts && one->facts->outcome == JobStatus::Running;
    if (!is_running && QFileInfo::exists(one.key())) all[one.key()] = toJson(*one);
  }
  QDir().mkpath(QFileInfo(path).absolutePath());
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return;
  file.write(QJsonDocument(QJsonObject{{"format", kFormat}, {"english", speaksEnglish()}, {"recordings", all}})
                 .toJson(QJsonDocument::Compact));
  file.commit();
}

RecordingLibrary::Entry readRecording(const QString& path, const QString& stamp, const Work& work) {
  auto facts = readRecordingFacts(path.toStdString(), work);
  if (facts) return {stamp, *std::move(facts), {}};
  return {stamp, std::nullopt, QString::fromStdString(facts.error().message)};
}

}  // namespace

QString recordingFilter() {
  return phrase("run", "Recordings (*.slrun *.slseg *.slprobe);;All files (*)");
}

QString recordingAt(const QString& path) {
  if (path.isEmpty()) return {};
  const QFileInfo file(QDir::cleanPath(path));
  const auto is_run = [](const QString& name) { return name.endsWith(".slrun", Qt::CaseInsensitive); };
  const bool is_segment = file.fileName().endsWith(".slseg", Qt::CaseInsensitive);
  if ((is_segment || file.isFile()) && is_run(file.absolutePath())) return file.absolutePath();
  const bool is_one = is_segment || is_run(file.fileName()) || file.isDir() || beginsAsRecording(file);
  return is_one ? file.filePath() : QString();
}

QString recordingName(const QString& path) {
  const QFileInfo file(path);
  return file.fileName() == "run.slrun" ? file.dir().dirName() : file.completeBaseName();
}

RecordingLibrary::RecordingLibrary(QString cache_file, QObject* parent)
    : QObject(parent), cache_file_(std::move(cache_file)) {}

const RecordingLibrary::Entry* RecordingLibrary::find(const QString& recording) const {
  const auto found = entries_.constFind(recording);
  return found == entries_.cend() ? nullptr : &*found;
}

void RecordingLibrary::want(const QStringList& recordings) {
  job_.startParts([this, recordings, cache = cache_file_, loaded = loaded_, entries = entries_](
                      const Work& work, const LatestJob::HandOver& hand_over) mutable {
    if (!loaded) {
      const Entries kept = readEntries(cache);
      for (auto one = kept.begin(); one != kept.end(); ++one) {
        if (!entries.contains(one.key())) entries.insert(one.key(), *one);
      }
    }
    bool is_new = false;
    for (const QString& recording : recordings) {
      const QString stamp = QString::fromStdString(recordingStamp(recording.toStdString()));
      const auto found = entries.constFind(recording);
      const bool is_kept = found != entries.cend() && found->stamp == stamp &&
                           !(found->facts && found->facts->outcome == JobStatus::Running);
      if (!is_kept) entries.insert(recording, readRecording(recording, stamp, work));
      if (work.stopped()) return;
      is_new = is_new || !is_kept;
      hand_over([this, recording, entry = entries[recording]] {
        entries_.insert(recording, entry);
        emit known(recording);
      });
    }
    hand_over([this] { loaded_ = true; });
    if (is_new) writeEntries(cache, entries);
  });
}

}  // namespace shardlens::ui

#include "moc_recording_library.cpp"
