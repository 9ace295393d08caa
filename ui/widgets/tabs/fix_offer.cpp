// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/fix_offer.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <QPushButton>
#include <QResizeEvent>
#include <QTextBoundaryFinder>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kLeastWidth = 120;

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
    return {std::min(px(kLeastWidth), sizeHint().width()), sizeHint().height()};
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

}  // namespace

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

}  // namespace shardlens::ui

#include "moc_fix_offer.cpp"
