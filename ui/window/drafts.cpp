// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/drafts.h"

#include "core/base/file.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_writer.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr const char* kOf = "# draft of ";
constexpr std::size_t kMostBytes = 64'000'000;

std::optional<Drafts::Draft> readDraft(const QString& file) {
  const auto bytes = readFile(file.toStdString(), kMostBytes);
  if (!bytes) return std::nullopt;
  auto read = yaml::readSpec(*bytes, sampling::catalogue(), file.toStdString());
  if (!read.issues.empty()) return std::nullopt;
  const QString first = QString::fromStdString(bytes->substr(0, bytes->find('\n')));
  const QString of = first.startsWith(kOf) ? first.mid(static_cast<qsizetype>(qstrlen(kOf))) : QString();
  return Drafts::Draft{file, of, QFileInfo(file).lastModified(), std::move(read.spec)};
}

}  // namespace

Drafts::Drafts(const QString& folder) : folder_(folder) {
  QDir().mkpath(folder_);
  lock_ = std::make_unique<QLockFile>(folder_ + "/window.lock");
  lock_->setStaleLockTime(0);  // a lock is stale when its process is gone, however old it is
  const bool first = lock_->tryLock(0);
  own_ = folder_ +
         (first ? QString("/current.yaml") : QString("/kept-window-%1.yaml").arg(QCoreApplication::applicationPid()));
}

std::optional<Drafts::Draft> Drafts::left() const {
  return lock_->isLocked() ? readDraft(own_) : std::nullopt;
}

void Drafts::put(const PipelineSpec& spec, const QString& of) {
  const std::string text = kOf + of.toStdString() + "\n" + yaml::writeSpec(spec, sampling::catalogue());
  (void)writeFile(own_.toStdString(), text);  // a full disk must not stop the user's work
}

void Drafts::drop() {
  QFile::remove(own_);
}

void Drafts::keep() {
  if (!QFile::exists(own_)) return;
  const QString stamp = QDateTime::currentDateTime().toString("yyyyMMdd-HHmmss-zzz");
  QFile::rename(own_, folder_ + "/kept-" + stamp + ".yaml");
}

std::vector<Drafts::Draft> Drafts::kept() const {
  std::vector<Draft> drafts;
  for (const QString& name : QDir(folder_).entryList({"kept-*.yaml"}, QDir::Files, QDir::Time)) {
    if (auto draft = readDraft(folder_ + "/" + name)) drafts.push_back(*std::move(draft));
  }
  return drafts;
}

void Drafts::remove(const Draft& draft) {
  QFile::remove(draft.file);
}

}  // namespace shardlens::ui
