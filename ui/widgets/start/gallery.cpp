// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/start/gallery.h"

#include "core/audit/audit.h"
#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"
#include "core/yaml/spec_file.h"
#include "ui/scene/design/form.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/sheet.h"
#include "ui/widgets/common/style.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QTextStream>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace shardlens::ui {
namespace {

constexpr int kAside = 280;

/// What the examples in resources/examples say of themselves, once more for lupdate: the files stay in English, and
/// tests/ui/language says when one of them says something else.
[[maybe_unused]] constexpr std::array kExampleTexts = {
    QT_TRANSLATE_NOOP("examples", "Accelerate divides twice"),
    QT_TRANSLATE_NOOP(
        "examples",
        "The script keeps its DistributedSampler, and accelerator.prepare() divides the batches among the "
        "processes once more."),
    QT_TRANSLATE_NOOP(
        "examples", "72 of 96 samples are never read in an epoch, without a warning; the fix leaves the sampler out."),
    QT_TRANSLATE_NOOP("examples", "All ranks add up: [1, 2] + [3, 4] = [4, 6]"),
    QT_TRANSLATE_NOOP(
        "examples",
        "Two ranks hold [1, 2] and [3, 4]. An all-reduce adds them up round a ring, so that both have the sum."),
    QT_TRANSLATE_NOOP(
        "examples",
        "the tab All-reduce shows what each rank sends in each of the two rounds of a ring; `shardlens rehearse` says "
        "that both real ranks had the predicted [4, 6]."),
    QT_TRANSLATE_NOOP("examples", "The mean of [1, 2] and [3, 4] is [2, 3]"),
    QT_TRANSLATE_NOOP("examples",
                      "Data-parallel training averages the gradients of its ranks: an all-reduce adds them up, and "
                      "each rank divides by their number."),
    QT_TRANSLATE_NOOP(
        "examples",
        "the tab All-reduce divides after the last round; `shardlens rehearse` says why `/=` fails on whole numbers."),
    QT_TRANSLATE_NOOP("examples", "First A on rank 0, then B on all"),
    QT_TRANSLATE_NOOP(
        "examples",
        "Rank 0 does its part, all ranks meet in a barrier, and only then does anybody begin the next part."),
    QT_TRANSLATE_NOOP(
        "examples",
        "no rank reaches schedule[2] before rank 0 has left schedule[0]: the lanes of the others wait in the barrier."),
    QT_TRANSLATE_NOOP("examples", "Tensor peers read different samples"),
    QT_TRANSLATE_NOOP("examples",
                      "Two ranks hold each copy of the model and must read the same batches, but the sampler divides "
                      "the samples among all ranks."),
    QT_TRANSLATE_NOOP(
        "examples",
        "ranks 0 and 1 are tensor peers and read different batches; the fix divides by the place among the copies."),
    QT_TRANSLATE_NOOP("examples", "A barrier that one rank never reaches"),
    QT_TRANSLATE_NOOP(
        "examples",
        "The first rank prepares the dataset while the others wait for it in a barrier, which it does not "
        "call when it is done."),
    QT_TRANSLATE_NOOP("examples",
                      "ranks 1 to 3 wait at the start for ever, and rank 0 waits for them in the first all-reduce; the "
                      "fix lets it call the barrier."),
    QT_TRANSLATE_NOOP("examples", "drop_last drops data"),
    QT_TRANSLATE_NOOP("examples", "Ten samples in batches of three, and the loader drops a short last batch."),
    QT_TRANSLATE_NOOP(
        "examples",
        "three batches; sample 9 is never read, and with a fixed order it is the same sample in every epoch."),
    QT_TRANSLATE_NOOP("examples", "The last batch is short"),
    QT_TRANSLATE_NOOP("examples", "Ten samples in batches of three; the loader keeps the short last batch."),
    QT_TRANSLATE_NOOP("examples", "four batches, the last one short: [0, 1, 2], [3, 4, 5], [6, 7, 8], [9]."),
    QT_TRANSLATE_NOOP("examples", "set_epoch forgotten"),
    QT_TRANSLATE_NOOP("examples",
                      "The script forgets sampler.set_epoch(epoch), so every epoch repeats the order of epoch 0."),
    QT_TRANSLATE_NOOP("examples", "epoch 1 has exactly the batches of epoch 0; the model only ever sees one order."),
    QT_TRANSLATE_NOOP("examples", "A plan that is right"),
    QT_TRANSLATE_NOOP("examples",
                      "Two ranks share 16 samples through DistributedSampler: each sample is read once per epoch, in a "
                      "new order every time."),
    QT_TRANSLATE_NOOP(
        "examples",
        "rank 0 gets [12, 9], [11, 13], [2, 15], [4, 7] in epoch 0, and every sample is covered exactly once."),
    QT_TRANSLATE_NOOP("examples", "Padding in evaluation"),
    QT_TRANSLATE_NOOP("examples",
                      "50,000 validation images on 64 GPUs: DistributedSampler makes the shares equal by repeating the "
                      "first 48 images."),
    QT_TRANSLATE_NOOP(
        "examples",
        "48 images are counted twice, so the accuracy depends on the number of GPUs; the hatched cells are padding."),
    QT_TRANSLATE_NOOP("examples", "Workers read the same stream"),
    QT_TRANSLATE_NOOP(
        "examples",
        "An IterableDataset that checks neither its rank nor its worker: every copy reads the whole stream."),
    QT_TRANSLATE_NOOP(
        "examples",
        "two ranks with two workers each read every sample four times; the fix divides the stream among them."),
    QT_TRANSLATE_NOOP("examples", "No DistributedSampler"),
    QT_TRANSLATE_NOOP("examples",
                      "A script for one GPU, started on four: every rank shuffles the whole dataset, and one seed "
                      "gives all the same order."),
    QT_TRANSLATE_NOOP(
        "examples",
        "all ranks share all 96 samples, so four GPUs do the work of one; the fix divides the samples among them."),
    QT_TRANSLATE_NOOP("examples", "Seeds repeat on every node"),
    QT_TRANSLATE_NOOP("examples",
                      "Every rank shuffles for itself after torch.manual_seed(42 + local_rank): on two nodes each "
                      "local rank exists twice."),
    QT_TRANSLATE_NOOP(
        "examples",
        "ranks 0 and 4, 1 and 5, 2 and 6, 3 and 7 draw the same batches, and their workers the same augmentation."),
    QT_TRANSLATE_NOOP("examples", "One seed for every rank"),
    QT_TRANSLATE_NOOP("examples",
                      "Every rank calls torch.manual_seed(0). The sampler deals different samples, but random "
                      "augmentation follows the seed."),
    QT_TRANSLATE_NOOP("examples", "in the seeds table, worker 0 has the same seed on every rank, and so has worker 1."),
    QT_TRANSLATE_NOOP("examples", "local_rank passed as rank"),
    QT_TRANSLATE_NOOP(
        "examples",
        "DistributedSampler was given num_replicas=4 and rank=local_rank, right on one node and wrong on two."),
    QT_TRANSLATE_NOOP(
        "examples",
        "ranks 0 and 4, 1 and 5, 2 and 6, 3 and 7 read the same slices, so an epoch reads every sample twice."),
    QT_TRANSLATE_NOOP("examples", "One slow rank"),
    QT_TRANSLATE_NOOP(
        "examples",
        "Four ranks run in step, and rank 2 is deliberately slowed by 60 ms in every step. Launch a stand-in."),
    QT_TRANSLATE_NOOP("examples",
                      "ranks 0, 1 and 3 wait in the all-reduce for rank 2, which is named as the straggler; 40 steps "
                      "take about 5 s."),
    QT_TRANSLATE_NOOP("examples", "Two streams on every rank"),
    QT_TRANSLATE_NOOP("examples",
                      "The two-stream batch sampler of semi-supervised code knows nothing of ranks: a batch has one "
                      "labelled sample and three others."),
    QT_TRANSLATE_NOOP(
        "examples",
        "with one seed, every rank draws the same batches; the fix is the two-stream sampler for several ranks."),
    QT_TRANSLATE_NOOP("examples", "Uneven shards hang"),
    QT_TRANSLATE_NOOP(
        "examples",
        "Nine tar files on four ranks: some ranks get more files than others, and the last files are short."),
    QT_TRANSLATE_NOOP(
        "examples",
        "rank 3 runs out of batches first, and the others wait for it in the all-reduce until the timeout."),
    QT_TRANSLATE_NOOP("examples", "Rank 0 downloads, the others wait"),
    QT_TRANSLATE_NOOP("examples",
                      "The right way to prepare a dataset once: the other ranks wait in a barrier, which rank 0 calls "
                      "when it is done."),
    QT_TRANSLATE_NOOP(
        "examples",
        "`shardlens rehearse` sees every rank get through; without the third phase of the schedule, ranks "
        "1 to 3 would wait for ever."),
};

constexpr const char* kFirst = "distributed-sampler";
constexpr const char* kTitle = "Title: ";
constexpr const char* kLookFor = "Look for: ";
/// In this order; what is not named here comes after them, by name.
const QStringList kOrder = {"distributed-sampler-no-set-epoch",
                            "shard-local-rank",
                            "no-distributed-sampler",
                            "webdataset-uneven-shards",
                            "barrier-never-reached",
                            "tensor-peers-apart",
                            "iterable-duplicates",
                            "accelerate-divides-twice",
                            "two-stream-on-every-rank",
                            "seed-local-rank",
                            "seed-same",
                            "evaluation-padding",
                            "batch-sampler-drop-last",
                            "slow-rank",
                            "zero-first",
                            "first-a-then-b",
                            "all-reduce-ring",
                            "all-reduce-mean",
                            "distributed-sampler"};

/// share/ of the installation, or resources/ of the source tree that the build folder lies in.
QString folder() {
  QDir dir(QCoreApplication::applicationDirPath());
  if (dir.exists("../share/shardlens/examples")) return dir.absoluteFilePath("../share/shardlens/examples");
  constexpr int kDeepestBuildFolder = 8;
  for (int up = 0; up < kDeepestBuildFolder; ++up) {
    if (dir.exists("resources/examples")) return dir.absoluteFilePath("resources/examples");
    if (!dir.cdUp()) break;
  }
  return {};
}

/// A text of an example in the language of the window; one of an example that the program does not know stays.
QString translated(const QString& text) {
  for (const char* known : kExampleTexts) {
    if (text == QString::fromUtf8(known)) return phrase("examples", known);
  }
  return text;
}

Example read(const QFileInfo& info) {
  Example example{info.absoluteFilePath(), info.completeBaseName(), info.completeBaseName(), {}, {}};
  QFile file(example.path);
  if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) return example;
  QTextStream text(&file);
  for (QString line = text.readLine(); line.startsWith("# "); line = text.readLine()) {
    const QString said = line.mid(2);
    if (said.startsWith(kLookFor)) {
      example.look_for = translated(said.mid(qstrlen(kLookFor)));
    } else if (said.startsWith(kTitle)) {
      example.title = translated(said.mid(qstrlen(kTitle)));
    } else if (example.summary.isEmpty()) {
      example.summary = translated(said);
    }
  }
  return example;
}

