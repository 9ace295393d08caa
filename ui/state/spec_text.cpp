// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/spec_text.h"

#include "core/yaml/spec_update.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kPauseMs = 250;
/// What an editor of lines can show without keeping the window from the user.
constexpr std::size_t kMostBytes = 2'000'000;
constexpr std::size_t kLongestLine = 100'000;
/// Texts up to this size are read where they are typed: a few milliseconds.
constexpr std::size_t kShort = 20'000;

bool fitsAnEditor(std::string_view text) {
  if (text.size() > kMostBytes) return false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > kLongestLine) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

struct Written {
  std::string text;
  bool kept = true;  ///< what was written around the values
};

Written written(const std::shared_ptr<const std::string>& base, const PipelineSpec& spec, SamplerCatalogue catalogue) {
  if (base != nullptr) {
    if (auto updated = yaml::updateText(*base, spec, catalogue)) return {*std::move(updated), true};
  }
  return {yaml::writeSpec(spec, catalogue), base == nullptr};
}

}  // namespace

SpecText::SpecText(Document& document) : document_(document) {
  pause_.setSingleShot(true);
  pause_.setInterval(kPauseMs);
  connect(&pause_, &QTimer::timeout, this, &SpecText::read);
  connect(&document_, &Document::leaving, this, &SpecText::forget);
  connect(&document_, &Document::specChanged, this, &SpecText::follow);
  connect(&document_, &Document::textChanged, this, &SpecText::follow);
}

void SpecText::setWatched(bool watched) {
  watched_ = watched;
  const bool has_own_words = edited_ && !problems_.empty();
  if (watched && !has_own_words) follow();
}

/// Another document comes: what was typed for this one is no longer of use.
void SpecText::forget() {
  pause_.stop();
  job_.cancel();
  broken_file_.clear();
  problems_.clear();
  said_.reset();
  known_.reset();
  text_.clear();
  out_of_step_ = rewritten_ = unread_ = edited_ = false;
}

void SpecText::follow() {
  if (!broken_file_.isEmpty()) return;
  if (!watched_) {
    out_of_step_ |= edited_ && !problems_.empty();
    return;
  }
  const bool has_new_text = document_.text() != known_;
  if (!has_new_text && said_ && *said_ == document_.spec()) return;
  readNow();
  const bool typed = unread_ || !problems_.empty();
  if (typed && !has_new_text) {
    if (!out_of_step_) {
      out_of_step_ = true;
      emit stateChanged();
    }
    return;
  }
  known_ = document_.text();
  writeFrom(has_new_text || text_.isEmpty() ? known_ : std::make_shared<const std::string>(text_.toStdString()));
}

void SpecText::writeFrom(std::shared_ptr<const std::string> base) {
  pause_.stop();
  job_.start([base = std::move(base), spec = document_.spec(), catalogue = document_.catalogue()](
                 const Work&) { return std::optional(std::pair(written(base, spec, catalogue), spec)); },
             [this](std::pair<Written, PipelineSpec> done) {
               said_ = std::move(done.second);
               problems_.clear();
               out_of_step_ = false;
               rewritten_ = !done.first.kept;
               setText(done.first.text);
               emit stateChanged();
             });
}

void SpecText::setText(const std::string& text) {
  too_long_ = !fitsAnEditor(text);
  text_ = too_long_ ? QString() : QString::fromStdString(text);
  edited_ = false;
  emit textChanged();
}

void SpecText::edit(const QString& text) {
  if (text == text_ || too_long_) return;
  text_ = text;
  said_.reset();
  rewritten_ = false;
  unread_ = edited_ = true;
  pause_.start();
}

std::optional<QString> SpecText::unsound() {
  readNow();
  if (!edited_ || (problems_.empty() && !unread_)) return std::nullopt;
  return text_;
}

void SpecText::retype(const QString& text) {
  known_ = document_.text();
  setText(text.toStdString());
  if (too_long_) return;
  said_.reset();
  unread_ = edited_ = true;
  read();
}

void SpecText::readNow() {
  if (pause_.isActive()) read();
}

void SpecText::read() {
  pause_.stop();
  auto typed = std::make_shared<const std::string>(text_.toStdString());
  const std::string name = broken_file_.isEmpty() ? std::string() : broken_file_.toStdString();
  if (typed->size() <= kShort) {
    job_.cancel();
    return taken(typed, yaml::readSpec(*typed, document_.catalogue(), name));
  }
  job_.start([typed, name, catalogue = document_.catalogue()](
                 const Work&) { return std::optional(yaml::readSpec(*typed, catalogue, name)); },
             [this, typed](yaml::ReadSpec read) { taken(typed, std::move(read)); });
}

void SpecText::taken(const std::shared_ptr<const std::string>& typed, yaml::ReadSpec read) {
  unread_ = unread_ && text_.toStdString() != *typed;
  problems_ = std::move(read.issues);
  if (!problems_.empty()) {
    emit stateChanged();
    return;
  }
  out_of_step_ = false;
  if (!broken_file_.isEmpty()) {
    yaml::SpecFile file{std::move(read), broken_stamp_, typed};
    file.read.issues.clear();
    emit stateChanged();
    emit mended(QString(broken_file_), file);  // whoever opens it ends what is known of the file here
    return;
  }
  said_ = read.spec;
  known_ = typed;
  document_.rewrite(read.spec, typed, tr("edit of the text"));
  emit stateChanged();
}

void SpecText::showBroken(const QString& path, const yaml::SpecFile& file, bool edited) {
  pause_.stop();
  job_.cancel();
  broken_file_ = path;
  broken_stamp_ = file.stamp;
  problems_ = file.read.issues;
  said_.reset();
  out_of_step_ = rewritten_ = unread_ = false;
  setText(file.text != nullptr ? *file.text : std::string());
  edited_ = edited;
  emit stateChanged();
}

void SpecText::takeDesign() {
  const std::shared_ptr<const std::string> base = document_.text();
  pause_.stop();
  unread_ = false;
  broken_file_.clear();
  problems_.clear();
  known_ = base;
  writeFrom(base);
}

}  // namespace shardlens::ui

#include "moc_spec_text.cpp"
