// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/seeds_view.h"

#include "ui/paint/cell_marks.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/tabs/audit_parts.h"

#include <QHeaderView>
#include <QIntValidator>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <limits>

namespace shardlens::ui {
namespace {

constexpr int kTall = 190;
constexpr int kBetweenFilters = 6;
constexpr int kTight = 176;  ///< rows need what stands between them
constexpr int kRow = 24;
constexpr int kNarrowTable = 560;  ///< ranks alone say the place
constexpr int kPlacesTable = 780;  ///< below, node and local rank leave their room to what a seed is equal to
constexpr int kStreamTable = 860;  ///< below, the tiles of ids have its place
constexpr int kLeastTile = 22;
constexpr int kTiles = 4;
constexpr int kAroundTile = 3;
constexpr int kLeastRows = 2;   ///< in sight, below their heads
constexpr int kBesideRows = 8;  ///< the line below their heads

/// The first ids of a seed as chips: the rank's own one, and three that are drawn.
class TilesDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    ground.text.clear();
    ground.widget->style()->drawControl(QStyle::CE_ItemViewItem, &ground, painter, ground.widget);
    const auto* model = qobject_cast<const SeedModel*>(index.model());
    if (model == nullptr) return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(smallFont());
    const qreal around = px(kAroundTile);
    const qreal pitch = (option.rect.width() - around) / kTiles;
    QRectF tile(option.rect.left() + around, option.rect.top() + around, pitch - around,
                option.rect.height() - 2 * around);
    for (const StageChip& chip : model->tiles(index.row())) {
      if (chip.sample >= 0) paintChip(*painter, chip, tile, theme());
      tile.translate(pitch, 0);
    }
    painter->restore();
  }
};

}  // namespace

SeedsView::SeedsView(QWidget* parent)
    : QWidget(parent),
      model_(new SeedModel(this)),
      title_(new LinkLabel("", "title", nullptr)),
      fix_(new FixOffer),
      only_collisions_(new SegmentedControl({tr("all rows"), tr("only collisions")})),
      rank_(new QLineEdit),
      epochs_(new ChoiceField),
      count_(textLabel({}, "muted")),
      empty_(textLabel({}, "muted")),
      table_(new QTableView),
      note_(noteLabel(
          tr("Worker seeds are exact only if nothing draws from the global generator before the loader does."))),
      copy_csv_(pushButton(tr("Copy CSV"), "link")),
      copy_yaml_(pushButton(tr("Copy YAML"), "link")),
      only_(new LinkButton({})) {
  connect(title_, &LinkLabel::followed, this, &SeedsView::placeChosen);
  for (QLabel* label : {static_cast<QLabel*>(title_), note_}) {
    label->setWordWrap(true);
    label->setMinimumHeight(label->fontMetrics().height());  // a label that wraps asks for far more
  }
  auto* column = columnIn(this, {px(kMargin), px(kGap), px(kMargin), px(kGap)}, px(6));
  addAll(column, {title_, fix_, note_, buildFilters()});
  column->addWidget(table_, 1);
  buildTable();
  connect(fix_, &FixOffer::wanted, this, &SeedsView::fixWanted);
}

QWidget* SeedsView::buildFilters() {
  auto* bar = new QWidget;
  auto* row = rowIn(bar, {}, px(kBetweenFilters));
  rank_->setPlaceholderText(tr("rank"));
  rank_->setAccessibleName(tr("Show this rank only"));
  rank_->setValidator(new QIntValidator(0, std::numeric_limits<int>::max(), rank_));
  rank_->setClearButtonEnabled(true);
  rank_->setFixedWidth(px(76));
  epochs_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  epochs_->setAccessibleName(tr("Show this epoch only"));
  addAll(row, {only_collisions_, rank_, epochs_, count_});
  row->addStretch(1);
  row->addWidget(only_);
  only_->setObjectName("onlySelected");
  only_->hide();
  connect(only_, &QAbstractButton::clicked, this, &SeedsView::takeOffer);
  addAll(row, {copy_csv_, copy_yaml_});
  only_collisions_->setAccessibleName(tr("Which rows"));
  connect(only_collisions_, &SegmentedControl::currentChanged, this, &SeedsView::filter);
  connect(rank_, &QLineEdit::textChanged, this, &SeedsView::filter);
  connect(epochs_, &QComboBox::currentIndexChanged, this, &SeedsView::filter);
  connect(copy_csv_, &QPushButton::clicked, this, &SeedsView::copyCsv);
  connect(copy_yaml_, &QPushButton::clicked, this, &SeedsView::copyYaml);
  return bar;
}

void SeedsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

