// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session.h"

#include "core/base/file.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/spec_writer.h"
#include "ui/state/phrase.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace shardlens::ui {
namespace {

constexpr const char* kOf = "# draft of ";
constexpr const char* kName = "# named ";
constexpr qint64 kLongestHead = 20'000;

QString behind(const QByteArray& line, const char* head) {
  return line.startsWith(head) ? QString::fromUtf8(line.mid(static_cast<qsizetype>(qstrlen(head)))).trimmed()
                               : QString();
}

std::optional<Drafts::Draft> headOf(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
  const QByteArray first = file.readLine(kLongestHead);
  const QByteArray second = file.readLine(kLongestHead);
  return Drafts::Draft{path, behind(first, kOf), behind(second, kName), QFileInfo(path).lastModified()};
}

std::string headed(const std::string& name, const QString& of, const std::string& text) {
  return kOf + of.toStdString() + "\n" + kName + name + "\n" + text;
}

/// The draft with its head; a name of several lines gives its first one.
std::string draftText(const PipelineSpec& spec, const QString& of) {
  const std::string name = spec.name.substr(0, spec.name.find_first_of("\r\n"));
  return headed(name, of, yaml::writeSpec(spec, sampling::catalogue()));
}

std::string typedText(const std::string& text, const QString& of) {
  return headed(QCoreApplication::translate("shardlens::ui::Drafts", "text with problems").toStdString(), of, text);
}

QString freshName(const QString& folder) {
  const QString stem = folder + "/kept-" + QDateTime::currentDateTime().toString("yyyyMMdd-HHmmss-zzz");
  QString name = stem + ".yaml";
  for (int i = 2; QFile::exists(name); ++i) name = stem + QString("-%1.yaml").arg(i);
  return name;
}

}  // namespace

Session::Session(const QString& folder)
    : folder_(folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/shardlens"
                               : folder),
      settings_(folder_ + "/studio.ini", QSettings::IniFormat),
      drafts_(folder_ + "/drafts") {}

QVariant Session::value(const QString& key, const QVariant& fallback) const {
  return settings_.value(key, fallback);
}

void Session::addRecent(const QString& path) {
  QStringList recent = recentFiles();
  const QString full = QFileInfo(path).absoluteFilePath();
  recent.removeAll(full);
  recent.prepend(full);
  settings_.setValue("files/recent", recent.mid(0, 10));
}

void OwnDraft::put(const PipelineSpec& spec, const QString& of, const Work& work) {
  const std::string text = draftText(spec, of);
  const MutexLock lock(mutex_);
  if (!work.stopped()) (void)writeFile(file_.toStdString(), text);  // a full disk must not stop the user's work
}

void OwnDraft::drop(const Work& work) {
  const MutexLock lock(mutex_);
  if (!work.stopped()) QFile::remove(file_);
}

void OwnDraft::putText(const std::optional<std::string>& text, const QString& of, const Work& work) {
  const MutexLock lock(mutex_);
  if (work.stopped()) return;
  if (!text) {
    QFile::remove(textFile());
  } else {
    (void)writeFile(textFile().toStdString(), typedText(*text, of));
  }
}

Result<std::string> Drafts::Draft::text() const {
  QFile kept(file);
  if (!kept.open(QIODevice::ReadOnly)) return Error{ErrorCode::Io, kept.errorString().toStdString(), {}, {}};
  kept.readLine();
  kept.readLine();
  return kept.readAll().toStdString();
}

Result<PipelineSpec> Drafts::Draft::read() const {
  yaml::SpecFile read = yaml::readSpecFile(file.toStdString(), sampling::catalogue());
  if (!read.read.issues.empty()) return read.read.issues.front();
  return std::move(read.read.spec);
}

QString Drafts::Draft::time() const {
  return when.toString(phrase("window", "d MMM, hh:mm"));
}

Drafts::Drafts(const QString& folder) : folder_(folder) {
  QDir().mkpath(folder_);
  lock_ = std::make_unique<QLockFile>(folder_ + "/window.lock");
  lock_->setStaleLockTime(0);  // a lock is stale when its process is gone, however old it is
  const bool first = lock_->tryLock(0);
  own_ = std::make_shared<OwnDraft>(
      folder_ +
      (first ? QString("/current.yaml") : QString("/kept-window-%1.yaml").arg(QCoreApplication::applicationPid())));
}

std::optional<Drafts::Draft> Drafts::left() const {
  return lock_->isLocked() ? headOf(own_->file()) : std::nullopt;
}

std::optional<Drafts::Draft> Drafts::leftText() const {
  return lock_->isLocked() ? headOf(own_->textFile()) : std::nullopt;
}

void Drafts::keep() {
  QFile::rename(own_->file(), freshName(folder_));
}

void Drafts::keepTyped() {
  QFile::rename(own_->textFile(), freshName(folder_));
}

Result<void> Drafts::keep(const QString& folder, const PipelineSpec& spec, const QString& of) {
  return writeFile(freshName(folder).toStdString(), draftText(spec, of));
}

Result<void> Drafts::keepText(const QString& folder, const std::string& text, const QString& of) {
  return writeFile(freshName(folder).toStdString(), typedText(text, of));
}

std::vector<Drafts::Draft> Drafts::kept() const {
  std::vector<Draft> drafts;
  for (const QString& name : QDir(folder_).entryList({"kept-*.yaml"}, QDir::Files, QDir::Time)) {
    if (auto draft = headOf(folder_ + "/" + name)) drafts.push_back(*std::move(draft));
  }
  return drafts;
}

void Drafts::remove(const Draft& draft) {
  QFile::remove(draft.file);
}

}  // namespace shardlens::ui
