// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/sampler_preview.h"

#include "ui/paint/legend_paint.h"
#include "ui/scene/stage/legend.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/stage_view.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kWordsWidth = 222;
constexpr int kLeastStep = 56;
constexpr int kLegendLine = 20;

QLabel* sentenceLabel(QWidget* parent, const char* tone) {
  QLabel* label = noteLabel({}, tone, parent);
  label->hide();
  return label;
}

void say(QLabel* label, const QString& text) {
  label->setText(text);
  label->setVisible(!text.isEmpty());
}

}  // namespace

/// What is drawn in the picture, and what it means; on as many lines as it takes.
class SamplerPreviewPane::Legend : public QWidget {
 public:
  using QWidget::QWidget;

  void setEntries(const std::vector<LegendEntry>& entries) {
    entries_ = entries;
    QStringList words;
    for (const LegendEntry& entry : entries_)
      words << (entry.text.isEmpty() ? entry.from + " – " + entry.to : entry.text);
    setAccessibleName(words.join(QStringLiteral(", ")));
    arrange();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QWidget::resizeEvent(event);
    arrange();
  }
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.setFont(smallFont());
    for (std::size_t i = 0; i < lines_.size(); ++i) paintLegend(painter, line(i), lines_[i], theme());
  }

 private:
  [[nodiscard]] QRect line(std::size_t index) const {
    return {0, static_cast<int>(index) * px(kLegendLine), width(), px(kLegendLine)};
  }
  void arrange() {
    lines_.clear();
    for (const LegendEntry& entry : entries_) {
      if (lines_.empty()) lines_.emplace_back();
      lines_.back().push_back(entry);
      if (lines_.back().size() == 1 || legendPlaces(line(0), lines_.back()).size() == lines_.back().size()) continue;
      lines_.back().pop_back();
      lines_.push_back({entry});
    }
    setFixedHeight(static_cast<int>(lines_.size()) * px(kLegendLine));
    update();
  }

  std::vector<LegendEntry> entries_;
  std::vector<std::vector<LegendEntry>> lines_;
};

SamplerPreviewPane::SamplerPreviewPane(SamplerCatalogue catalogue, QWidget* parent)
    : QWidget(parent), catalogue_(catalogue), stage_(new StageView(this)), legend_(new Legend(this)) {
  setLook(this, "surface", "window");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(phrase("design", "Preview"));
  stage_->setNarrow(true);
  legend_->setObjectName("previewLegend");
  stage_->setFocusPolicy(Qt::NoFocus);  // a picture to look at
  stage_->setAttribute(Qt::WA_TransparentForMouseEvents);
  auto* words = new QWidget(this);
  made_up_ = sentenceLabel(words, "muted");
  own_ = new LinkButton(phrase("design", "Use my own lists…"), "", words);
  own_->setToolTip(
      phrase("design", "Use this sampler and enter its lists: type them, paste them or read them from a file"));
  own_->hide();
  outcome_ = sentenceLabel(words, "");
  beware_ = sentenceLabel(words, "muted");
  auto* column = columnIn(words, {0, px(2), px(4), px(2)}, px(5));
  for (QWidget* part : {static_cast<QWidget*>(outcome_), static_cast<QWidget*>(made_up_), static_cast<QWidget*>(own_),
                        static_cast<QWidget*>(beware_)})
    column->addWidget(part);
  column->addStretch();
  QScrollArea* scroll = thinScroll(words, this);
  scroll->setFixedWidth(px(kWordsWidth));
  scroll->setFocusPolicy(Qt::NoFocus);
  auto* line = new QHBoxLayout;
  line->setSpacing(px(14));
  auto* picture = new QVBoxLayout;
  picture->setSpacing(0);
  picture->addWidget(stage_, 1);
  picture->addWidget(legend_);
  line->addLayout(picture, 1);
  line->addWidget(scroll);
  QLabel* head = textLabel(phrase("design", "Preview: epoch 0 of 16 samples on 2 ranks"), "", this);
  setLook(head, "role", "title");
  deals_ = new ElidedLabel({}, this);
  deals_->setObjectName("howItDeals");
  setLook(deals_, "role", "small");
  setLook(deals_, "tone", "muted");
  deals_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  auto* all = columnIn(this, {px(kMargin + 4), px(10), px(12), px(10)}, px(4));
  all->addWidget(head);
  all->addWidget(deals_);
  all->addLayout(line, 1);
  connect(own_, &QAbstractButton::clicked, this, &SamplerPreviewPane::ownListsWanted);
}

void SamplerPreviewPane::setType(const std::string& type) {
  if (type.empty()) {
    job_.cancel();
    return take({});
  }
  job_.start([type, catalogue = catalogue_](const Work& work) { return samplerPreview(type, catalogue, work); },
             [this](SamplerPreview preview) { take(std::move(preview)); });
}

void SamplerPreviewPane::take(SamplerPreview preview) {
  shown_ = std::move(preview);
  shown_.stage.generation = ++generation_;
  stage_->setInput(shown_.stage);
  stage_->setFacts(shown_.facts);
  // The samples of a batch are what there is to see: fewer steps where all of them leave no room for it.
  const double wanted = px(kLeastStep);
  if (stage_->steps().count > 0 && stage_->steps().pitch < wanted)
    stage_->zoomSteps(wanted / stage_->steps().pitch, 0.0);
  legend_->setEntries(stageLegend(stage_->input(), shown_.facts.get(), stage_->colour(), false, theme()));
  StageNotice notice;
  if (shown_.stage.isEmpty()) {
    notice.title = shown_.type.empty() ? phrase("design", "No sampler matches these words")
                                       : phrase("design", "Cannot be planned");
    notice.text = shown_.error;
  }
  stage_->setNotice(notice);
  stage_->setAccessibleDescription(shown_.outcome);
  deals_->setFullText(shown_.deals.isEmpty() ? QString() : phrase("design", "How it deals: %1").arg(shown_.deals));
  deals_->setToolTip(deals_->fullText());
  say(outcome_, shown_.outcome);
  setLook(outcome_, "tone", shown_.loses ? "warning" : "fine");
  say(made_up_, shown_.made_up.isEmpty() ? QString() : phrase("design", "Made up for this: %1.").arg(shown_.made_up));
  own_->setVisible(!shown_.made_up.isEmpty());
  say(beware_, shown_.beware);
}

}  // namespace shardlens::ui

#include "moc_sampler_preview.cpp"
