// SPDX-License-Identifier: GPL-3.0-or-later
// A new pipeline, and the way back to what it took the place of.
#include "ui/widgets/common/toast.h"
#include "ui/window/file_commands.h"

namespace shardlens::ui {

void FileCommands::newDocument() {
  const Document& document = workspace_.document;
  const auto typed = workspace_.text.unsound();
  const Replaced before{document.spec(), document.path(), document.text(), document.isModified(), typed, fileOfText()};
  const QString name = typed && !fileOfText().isEmpty() ? shortName(fileOfText()) : documentName(document);
  if (!setAside()) return;
  banner_.hide();
  workspace_.document.reset({});
  workspace_.selection.forget();
  if (before.path.isEmpty() && before.spec == document.spec() && !typed) return;
  Toast::sayWithUndo(*window_,
                     (before.modified || typed) && session_ != nullptr
                         ? tr("A new pipeline is open. The changes to %1 were kept: File > Kept drafts.").arg(name)
                         : tr("A new pipeline is open in place of %1.").arg(name),
                     [this, before] { putBack(before); });
}

bool FileCommands::openDesign(const PipelineSpec& spec, const QString& text) {
  if (!mayStart() || !setAside()) return false;
  banner_.hide();
  yaml::SpecFile made{{spec, {}}, {}, std::make_shared<const std::string>(text.toStdString())};
  workspace_.document.showMended(std::move(made), {});
  workspace_.selection.forget();
  workspace_.playback.seek(0, 0);
  return true;
}

/// What a new pipeline took the place of. The design that is open by now stays where it cannot be kept.
void FileCommands::putBack(const Replaced& before) {
  Document& document = workspace_.document;
  if (!before.path.isEmpty()) {
    if (!openSpec(before.path)) return;
  } else {
    if (!setAside()) return;
    document.reset(before.modified ? PipelineSpec() : before.spec);
    workspace_.selection.forget();
  }
  const QString label = tr("what was open before");
  if (before.modified && before.text == nullptr) document.replace(before.spec, label);
  if (before.modified && before.text != nullptr) document.rewrite(before.spec, before.text, label);
  if (before.typed) showTyped(before.typed_in, before.typed->toStdString());
}

}  // namespace shardlens::ui