constexpr int kWidth = 232;
constexpr int kPicture = 136;
constexpr int kHeight = 266;
constexpr int kInset = 14;

void paintPill(QPainter& painter, const QRect& place, const QString& words, const QColor& ground, const QColor& ink) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(ground);
  painter.drawRoundedRect(place, px(4), px(4));
  painter.setPen(ink);
  painter.drawText(place, Qt::AlignCenter, words);
}

}  // namespace

Gallery::Gallery(bool moves, QWidget* parent)
    : QDialog(parent), grid_(new QWidget), frameworks_(new SegmentedControl({tr("All")})) {
  setWindowTitle(tr("Examples"));
  setObjectName("gallery");
  if (parent != nullptr) new Shade(this);
  build(moves);
  compute();
}

Gallery::~Gallery() = default;

void Gallery::build(bool moves) {
  const std::vector<Example> all = examples();
  for (const Example& example : all) {
    auto* card = new ExampleCard(example, grid_);
    card->setMoves(moves);
    connect(card, &ExampleCard::activated, this, [this, path = example.path] {
      emit chosen(path);
      accept();
    });
    cards_.push_back(card);
  }
  QLabel* title = textLabel(tr("Mistakes from real training jobs"));
  title->setFont(verdictFont());
  QLabel* text = textLabel(
      tr("Open one: a copy plays its first epoch, and Findings says what is wrong and what fixes it."), "muted");
  text->setWordWrap(true);
  frameworks_->setAccessibleName(tr("Framework"));
  connect(frameworks_, &SegmentedControl::currentChanged, this, [this](int) { arrange(); });
  auto* head = head_ = new QBoxLayout(QBoxLayout::LeftToRight);
  head->addWidget(title, 1);
  head->addWidget(frameworks_);
  grid_->installEventFilter(this);
  row_ = rowIn(this, {}, 0);
  auto* column = columnIn(nullptr, {px(kMargin), px(kMargin), 0, 0}, px(4));
  row_->addLayout(column, 1);
  column->addLayout(head);
  column->addWidget(text);
  column->addSpacing(px(6));
  column->addWidget(all.empty()
                        ? emptyState(tr("No examples"), tr("The source tree and the package include them."), this)
                        : thinScroll(grid_, this),
                    1);
  head->setContentsMargins(0, 0, px(kMargin), 0);
  resize(px(1030), px(660));
}

