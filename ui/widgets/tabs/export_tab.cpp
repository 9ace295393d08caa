// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/export_tab.h"

#include "core/audit/error_sentences.h"
#include "core/base/phrase.h"
#include "ui/scene/design/form.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/panel_menu.h"

#include <QCryptographicHash>
#include <QSettings>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace shardlens::ui {
namespace {

/// Beside the window's own settings.
QString memoryFile() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
         QStringLiteral("/shardlens/exports.ini");
}

/// Options are the user's, not the document's: a partition, an interpreter.
QString optionKey(const std::string& id) {
  return QStringLiteral("options/") + QString::fromStdString(id);
}

yaml::ExportContext rememberedOptions() {
  yaml::ExportContext context;
  const QSettings memory(memoryFile(), QSettings::IniFormat);
  for (const yaml::ExportOption& option : yaml::exportOptions()) {
    const QVariant said = memory.value(optionKey(option.id));
    if (said.isValid()) (void)yaml::setOption(context, option, said.toString().toStdString());
  }
  return context;
}

}  // namespace

ExportTab::ExportTab(Workspace& workspace, QWidget* parent)

    : QWidget(parent),
      workspace_(workspace),
      view_(new ExportView),
      refresh_(this, [this] { view_->setSpec(workspace_.document.spec(), workspace_.document.path()); }),
      errors_(this, [this] { takeErrors(); }) {
  auto* column = columnIn(this, {});
  column->addWidget(view_);
  connect(&workspace_.document, &Document::specChanged, &refresh_, &Refresh::want);
  connect(&workspace_.document, &Document::specChanged, &errors_, &Refresh::want);
  connect(&workspace_.plans, &PlanService::snapshotChanged, &errors_, &Refresh::want);
  connect(&workspace_.document, &Document::pathChanged, this, [this] {
    refresh_.want();
    recall();
  });
  connect(&workspace_.document, &Document::leaving, view_,
          [this] { view_->setTarget(yaml::exportTargets().front().id); });
  connect(view_, &ExportView::targetChanged, this, &ExportTab::recall);
  connect(view_, &ExportView::optionChanged, this, [](const std::string& id, const QString& text) {
    QSettings(memoryFile(), QSettings::IniFormat).setValue(optionKey(id), text);
  });
  view_->setOptions(rememberedOptions());
  connect(view_, &ExportView::saved, this, [this](const QString& path) {
    if (!workspace_.document.path().isEmpty())
      QSettings(memoryFile(), QSettings::IniFormat).setValue(memoryKey(), path);
  });
  addPanelMenu(*this, {phrase("tabs", "Export"), [this] { return view_->text(); }});
  refresh_.want();
  errors_.want();
  recall();
}

/// Those of a spec that is none any more are as good as none. They go into files, which are English as those of the
/// command line are.
void ExportTab::takeErrors() {
  const PlanSnapshotPtr plan = workspace_.plans.snapshot();
  const bool is_of_this = plan->audit != nullptr && plan->spec == workspace_.document.spec();
  english_.cancel();
  const bool fails = !plan->issues.empty() && plan->spec == workspace_.document.spec();
  view_->setNoPlan(fails ? problemText(plan->issues.front()) : QString());
  if (!is_of_this || speaksEnglish() || !plan->audit->hasErrors()) {
    return view_->setAuditErrors(is_of_this ? errorSentences(*plan->audit) : std::vector<std::string>());
  }
  view_->waitForAuditErrors();
  const auto in_this_language = [this, plan] { view_->setAuditErrors(errorSentences(*plan->audit)); };
  english_.start(
      [plan](const Work& work) -> std::optional<std::vector<std::string>> {
        const InEnglish english;
        AuditOptions options;
        options.epochs = usualEpochs(*plan->plan, 0, {work.stop, {}});
        options.fixes = false;
        const auto report = audit(*plan->plan, options, work);
        return errorSentences(report ? *report : *plan->audit);
      },
      [this](const std::vector<std::string>& errors) { view_->setAuditErrors(errors); }, {},
      [in_this_language](const Error& /*error*/) { in_this_language(); });
}

QString ExportTab::memoryKey() const {
  const QByteArray document =
      QCryptographicHash::hash(workspace_.document.path().toUtf8(), QCryptographicHash::Sha1).toHex();
  return QString::fromLatin1(document) + '/' + QString::fromStdString(view_->target());
}

void ExportTab::recall() {
  if (workspace_.document.path().isEmpty()) return view_->setPath({});
  view_->setPath(QSettings(memoryFile(), QSettings::IniFormat).value(memoryKey()).toString());
}

}  // namespace shardlens::ui

#include "moc_export_tab.cpp"
