// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/audit_parts.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPushButton>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QStringList>
#include <QTextBlock>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <memory>
#include <utility>

namespace shardlens::ui {
namespace {

QString firstIssue(const Issues& issues) {
  QString text = QString::fromStdString(issues.front().text());
  if (issues.size() > 1) text += StatePane::tr(" And %n more.", nullptr, static_cast<int>(issues.size()) - 1);
  return text;
}

/// Which epoch is shown, where it is not the one under the playhead.
QString epochOffer(const EpochAudit& audits) {
  const auto missing = audits.missing();
  if (!missing) return {};
  const QString shown = StatePane::tr("This is epoch %1.").arg(audits.report()->coverage.front().epoch);
  return audits.isBusy() ? StatePane::tr("%1 Checking epoch %2…").arg(shown).arg(*missing)
                         : StatePane::tr("%1 Show epoch %2").arg(shown).arg(*missing);
}

/// While an edited or opened spec is being planned, the newest answer is that of the spec before.
bool isOfTheDocument(const Workspace& workspace) {
  return workspace.plans.snapshot()->spec == workspace.document.spec();
}

/// A button whose text takes several lines where one has no room.
class WrappingButton : public QPushButton {
 public:
  WrappingButton() {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
  }

  void setWords(const QString& words) {
    words_ = words;
    setAccessibleName(words);
    setText(brokenAt(width()));
    updateGeometry();
  }

  [[nodiscard]] QSize sizeHint() const override { return sizeOf(words_); }
  [[nodiscard]] QSize minimumSizeHint() const override {
    return {std::min(px(120), sizeHint().width()), sizeHint().height()};
  }
  [[nodiscard]] int heightForWidth(int width) const override { return sizeOf(brokenAt(width)).height(); }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QPushButton::resizeEvent(event);
    setText(brokenAt(event->size().width()));
  }

 private:
  /// What the style takes around the text.
  [[nodiscard]] QSize around() const {
    return QPushButton::sizeHint() - fontMetrics().size(Qt::TextShowMnemonic, text());
  }
  [[nodiscard]] QSize sizeOf(const QString& text) const {
    return fontMetrics().size(Qt::TextShowMnemonic, text) + around();
  }

  /// Broken where the script breaks lines: not every one has spaces.
  [[nodiscard]] QString brokenAt(int width) const {
    const int room = width - around().width();
    const auto between = [this](qsizetype from, qsizetype to) { return words_.mid(from, to - from).trimmed(); };
    QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, words_);
    QStringList lines;
    qsizetype begin = 0;
    qsizetype fits = 0;
    for (qsizetype next = breaks.toNextBoundary(); next >= 0; next = breaks.toNextBoundary()) {
      if (fits > begin && fontMetrics().horizontalAdvance(between(begin, next)) > room) {
        lines << between(begin, fits);
        begin = fits;
      }
      fits = next;
    }
    lines << between(begin, words_.size());
    return lines.join('\n');
  }

  QString words_;
};

constexpr int kLeastLines = 26;  ///< a line of ids

}  // namespace

void watchAudit(Workspace& workspace, StatePane& pane, TakeAudit take) {
  auto shown = std::make_shared<std::shared_ptr<const AuditReport>>();
  const auto update = [&workspace, &pane, shown, take = std::move(take)] {
    const PlanSnapshotPtr snapshot = workspace.plans.snapshot();
    if (!snapshot->issues.empty()) return pane.showStale(firstIssue(snapshot->issues));
    if (!isOfTheDocument(workspace)) return pane.showProgress(0, StatePane::tr("Planning"));
    if (!snapshot->audit) return pane.showProgress(0, StatePane::tr("Auditing"));
    if (!workspace.playback.isPlaying() && !workspace.plans.isBusy()) workspace.audits.want();
    const auto report = workspace.audits.report();
    if (report != *shown) {
      *shown = report;
      take(snapshot, report);
    }
    pane.setOffer(epochOffer(workspace.audits));
    pane.showContent();
  };
  auto* refresh = new Refresh(&pane, update);
  QObject::connect(&workspace.document, &Document::leaving, &pane, &StatePane::clear);
  QObject::connect(&workspace.plans, &PlanService::snapshotChanged, refresh, &Refresh::want);
  QObject::connect(&workspace.plans, &PlanService::busyChanged, refresh, &Refresh::want);
  QObject::connect(&workspace.audits, &EpochAudit::changed, refresh, &Refresh::want);
  QObject::connect(&workspace.playback, &Playback::playingChanged, refresh, &Refresh::want);
  QObject::connect(&workspace.plans, &PlanService::progressed, &pane,
                   [&workspace, &pane](double fraction, const QString& what) {
                     if (workspace.plans.snapshot()->audit && isOfTheDocument(workspace)) return;
                     const bool auditing = what == QLatin1String("audit");
                     pane.showProgress(fraction, auditing ? StatePane::tr("Auditing") : StatePane::tr("Planning"));
                   });
  QObject::connect(&pane, &StatePane::offerTaken, &workspace.audits, &EpochAudit::want);
  refresh->want();
}

