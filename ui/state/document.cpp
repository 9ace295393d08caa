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
  /// Whether it is what was typed into this field.
  [[nodiscard]] bool isTyping(const std::string& path, int typing) const { return path_ == path && typing_ == typing; }
  void takeBack(PipelineSpec& spec) const { change_.revert(spec); }
  /// The command changes the document's text, too.
  void withText(std::shared_ptr<const std::string> before, std::shared_ptr<const std::string> after) {
    texts_ = {std::move(before), std::move(after)};
  }
  /// What the command alone keeps: lists and texts.
  [[nodiscard]] HeldLists lists() const {
    HeldLists held = change_.lists();
    if (texts_) {
      for (const auto& text : {texts_->first, texts_->second}) {
        if (text != nullptr) held.emplace(text.get(), text->size());
      }
    }
    return held;
  }
  /// The same command for another stack: of a document that is changed already, so that pushing it changes nothing.
  [[nodiscard]] SpecCommand* copy() const {
    auto* command = new SpecCommand(document_, change_, text());
    command->mergeAs(path_, typing_);
    command->texts_ = texts_;
    command->is_done_ = true;
    return command;
  }

  void undo() override {
    PipelineSpec spec = document_.spec();
    change_.revert(spec);
    put(std::move(spec), texts_ ? &texts_->first : nullptr);
  }
  void redo() override {
    if (std::exchange(is_done_, false)) return;
    PipelineSpec spec = document_.spec();
    change_.apply(spec);
    put(std::move(spec), texts_ ? &texts_->second : nullptr);
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
  /// Whoever listens finds the spec and its text together.
  void put(PipelineSpec spec, const std::shared_ptr<const std::string>* text) {
    if (text != nullptr) document_.text_ = *text;
    if (!change_.empty()) document_.put(std::move(spec));
    if (text != nullptr) emit document_.textChanged();
  }

  Document& document_;
  SpecChange change_;
  std::optional<std::pair<std::shared_ptr<const std::string>, std::shared_ptr<const std::string>>> texts_;
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

Result<bool> Document::edit(const std::vector<Edit>& edits, const QString& label) {
  const auto only = edits.size() == 1 ? fieldAt(spec_, catalogue_, edits[0].path) : std::nullopt;
  const bool is_typed = only && only->path != "sampler.type" && isTyped(only->kind);
  auto edited = applyEdits(is_typed ? beforeTyping(only->path) : spec_, edits, catalogue_);
  if (!edited) return edited.error();
  SpecChange change = SpecChange::between(spec_, *edited);
  if (change.empty()) return false;
  auto* command = new SpecCommand(*this, std::move(change), label);
  if (is_typed) command->mergeAs(only->path, typing_);
  return push(command);
}

/// A value that was only typed on the way to another one leaves nothing: a list of ranks would leave its nodes.
PipelineSpec Document::beforeTyping(const std::string& path) const {
  PipelineSpec spec = spec_;
  const auto* last = static_cast<const SpecCommand*>(undo_.index() > 0 ? undo_.command(undo_.index() - 1) : nullptr);
  if (last != nullptr && last->isTyping(path, typing_)) last->takeBack(spec);
  return spec;
}

bool Document::replace(const PipelineSpec& spec, const QString& label) {
  SpecChange change = SpecChange::between(spec_, spec);
  return !change.empty() && push(new SpecCommand(*this, std::move(change), label));
}

void Document::rewrite(const PipelineSpec& spec, std::shared_ptr<const std::string> text, const QString& label) {
  SpecChange change = SpecChange::between(spec_, spec);
  const bool same_text = text_ != nullptr && text != nullptr && *text_ == *text;
  if (change.empty() && same_text) return;
  is_typed_ = true;
  auto* command = new SpecCommand(*this, std::move(change), label);
  command->withText(text_, std::move(text));
  push(command);
}

/// Says whether the change is still in the history: two that cancel each other are dropped together.
bool Document::push(SpecCommand* command) {
  const int before = undo_.index();
  undo_.push(command);
  const bool kept = undo_.index() >= before;
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
  return kept;
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
  start(std::move(file.read.spec), path, file.stamp, std::move(file.text));
}

void Document::showMended(yaml::SpecFile file, const QString& path) {
  show(std::move(file), path);
  is_typed_ = true;
  undo_.resetClean();
}

Result<yaml::Saved> Document::Saving::write() const {
  std::optional<std::string_view> text;
  if (typed != nullptr) text = *typed;
  return yaml::saveSpec(spec, catalogue, path.toStdString(), expected, text);
}

Document::Saving Document::saving(const QString& path) const {
  return {spec_,  catalogue_,
          path,   path == path_ ? std::optional(stamp_) : std::nullopt,
          shown_, is_typed_ || path_.isEmpty() ? text_ : nullptr};
}

void Document::saved(const Saving& saving, const yaml::Saved& done) {
  if (saving.shown != shown_) return;
  stamp_ = done.stamp;
  const bool moved = std::exchange(path_, saving.path) != saving.path;
  if (spec_ == saving.spec && (!is_typed_ || text_ == saving.typed)) {
    undo_.setClean();
  } else {
    undo_.resetClean();
  }
  if (moved) emit pathChanged();
}

void Document::reset(PipelineSpec spec) {
  start(std::move(spec), {}, {});
}

void Document::start(PipelineSpec spec, const QString& path, yaml::FileStamp stamp,
                     std::shared_ptr<const std::string> text) {
  emit leaving();
  undo_.clear();
  ++shown_;
  const bool moved = path != path_;
  path_ = path;
  stamp_ = stamp;
  text_ = std::move(text);
  is_typed_ = false;
  put(std::move(spec));
  if (moved) emit pathChanged();
}

void Document::put(PipelineSpec spec) {
  spec_ = std::move(spec);
  emit specChanged();
}

}  // namespace shardlens::ui

#include "moc_document.cpp"