/// Rows come first: where there is little room, what is also in the menu or in a tool tip gives way.
void SeedsView::fit() {
  const QSize room = roomOf(*this);
  int left = room.width() - 2 * px(kMargin) + px(kBetweenFilters);  // each but the first has a gap before it
  for (const QWidget* filter : std::initializer_list<const QWidget*>{only_collisions_, rank_, epochs_, only_}) {
    const int least = filter->minimumWidth() > 0 ? filter->minimumWidth() : filter->sizeHint().width();
    if (!filter->isHidden()) left -= least + px(kBetweenFilters);
  }
  for (QWidget* extra : std::initializer_list<QWidget*>{count_, copy_csv_, copy_yaml_}) {
    left -= extra->sizeHint().width() + px(kBetweenFilters);
    extra->setVisible(left >= 0);
  }
  const bool narrow = room.width() < px(kNarrowTable);
  const bool lacks_places = room.width() < px(kPlacesTable) || one_node_;
  table_->setColumnHidden(SeedModel::NodeColumn, lacks_places);
  table_->setColumnHidden(SeedModel::LocalRankColumn, lacks_places);
  table_->setColumnHidden(SeedModel::StreamColumn, room.width() < px(kStreamTable));
  table_->setColumnHidden(SeedModel::IdsColumn, narrow);
  const bool low = room.height() < px(kTall + 2 * kMargin);
  note_->setVisible(!low);
  title_->setToolTip(note_->text());
  const bool tight = room.height() < px(kTight);
  layout()->setContentsMargins(px(kMargin), px(tight ? 2 : low ? 5 : kGap), px(kMargin), px(low ? 2 : kGap));
  layout()->setSpacing(px(tight ? 2 : 6));
}

void SeedsView::buildTable() {
  table_->setModel(model_);
  table_->setItemDelegateForColumn(SeedModel::IdsColumn, new TilesDelegate(table_));
  table_->setAccessibleName(tr("Seeds by epoch, rank and worker"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(px(kRow));
  auto* over = new QVBoxLayout(table_->viewport());
  over->addWidget(empty_, 0, Qt::AlignCenter);
  empty_->hide();
  table_->setMinimumHeight(px((1 + kLeastRows) * kRow + kBesideRows));
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);  // 100 000 rows are never measured
  QHeaderView& header = *table_->horizontalHeader();
  header.setHighlightSections(false);
  header.setSectionResizeMode(SeedModel::SameColumn, QHeaderView::Stretch);
  const QFontMetrics metrics(table_->font());
  const auto width = [&metrics](const QString& widest) {
    return metrics.horizontalAdvance(widest) + 2 * px(kGap) + px(4);
  };
  for (int column = 0; column < SeedModel::SeedColumn; ++column) {
    header.resizeSection(column, width(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()));
  }
  header.resizeSection(SeedModel::SeedColumn,
                       QFontMetrics(monoFont()).horizontalAdvance(QString(21, '0')) + px(kMargin));
  header.resizeSection(SeedModel::StreamColumn,
                       QFontMetrics(monoFont()).horizontalAdvance(QString(11, '0')) + px(2 * kMargin));
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    if (!index.isValid() || marking_) return;
    marked_ = -1;
    const SeedRow& row = model_->seedRow(index.row());
    Selected place{{row.rank}, row.epoch, {}, {}};
    place.worker = row.worker;
    emit placeChosen(place);
  });
  connect(table_, &QTableView::doubleClicked, this, &SeedsView::follow);
}

void SeedsView::setReport(const std::shared_ptr<const AuditReport>& report, const PipelineSpec::World& world) {
  const SeedVerdict verdict = seedVerdict(*report, world);
  const QString shared = sharedIdsText(report->seeds);
  title_->setPlain(shared.isEmpty() ? verdict.title : verdict.title + QStringLiteral(" · ") + shared);
  setLook(title_, "tone", toneName(verdict.tone == Tone::Fine ? Tone::Fine : Tone::Note));
  fix_->setFix(verdict.fix);
  fillEpochs(report->seeds);
  model_->setReport(report, world);
  const int digits = QFontMetrics(smallFont()).horizontalAdvance(QString::number(model_->largestId()));
  const int tile = std::max(px(kLeastTile), digits + px(2 * kAroundTile));
  table_->horizontalHeader()->resizeSection(SeedModel::IdsColumn, kTiles * (tile + px(kAroundTile)) + px(kAroundTile));
  one_node_ = report->seeds.ranks <= world.ranksOn(0);
  filter();
}