void applyFix(Document& document, StatePane& pane, const Fix& fix) {
  const auto done = document.edit(fix.edits, QString::fromStdString(fix.label));
  if (!done) return pane.showStale(QString::fromStdString(done.error().text()));
  if (!*done) return;
  Toast::sayDone(pane, document.undoStack(), StatePane::tr("Fix applied: %1").arg(QString::fromStdString(fix.label)));
}

FixOffer::FixOffer(QWidget* parent) : QWidget(parent), button_(new WrappingButton), price_(noteLabel({}, "muted")) {
  auto* column = columnIn(this, {}, px(4));
  column->addWidget(button_, 0, Qt::AlignLeft);
  column->addWidget(price_);
  connect(button_, &QPushButton::clicked, this, [this] {
    if (fix_) emit wanted(*fix_);
  });
  setFix({});
}

void FixOffer::setFix(std::optional<Fix> fix) {
  fix_ = std::move(fix);
  setVisible(fix_.has_value());
  if (!fix_) return;
  static_cast<WrappingButton*>(button_)->setWords(QString::fromStdString(fix_->label));
  price_->setText(fix_->price.empty() ? QString()
                                      : phrase("design", "Effect: %1").arg(QString::fromStdString(fix_->price)));
  price_->setVisible(!fix_->price.empty());
  button_->setAccessibleDescription(price_->text());
}

IdList::IdList(QWidget* parent)
    : QWidget(parent), caption_(new ElidedLabel), copy_(pushButton(tr("Copy"), "link")), ids_(new QPlainTextEdit) {
  setLook(caption_, "tone", "muted");
  ids_->setReadOnly(true);
  ids_->setFont(monoFont());
  ids_->setFrameShape(QFrame::NoFrame);
  ids_->setTabChangesFocus(true);
  ids_->setAccessibleName(tr("Sample ids"));
  ids_->setMinimumHeight(px(kLeastLines));
  auto* head = new QHBoxLayout;
  head->addWidget(caption_, 1);
  head->addWidget(copy_);
  auto* column = columnIn(this, {}, px(4));
  column->addLayout(head);
  column->addWidget(ids_, 1);
  connect(copy_, &QPushButton::clicked, this, &IdList::copy);
  ids_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  ids_->viewport()->setCursor(Qt::PointingHandCursor);
  ids_->setToolTip(tr("Click an id to see where it goes"));
  ids_->installEventFilter(this);
  ids_->viewport()->installEventFilter(this);
}

bool IdList::eventFilter(QObject* watched, QEvent* event) {
  if (watched == ids_->viewport() && event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const bool marks_text = ids_->textCursor().hasSelection();
    if (mouse->button() == Qt::LeftButton && !marks_text) chooseAt(ids_->cursorForPosition(mouse->pos()));
  }
  if (watched == ids_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) chooseAt(ids_->textCursor());
  }
  return QWidget::eventFilter(watched, event);
}

void IdList::chooseAt(const QTextCursor& place) {
  QTextCursor word = place;
  word.select(QTextCursor::WordUnderCursor);
  bool is_id = false;
  const qint64 id = word.selectedText().toLongLong(&is_id);
  if (is_id) emit idChosen(id);
}

void IdList::setMarked(std::optional<SampleIndex> id) {
  if (id == marked_) return;
  marked_ = id;
  mark();
}

void IdList::mark() {
  QList<QTextEdit::ExtraSelection> marks;
  if (marked_) {
    const QRegularExpression whole(QString("\\b%1\\b").arg(*marked_));
    const QTextCursor found = ids_->document()->find(whole);
    if (!found.isNull()) {
      QTextEdit::ExtraSelection mark;
      mark.cursor = found;
      mark.format.setBackground(theme().accent);
      mark.format.setForeground(theme().on_accent);
      marks << mark;
    }
  }
  ids_->setExtraSelections(marks);
}

void IdList::setIds(const QString& caption, const std::vector<SampleIndex>& ids, qint64 total) {
  const auto shown = static_cast<qint64>(ids.size());
  caption_->setFullText(shown < total ? tr("%1, the first %2").arg(caption, number(shown)) : caption);
  caption_->setToolTip(caption_->fullText());
  QStringList words;
  words.reserve(static_cast<qsizetype>(ids.size()));
  for (const SampleIndex id : ids) words << QString::number(id);
  ids_->setPlainText(words.join(QStringLiteral(", ")));
  mark();
  copy_->setEnabled(!ids.empty());
  ids_->setVisible(!ids.empty());
}

}  // namespace shardlens::ui

#include "moc_audit_parts.cpp"