void Gallery::setAside(QWidget* column) {
  column->setFixedWidth(px(kAside));
  row_->insertWidget(0, column);
  resize(width() + px(kAside), height());
  keepInside();
}

/// A dialog that is larger than the window it belongs to hides where it came from.
void Gallery::keepInside() {
  constexpr int kEdge = 12;
  if (parentWidget() == nullptr) return;
  const QSize most = parentWidget()->window()->size() - 2 * QSize(px(kEdge), px(kEdge));
  resize(size().boundedTo(most.expandedTo(minimumSizeHint())));
}

void Gallery::showEvent(QShowEvent* event) {
  keepInside();
  QDialog::showEvent(event);
}

void Gallery::compute() {
  std::vector<QString> paths;
  for (const ExampleCard* card : cards_) paths.push_back(card->example().path);
  job_.startParts([this, paths, dark = theme().dark, ratio = devicePixelRatioF(), size = ExampleCard::pictureSize()](
                      const Work& work, const LatestJob::HandOver& hand_over) {
    for (std::size_t i = 0; i < paths.size() && !work.stopped(); ++i) {
      auto facts = std::make_shared<std::optional<ExampleFacts>>(exampleFacts(paths[i], size, dark, ratio, work));
      hand_over([this, i, facts] { cards_[i]->setFacts(std::move(*facts)); });
    }
    hand_over([this] { showFrameworks(); });
  });
}

