// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/document.h"

#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <QUndoCommand>

namespace shardlens::ui {
namespace {

constexpr int kTypingCommand = 1;

bool isTyped(FieldKind kind) {
  return kind != FieldKind::Bool && kind != FieldKind::Choice;
}

/// Drops the parameters that the sampler does not take, or would refuse.
void keepAccepted(PipelineSpec& spec) {
  const SamplerInfo* info = findSampler(sampling::catalogue(), spec.sampler.type);
  if (info == nullptr) return;
  std::map<std::string, Value> kept;
  for (const Field& field : info->parameters) {
    const auto found = spec.sampler.parameters.find(field.key());
    if (found != spec.sampler.parameters.end() && !checkValue(field, found->second)) kept.insert(*found);
  }
  spec.sampler.parameters = std::move(kept);
}

Error at(const std::string& path, std::string message) {
  return Error{ErrorCode::BadInput, std::move(message), Place{{}, 0, 0, path}, {}};
}

Result<void> apply(PipelineSpec& spec, const Edit& edit) {
  const Field* field = findField(spec, sampling::catalogue(), edit.path);
  if (field == nullptr) return at(edit.path, spec.sampler.type + " has no field '" + edit.path + "'.");
  if (auto error = checkValue(*field, edit.value)) return *error;
  setValue(spec, *field, edit.value);
  if (edit.path != "sampler.type") return {};
  if (findSampler(sampling::catalogue(), spec.sampler.type) == nullptr) {
    return at(edit.path, "there is no sampler '" + spec.sampler.type + "'.");
  }
  keepAccepted(spec);
  return {};
}

}  // namespace

/// One change of the whole spec; small enough to keep by value, and so undoing cannot miss anything.
class SpecCommand : public QUndoCommand {
 public:
  SpecCommand(Document& document, PipelineSpec after, const QString& label)
      : QUndoCommand(label), document_(document), before_(document.spec()), after_(std::move(after)) {}

  /// Lets later commands of the same field and typing session fold into this one.
  void mergeAs(const std::string& path, int typing) {
    path_ = path;
    typing_ = typing;
  }

  void undo() override { document_.put(before_); }
  void redo() override { document_.put(after_); }
  [[nodiscard]] int id() const override { return path_.empty() ? -1 : kTypingCommand; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const SpecCommand*>(other);
    if (next->path_ != path_ || next->typing_ != typing_) return false;
    after_ = next->after_;
    setObsolete(after_ == before_);
    return true;
  }

 private:
  Document& document_;
  PipelineSpec before_;
  PipelineSpec after_;
  std::string path_;
  int typing_ = 0;
};

Document::Document(QObject* parent) : QObject(parent) {
  connect(&undo_, &QUndoStack::cleanChanged, this, [this](bool clean) { emit modifiedChanged(!clean); });
}

Result<void> Document::edit(const std::vector<Edit>& edits, const QString& label) {
  PipelineSpec changed = spec_;
  for (const Edit& edit : edits) {
    if (auto done = apply(changed, edit); !done) return done;
  }
  if (changed == spec_) return {};
  const Field* only = edits.size() == 1 ? findField(changed, sampling::catalogue(), edits[0].path) : nullptr;
  auto* command = new SpecCommand(*this, std::move(changed), label);
  if (only != nullptr && only->path != "sampler.type" && isTyped(only->kind)) command->mergeAs(only->path, typing_);
  undo_.push(command);
  return {};
}

void Document::endTyping() {
  ++typing_;
}

void Document::replace(PipelineSpec spec, const QString& label) {
  if (spec == spec_) return;
  undo_.push(new SpecCommand(*this, std::move(spec), label));
}

void Document::reset(PipelineSpec spec) {
  start(std::move(spec), {});
}

void Document::start(PipelineSpec spec, const QString& path) {
  undo_.clear();
  const bool moved = path != path_;
  path_ = path;
  put(std::move(spec));
  if (moved) emit pathChanged();
}

void Document::put(PipelineSpec spec) {
  spec_ = std::move(spec);
  emit specChanged();
}

}  // namespace shardlens::ui
