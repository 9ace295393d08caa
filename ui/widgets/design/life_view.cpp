// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/life_view.h"

#include "ui/scene/design/life.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

namespace shardlens::ui {
namespace {

constexpr int kLifeRow = 24;
constexpr int kLeastRows = 3;

}  // namespace

LifeView::LifeView(QWidget* parent)
    : QWidget(parent),
      model_(new LifeModel(this)),
      caption_(noteLabel({}, "muted", this)),
      stop_(new LinkButton(phrase("design", "stop"), "", this)),
      progress_(new ProgressBar(this)),
      table_(new QTableView(this)) {
  setObjectName("life");
  build();
  connect(stop_, &QAbstractButton::clicked, this, &LifeView::stop);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) { choose(index.row()); });
}

void LifeView::build() {
  stop_->setObjectName("stopLife");
  stop_->setAccessibleName(phrase("design", "Stop the search"));
  table_->setModel(model_);
  table_->setAccessibleName(phrase("design", "Places of the sample by epoch"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->setCursor(Qt::PointingHandCursor);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(px(kLifeRow));
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);  // a million rows are never measured
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setFont(smallFont());
  table_->horizontalHeader()->setMinimumSectionSize(px(24));
  setLook(table_, "role", "dense");
  fitColumns();
  table_->setMinimumHeight(px(kLifeRow) * (kLeastRows + 1));
  auto* head = new QHBoxLayout;
  head->addWidget(caption_, 1);
  head->addWidget(stop_, 0, Qt::AlignTop);
  auto* column = columnIn(this, {}, px(4));
  column->addLayout(head);
  column->addWidget(progress_);
  column->addWidget(table_, 1);
}

/// The step, whose numbers are the longest, takes what the others leave.
void LifeView::fitColumns() {
  QHeaderView& header = *table_->horizontalHeader();
  const QFontMetrics metrics(font());
  for (int column = 0; column < LifeModel::Columns; ++column) {
    const QString name = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    header.resizeSection(column, metrics.horizontalAdvance(name) + px(10));
    header.setSectionResizeMode(column, column == LifeModel::StepColumn ? QHeaderView::Stretch : QHeaderView::Fixed);
  }
}

void LifeView::follow(const std::optional<Plan>& plan, std::optional<SampleIndex> sample) {
  const bool same_plan = plan.has_value() == plan_.has_value() && (!plan || &plan->spec() == &plan_->spec());
  if (same_plan && sample == sample_) return;
  plan_ = plan;
  sample_ = sample;
  if (!plan || !sample) {
    job_.cancel();
    return model_->begin(0, 0);
  }
  model_->begin(*sample, plan->epochs());
  progress_->setFraction(0);
  say(phrase("design", "Searching %1…").arg(countOf(plan->epochs(), "epoch")), true);
  job_.startParts(
      [this, followed = *plan, id = *sample](const Work& work, const LatestJob::HandOver& hand_over) {
        const auto done = followSample(followed, id, work, [this, &hand_over](std::vector<LifeRow> rows) {
          hand_over([this, rows = std::move(rows)] {
            model_->append(rows);
            mark(marked_);
          });
        });
        hand_over([this, error = done ? QString() : text(done.error().text())] {
          say(error.isEmpty() ? model_->summary() : error, false);
        });
      },
      [this](double fraction) { progress_->setFraction(fraction); },
      [this](const Error& error) { say(text(error.text()), false); });
}

void LifeView::stop() {
  if (!job_.isBusy()) return;
  job_.cancel();
  const qint64 reached = model_->lines().empty() ? 0 : model_->lines().back().epoch + 1;
  say(phrase("design", "Stopped after %1 of %2.").arg(number(reached), countOf(plan_->epochs(), "epoch")), false);
}

void LifeView::say(const QString& text, bool searching) {
  caption_->setText(text);
  stop_->setVisible(searching);
  progress_->setVisible(searching);
}

QString LifeView::caption() const {
  return caption_->text();
}

void LifeView::mark(const Selected& place) {
  marked_ = place;
  const int row = model_->rowOf(place);
  if (row == table_->currentIndex().row()) return;
  if (row < 0) return table_->setCurrentIndex({});
  table_->setCurrentIndex(model_->index(row, std::max(0, table_->currentIndex().column())));
}

void LifeView::choose(int row) {
  if (row >= 0 && row < model_->rowCount()) emit placeChosen(model_->placeOf(row));
}

void LifeView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return choose(table_->currentIndex().row());
  QWidget::keyPressEvent(event);
}

}  // namespace shardlens::ui

#include "moc_life_view.cpp"