void Gallery::showFrameworks() {
  QStringList names;
  for (const ExampleCard* card : cards_) {
    if (card->facts() && !names.contains(card->facts()->framework)) names << card->facts()->framework;
  }
  names.prepend(tr("All"));
  frameworks_->setLabels(names);
  placeHead();
}

void Gallery::placeHead() {
  const int needed = head_->itemAt(0)->sizeHint().width() + px(kGap) + frameworks_->sizeHint().width();
  const bool fits = needed <= grid_->width() - px(kMargin);
  head_->setDirection(fits ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void Gallery::arrange() {
  if (cards_.empty()) return;
  const QString wanted = frameworks_->current() <= 0 ? QString() : frameworks_->labels()[frameworks_->current()];
  QSize each = ExampleCard::leastSize();
  const int gap = px(13);
  const int room = grid_->width() - px(kMargin) + gap;
  const int columns = std::max(1, room / (each.width() + gap));
  each.setWidth(std::max(each.width(), room / columns - gap));
  int shown = 0;
  for (ExampleCard* card : cards_) {
    card->setVisible(wanted.isEmpty() || (card->facts() && card->facts()->framework == wanted));
    if (!card->isVisibleTo(grid_)) continue;
    card->setFixedSize(each);
    card->move(shown % columns * (each.width() + gap), shown / columns * (each.height() + gap) + 1);
    ++shown;
  }
  grid_->setMinimumHeight((shown + columns - 1) / columns * (each.height() + gap) + px(kGap));
}

bool Gallery::eventFilter(QObject* watched, QEvent* event) {
  if (watched == grid_ && event->type() == QEvent::Resize) {
    placeHead();
    arrange();
  }
  return QDialog::eventFilter(watched, event);
}

ExampleCard::ExampleCard(Example example, QWidget* parent) : QWidget(parent), example_(std::move(example)) {
  setObjectName("example:" + example_.name);
  setAccessibleName(example_.title);
  setAccessibleDescription(example_.summary);
  setToolTip(example_.look_for.isEmpty() ? QString() : withPlainCommands(tr("Look for: %1").arg(example_.look_for)));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setFixedSize(px(kWidth), px(kHeight));
  deal_.setStartValue(0.0);
  deal_.setEndValue(1.0);
  deal_.setDuration(3500);
  deal_.setLoopCount(-1);
  connect(&deal_, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
}

QSize ExampleCard::leastSize() {
  return {px(kWidth), px(kHeight)};
}

QSize ExampleCard::pictureSize() {
  return {px(kWidth) - 2 * px(kInset), px(kPicture) - 2 * px(kInset)};
}

void ExampleCard::setFacts(std::optional<ExampleFacts> facts) {
  facts_ = std::move(facts);
  if (facts_) setAccessibleDescription(facts_->verdict + ". " + facts_->framework + ". " + example_.summary);
  playIfLive();
  update();
}

void ExampleCard::playIfLive() {
  const bool plays = moves_ && isLive() && facts_.has_value();
  if (plays != isPlaying()) plays ? deal_.start() : deal_.stop();
  update();
}

void ExampleCard::paintPicture(QPainter& painter) const {
  if (!facts_) return;
  const QSize size = pictureSize();
  const QRect place(QPoint((width() - size.width()) / 2, px(kInset)), size);
  painter.drawImage(place.topLeft(), isPlaying() ? facts_->picture.undealt : facts_->picture.dealt);
  if (!isPlaying()) return;
  // The last fifth of the time shows the whole epoch.
  const double share = std::min(1.0, deal_.currentValue().toDouble() * 1.25);
  painter.save();
  painter.setClipRect(QRect(place.topLeft(), QSize(static_cast<int>(share * place.width()), place.height())));
  painter.drawImage(place.topLeft(), facts_->picture.dealt);
  painter.restore();
}

void ExampleCard::paintFoot(QPainter& painter, QRect foot) const {
  if (!facts_) return;
  painter.setFont(smallFont());
  const QFontMetrics metrics = painter.fontMetrics();
  const QColor tone = facts_->tone == Tone::Fine ? theme().fine : toneColor(facts_->tone);
  const int side = px(8);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tone);
  const QRect mark(foot.left(), foot.center().y() - side / 2, side, side);
  if (facts_->tone == Tone::Warning) {
    painter.save();
    painter.translate(QRectF(mark).center());
    painter.rotate(45);
    painter.drawRect(QRectF(-side * 0.42, -side * 0.42, side * 0.84, side * 0.84));
    painter.restore();
  } else {
    painter.drawEllipse(mark);
  }
  painter.setPen(tone);
  painter.drawText(foot.adjusted(side + px(6), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, facts_->verdict);
  const auto pill = [&](const QString& words) {
    const int width = metrics.horizontalAdvance(words) + px(14);
    const QRect place(foot.right() - width + 1, foot.top(), width, foot.height());
    foot.setRight(place.left() - px(6));
    return place;
  };
  if (isLive()) paintPill(painter, pill(tr("▶ Play")), tr("▶ Play"), theme().accent, theme().on_accent);
  paintPill(painter, pill(facts_->framework), facts_->framework, theme().cell_empty, theme().muted);
}

void ExampleCard::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
  painter.setPen(QPen(isLive() ? theme().accent : theme().hairline, isLive() ? 2 : 1));
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(frame, px(8), px(8));
  paintPicture(painter);
  painter.fillRect(QRect(1, px(kPicture), width() - 2, 1), theme().hairline);
  QRect text = rect().adjusted(px(kInset), px(kPicture) + px(10), -px(kInset), -px(10));
  painter.setFont(demiBold(uiFont()));
  painter.setPen(theme().text);
  const QString title = painter.fontMetrics().elidedText(example_.title, Qt::ElideRight, text.width());
  painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, title);
  text.setTop(text.top() + painter.fontMetrics().height() + px(3));
  const QRect foot(text.left(), text.bottom() - px(22) + 1, text.width(), px(22));
  text.setBottom(foot.top() - px(2));
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  painter.drawText(text, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, example_.summary);
  paintFoot(painter, foot);
}

void ExampleCard::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->pos())) emit activated();
}

