// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/state_pane.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <QEvent>
#include <QPainter>

namespace shardlens::ui {
namespace {

constexpr int kPatienceMs = 250;  ///< work that is done before that shows no progress

/// Two centred lines.
QWidget* messagePage(QLabel* title, QLabel* text) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setSpacing(px(kGap));
  setLook(title, "role", "title");
  text->setWordWrap(true);
  column->addStretch();
  for (QLabel* label : {title, text}) {
    label->setAlignment(Qt::AlignHCenter);
    column->addWidget(label);
  }
  column->addStretch();
  return page;
}

constexpr int kParts = 1000;

}  // namespace

StatePane::StatePane(QWidget* content, QWidget* parent)
    : QWidget(parent),
      content_(content),
      stack_(new QStackedLayout),
      title_(textLabel({})),
      text_(textLabel({}, "muted")),
      banner_(textLabel({}, "error")),
      offer_(new LinkButton({})),
      progress_(new ProgressBar) {
  banner_->setContentsMargins(px(kMargin), px(kGap), px(kMargin), 0);
  banner_->setWordWrap(true);
  banner_->hide();
  QSizePolicy keeps = progress_->sizePolicy();
  keeps.setRetainSizeWhenHidden(true);
  progress_->setSizePolicy(keeps);
  progress_->setFixedHeight(2);
  progress_->hide();
  addAll(stack_, {messagePage(title_, text_), content_});
  auto* column = columnIn(this, {}, 0);
  addAll(column, {progress_, banner_});
  auto* line = rowIn(nullptr, {px(kMargin), 0, px(kMargin), 0});
  line->addWidget(offer_);
  line->addStretch();
  column->addLayout(line);
  offer_->setObjectName("offer");
  offer_->hide();
  connect(offer_, &QAbstractButton::clicked, this, &StatePane::offerTaken);
  column->addLayout(stack_, 1);
  veil_ = new Veil(content_);
  patience_.setSingleShot(true);
  patience_.setInterval(kPatienceMs);
  connect(&patience_, &QTimer::timeout, this, [this] {
    progress_->show();
    veil_->setVisible(has_content_);
  });
}

void StatePane::showContent() {
  patience_.stop();
  progress_->hide();
  setBanner({});
  veil_->hide();
  has_content_ = true;
  stack_->setCurrentIndex(1);
}

void StatePane::clear() {
  showMessage({}, {});
  setOffer({});
}

void StatePane::showMessage(const QString& title, const QString& text) {
  patience_.stop();
  progress_->hide();
  setBanner({});
  veil_->hide();
  has_content_ = false;
  title_->setText(title);
  text_->setText(text);
  stack_->setCurrentIndex(0);
}

void StatePane::showStale(const QString& why) {
  if (!has_content_) return showMessage(tr("The spec has errors"), why);
  patience_.stop();
  progress_->hide();
  setBanner(tr("%1 Below: the last plan without errors.").arg(why));
  veil_->show();
}

void StatePane::showProgress(double fraction, const QString& what) {
  progress_->setFraction(fraction);
  progress_->setAccessibleName(what);
  if (!progress_->isVisible() && !patience_.isActive()) patience_.start();
  if (has_content_) return;
  title_->setText(what);
  text_->setText({});
  stack_->setCurrentIndex(0);
}

QString StatePane::message() const {
  return showsContent() ? banner_->text() : title_->text() + '\n' + text_->text();
}

void StatePane::setBanner(const QString& text) {
  banner_->setText(text);
  banner_->setVisible(!text.isEmpty());
}

void StatePane::setOffer(const QString& text) {
  offer_->setText(text);
  offer_->setAccessibleName(text);
  offer_->updateGeometry();
  offer_->setVisible(!text.isEmpty());
}

constexpr float kVeiled = 0.55F;  ///< how much of the panel's colour covers what is below

Veil::Veil(QWidget* over) : QWidget(over->parentWidget()), over_(over) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  over->installEventFilter(this);
  hide();
}

void Veil::cover() {
  setGeometry(over_->geometry());
  raise();
}

bool Veil::eventFilter(QObject* watched, QEvent* event) {
  const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::Move;
  if (watched == over_ && moved && isVisibleTo(parentWidget())) cover();
  return QWidget::eventFilter(watched, event);
}

void Veil::showEvent(QShowEvent* event) {
  cover();
  QWidget::showEvent(event);
}

void Veil::paintEvent(QPaintEvent* /*event*/) {
  QColor colour = theme().panel;
  colour.setAlphaF(kVeiled);
  QPainter(this).fillRect(rect(), colour);
}

ProgressBar::ProgressBar(QWidget* parent) : QProgressBar(parent) {
  setRange(0, kParts);
  setTextVisible(false);
}

void ProgressBar::setFraction(double fraction) {
  const int part = static_cast<int>(fraction * kParts);
  if (part == value()) return;
  setUpdatesEnabled(false);
  setValue(part);
  setUpdatesEnabled(true);
}

}  // namespace shardlens::ui

#include "moc_state_pane.cpp"