void SeedsView::fillEpochs(const SeedTable& seeds) {
  const QSignalBlocker quiet(epochs_);
  const int before = epochs_->currentIndex();
  epochs_->clear();
  epochs_->addItem(tr("all epochs"));
  for (qint64 epoch = seeds.first_epoch; epoch < seeds.first_epoch + seeds.epochs; ++epoch) {
    epochs_->addItem(tr("epoch %1").arg(epoch), QVariant::fromValue(epoch));
  }
  epochs_->setCurrentIndex(before >= 0 && before < epochs_->count() ? before : 0);
  int widest = 0;
  for (int i = 0; i < epochs_->count(); ++i)
    widest = std::max(widest, epochs_->fontMetrics().horizontalAdvance(epochs_->itemText(i)));
  epochs_->setMinimumWidth(widest + px(36));
}

void SeedsView::filter() {
  SeedFilter filter;
  filter.only_collisions = only_collisions_->current() == 1;
  if (!rank_->text().isEmpty()) filter.rank = rank_->text().toLongLong();
  if (epochs_->currentIndex() > 0) filter.epoch = epochs_->currentData().toLongLong();
  filter.seed = only_seed_;
  model_->setFilter(filter);
  const qint64 shown = model_->rowCount();
  count_->setText(model_->total() == 0 ? tr("no seeds")
                  : shown == 0 && filter.only_collisions
                      ? tr("no seeds collide")
                      : tr("%1 of %2").arg(number(shown), countOf(model_->total(), "row")));
  empty_->setText(shown > 0                ? QString()
                  : model_->total() == 0   ? tr("There are no seeds to show.")
                  : filter.only_collisions ? tr("No two of these rows have the same seed.")
                                           : tr("No row fits the filters above."));
  empty_->setVisible(shown == 0);
  mark();
  showOffer();
}

void SeedsView::setSelected(const Selected& place) {
  if (place == selected_) return;
  selected_ = place;
  mark();
  showOffer();
}

void SeedsView::mark() {
  const int row = model_->rowOf(selected_);
  if (row == table_->currentIndex().row()) return;
  marking_ = true;
  if (row < 0) {
    table_->clearSelection();
    table_->setCurrentIndex({});
  } else {
    table_->setCurrentIndex(model_->index(row, std::max(0, table_->currentIndex().column())));
  }
  marking_ = false;
  marked_ = row;
}

/// One link at a time: back to all seeds, or what is selected alone.
void SeedsView::showOffer() {
  QString offer;
  if (only_seed_) {
    offer = tr("all seeds");
  } else if (selected_.seed) {
    offer = tr("only seed %1").arg(*selected_.seed);
  } else if (selected_.ranks.size() == 1 && rank_->text() != QString::number(selected_.ranks.front())) {
    offer = tr("only rank %1").arg(selected_.ranks.front());
  }
  only_->offer(offer);
  fit();
}

void SeedsView::takeOffer() {
  if (only_seed_) {
    only_seed_.reset();
    return filter();
  }
  if (!selected_.seed) return rank_->setText(QString::number(selected_.ranks.front()));
  only_seed_ = selected_.seed;
  filter();
}

void SeedsView::follow(const QModelIndex& index) {
  const int target = model_->sameAs(index.row());
  if (target >= 0) table_->setCurrentIndex(model_->index(target, index.column()));
}

std::vector<int> SeedsView::rowsToCopy() const {
  std::vector<int> rows;
  QModelIndexList selected = table_->selectionModel()->selectedRows();
  if (selected.size() == 1 && selected.front().row() == marked_) selected.clear();
  for (const QModelIndex& index : selected) rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  for (int row = 0; selected.isEmpty() && row < model_->rowCount(); ++row) rows.push_back(row);
  return rows;
}

SeedsTab::SeedsTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), view_(new SeedsView) {
  auto* pane = new StatePane(view_);
  columnIn(this, {})->addWidget(pane);
  connect(view_, &SeedsView::placeChosen, &workspace_.selection, &Selection::select);
  const auto follow = [this] { view_->setSelected(workspace_.selection.current()); };
  connect(&workspace_.selection, &Selection::changed, this, follow);
  follow();
  connect(view_, &SeedsView::fixWanted, this,
          [this, pane](const Fix& fix) { applyFix(workspace_.document, *pane, fix); });
  addPanelMenu(*this, {phrase("tabs", "Seeds"), [this] { return view_->title() + '\n' + view_->yaml(); },
                       [this] { return view_->csv(); }, view_});
  watchAudit(workspace_, *pane, [this](const PlanSnapshotPtr& snapshot, const auto& report) {
    view_->setReport(report, snapshot->spec.world);
  });
}

}  // namespace shardlens::ui

#include "moc_seeds_view.cpp"