void ExampleCard::keyPressEvent(QKeyEvent* event) {
  const bool go = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (!go) return QWidget::keyPressEvent(event);
  event->accept();
  emit activated();
}

std::optional<ExampleFacts> exampleFacts(const QString& path, QSize picture, bool dark, qreal ratio, const Work& work) {
  const yaml::SpecFile file = yaml::readSpecFile(path.toStdString(), sampling::catalogue());
  if (!file.read.issues.empty()) return std::nullopt;
  const auto plan = Plan::make(file.read.spec);
  if (!plan) return std::nullopt;
  auto drawn = planPicture(*plan, picture, dark, ratio, work);
  const auto report = audit(*plan, {.fixes = false, .later_epochs = false}, work);
  if (!drawn || !report) return std::nullopt;
  ExampleFacts facts;
  facts.picture = *std::move(drawn);
  const std::string framework(sampling::frameworkTitle(sampling::frameworkOf(file.read.spec.sampler.type)));
  facts.framework = QString::fromStdString(worded("samplers", framework.c_str()));
  if (report->hasErrors()) {
    facts.tone = Tone::Error;
  } else if (report->count(Severity::Warning) > 0) {
    facts.tone = Tone::Warning;
  }
  facts.verdict = facts.tone == Tone::Error     ? phrase("start", "Error")
                  : facts.tone == Tone::Warning ? phrase("start", "Warning")
                                                : phrase("start", "No problem");
  return facts;
}

std::vector<Example> examples() {
  std::vector<Example> found;
  const QString where = folder();
  if (where.isEmpty()) return found;
  for (const QFileInfo& info : QDir(where).entryInfoList({"*.yaml"}, QDir::Files, QDir::Name)) {
    found.push_back(read(info));
  }
  const auto place = [](const Example& example) {
    const auto index = kOrder.indexOf(example.name);
    return index < 0 ? kOrder.size() : index;
  };
  std::ranges::stable_sort(found, {}, place);
  return found;
}

QString firstExample() {
  for (const Example& example : examples()) {
    if (example.name == kFirst) return example.path;
  }
  return {};
}

}  // namespace shardlens::ui

#include "moc_gallery.cpp"
