// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/document.h"

#include "core/spec/change.h"
#include "core/spec/field_table.h"

#include <QSignalBlocker>
#include <QUndoCommand>

#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kTypingCommand = 1;
constexpr int kMostCommands = 1000;                    // each keeps what it changed; older ones are forgotten
constexpr std::size_t kMostListBytes = 1'000'000'000;  // of lists that only the history keeps

bool isTyped(FieldKind kind) {
  return kind != FieldKind::Bool && kind != FieldKind::Choice && kind != FieldKind::Records;
}

}  // namespace

/// One undoable change: what differs, not the specs around it, and lists only by reference.
class SpecCommand : public QUndoCommand {
 public:
  SpecCommand(Document& document, SpecChange change, const QString& label)
      : QUndoCommand(label), document_(document), change_(std::move(change)) {}

  /// Lets later commands of the same field and typing session fold into this one.
  void mergeAs(const std::string& path, int typing) {
    path_ = path;
    typing_ = typing;
  }
  [[nodiscard]] HeldLists lists() const { return change_.lists(); }
  /// The same command for another stack: of a document that is changed already, so that pushing it changes nothing.
  [[nodiscard]] SpecCommand* copy() const {
    auto* command = new SpecCommand(document_, change_, text());
    command->mergeAs(path_, typing_);
    command->is_done_ = true;
    return command;
  }

  void undo() override {
    PipelineSpec spec = document_.spec();
    change_.revert(spec);
    document_.put(std::move(spec));
  }
  void redo() override {
    if (std::exchange(is_done_, false)) return;
    PipelineSpec spec = document_.spec();
    change_.apply(spec);
    document_.put(std::move(spec));
  }
  [[nodiscard]] int id() const override { return path_.empty() ? -1 : kTypingCommand; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const SpecCommand*>(other);
    if (next->path_ != path_ || next->typing_ != typing_) return false;
    change_.append(next->change_);
    setObsolete(change_.empty());
    return true;
  }

 private:
  Document& document_;
  SpecChange change_;
  std::string path_;
  int typing_ = 0;
  bool is_done_ = false;  ///< the document says already what the first redo() would make of it
};

Document::Document(SamplerCatalogue catalogue) : catalogue_(catalogue) {
  undo_.setUndoLimit(kMostCommands);
  connect(&undo_, &QUndoStack::cleanChanged, this, [this](bool clean) { emit modifiedChanged(!clean); });
}

Document::~Document() {
  undo_.disconnect(this);  // a stack that goes away says that it is clean
}

Result<void> Document::edit(const std::vector<Edit>& edits, const QString& label) {
  auto edited = applyEdits(spec_, edits, catalogue_);
  if (!edited) return edited.error();
  SpecChange change = SpecChange::between(spec_, *edited);
  if (change.empty()) return {};
  const auto only = edits.size() == 1 ? fieldAt(*edited, catalogue_, edits[0].path) : std::nullopt;
  auto* command = new SpecCommand(*this, std::move(change), label);
  if (only && only->path != "sampler.type" && isTyped(only->kind)) command->mergeAs(only->path, typing_);
  push(command);
  return {};
}

void Document::endTyping() {
  ++typing_;
}

void Document::replace(const PipelineSpec& spec, const QString& label) {
  SpecChange change = SpecChange::between(spec_, spec);
  if (!change.empty()) push(new SpecCommand(*this, std::move(change), label));
}

void Document::push(SpecCommand* command) {
  undo_.push(command);
  HeldLists lists = listsOf(spec_);  // kept anyway
  std::size_t bytes = 0;
  int first = undo_.count();
  while (first > 0) {
    for (const auto& [list, size] : static_cast<const SpecCommand*>(undo_.command(first - 1))->lists()) {
      if (lists.emplace(list, size).second) bytes += size;
    }
    if (bytes > kMostListBytes && first < undo_.count()) break;  // the newest can always be taken back
    --first;
  }
  if (first > 0) forget(first);
}

/// QUndoStack forgets nothing but by their number: the commands that stay make a new one.
void Document::forget(int oldest) {
  std::vector<SpecCommand*> kept;
  for (int i = oldest; i < undo_.count(); ++i) {
    kept.push_back(static_cast<const SpecCommand*>(undo_.command(i))->copy());
  }
  const int clean = undo_.cleanIndex() - oldest;
  const QSignalBlocker quiet(undo_);  // what can be undone next, and whether that is clean, stays as it is
  undo_.clear();
  if (clean != 0) undo_.resetClean();
  for (SpecCommand* command : kept) {
    undo_.push(command);
    if (undo_.index() == clean) undo_.setClean();
  }
}

void Document::show(yaml::SpecFile file, const QString& path) {
  start(std::move(file.read.spec), path, file.stamp);
}

Result<yaml::Saved> Document::Saving::write() const {
  return yaml::saveSpec(spec, catalogue, path.toStdString(), expected);
}

Document::Saving Document::saving(const QString& path) const {
  return {spec_, catalogue_, path, path == path_ ? std::optional(stamp_) : std::nullopt, shown_};
}

void Document::saved(const Saving& saving, const yaml::Saved& done) {
  if (saving.shown != shown_) return;
  stamp_ = done.stamp;
  const bool moved = std::exchange(path_, saving.path) != saving.path;
  if (spec_ == saving.spec) {
    undo_.setClean();
  } else {
    undo_.resetClean();
  }
  if (moved) emit pathChanged();
}

void Document::reset(PipelineSpec spec) {
  start(std::move(spec), {}, {});
}

void Document::start(PipelineSpec spec, const QString& path, yaml::FileStamp stamp) {
  emit leaving();
  undo_.clear();
  ++shown_;
  const bool moved = path != path_;
  path_ = path;
  stamp_ = stamp;
  put(std::move(spec));
  if (moved) emit pathChanged();
}

void Document::put(PipelineSpec spec) {
  spec_ = std::move(spec);
  emit specChanged();
}

}  // namespace shardlens::ui
