// SPDX-License-Identifier: GPL-3.0-or-later
// Where the panels of the page stand, and how much room each of them gets.
#include "ui/state/phrase.h"
#include "ui/widgets/common/arrangement.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/arrival_panel.h"
#include "ui/widgets/run/console_view.h"
#include "ui/widgets/run/launch_panel.h"
#include "ui/widgets/run/loaders_panel.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/stall_panel.h"
#include "ui/widgets/run/verdict_banner.h"
#include "ui/widgets/run/watch_form.h"

#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kUsualHeight = 660;  ///< a page higher than this has room to spare
constexpr double kShareOfSpare = 0.55;
constexpr int kLeastBanner = 63;
constexpr int kLeastEvidence = 160;
constexpr int kLeastEvidenceOfLow = 144;
constexpr int kSideWidth = 288;
constexpr int kThreeBesideSide = 1180;  ///< width of the page
constexpr int kGapOfEvidence = 32;
constexpr int kGapOfLow = 16;
}  // namespace

void RunPage::addPlaces() {
  evidence_row_->setHandleWidth(px(kGapOfEvidence));
  evidence_->setMinimumHeight(px(kLeastEvidence));
  places_ = new Arrangement(this, "run", [this] { shareRoom(); });
  places_->addSplitter(beside_);
  places_->addSplitter(splitter_);
  places_->addSplitter(evidence_row_);
  places_->addSplitter(side_);  // last: sessions that do not know it keep the sizes of the others
  places_->addPanel("ranks", phrase("run", "Rank lanes"), upper_, Arrangement::Hiding::Never);
  places_->addPanel("proof", phrase("run", "Proof of assignment"), proof_);
  places_->addPanel("loaders", phrase("run", "What its loaders read"), loaders_);
  places_->addPanel("arrivals", phrase("run", "Arrivals"), arrivals_);
  places_->addPanel("console", phrase("run", "Console"), console_);
  places_->addPanel("stall", phrase("run", "Stall"), stall_);
  places_->addPanel("findings", phrase("design", "Findings"), findings_);
  places_->settle();
  connect(places_, &Arrangement::changed, this, &RunPage::chooseEvidence);
  for (const char* id : {"loaders", "stall", "findings"}) places_->setAvailable(id, false);
}

QVariantMap RunPage::layout() const {
  QVariantMap remembered = places_->layout();
  remembered.insert(launch_->watch()->typed());
  return remembered;
}

void RunPage::restoreLayout(const QVariantMap& layout) {
  places_->restoreLayout(layout);
  launch_->watch()->setTyped(layout);
}

void RunPage::shareRoom() {
  fitBanner();
  shareHeight();
  shareWidth();
}

/// Beside the card of a stall, or the findings, there is no room for all three in a narrow page, and who came late
/// before it matters least. Nor beside what loaders read where no rank met another one.
void RunPage::chooseEvidence() {
  const RunStatePtr state = workspace_.runs.state();
  const bool is_empty = workspace_.capture.found() != nullptr && state != nullptr &&
                        std::ranges::none_of(state->arrivals, [](const Arrival& one) { return one.collectives > 0; });
  places_->setAvailable("arrivals", !is_empty && (width() >= px(kThreeBesideSide) || side_->isHidden()));
}

/// Proof and console take a little more than the arrivals; the card of a stall and the findings have a half each.
void RunPage::shareWidth() {
  if (!places_->isByHand(beside_) && beside_->width() > 0) {
    const int side = px(kSideWidth);
    Arrangement::giveSizes(*beside_, {{splitter_, beside_->width() - side}, {side_, side}});
  }
  if (!places_->isByHand(side_)) Arrangement::giveSizes(*side_, {{stall_, 1}, {findings_, 1}});
  if (places_->isByHand(evidence_row_) || evidence_row_->width() <= 0) return;
  Arrangement::giveSizes(*evidence_row_, {{proof_, 360}, {loaders_, 360}, {arrivals_, 280}, {console_, 360}});
}

/// All words of the verdict, as far as ranks and evidence keep the least that they need: then they scroll. A splitter
/// asks nobody how high words are at a width, so the height is said.
void RunPage::fitBanner() {
  if (splitter_->height() <= 0 || !watch_panel_->isVisible()) return;
  banner_area_->setMinimumWidth(banner_->minimumSizeHint().width());
  const int wanted = banner_->heightForWidth(banner_area_->width());
  const int beside = upper_->minimumSizeHint().height() - banner_area_->height();
  const int room = splitter_->height() - splitter_->handleWidth() - evidence_->minimumHeight() - beside;
  banner_area_->setFixedHeight(std::max(px(kLeastBanner), std::min(wanted, room)));
}

/// The ranks take what they need at their usual size, at most two thirds or so, and in a tall window more than half of
/// what is left; evidence takes the rest. Done when the layout has settled: the height of the verdict follows from its
/// width.
void RunPage::shareHeight() {
  if (places_->isByHand(splitter_) || splitter_->height() <= 0 || !watch_panel_->isVisible()) return;
  constexpr double kMost = 0.7;
  const int all = splitter_->height() - splitter_->handleWidth();
  const int beside = upper_->sizeHint().height() - board_->sizeHint().height();
  const int most = compact_ ? all - evidence_->minimumHeight() : static_cast<int>(kMost * all);
  const int spare = static_cast<int>(kShareOfSpare * std::max(0, all - px(kUsualHeight)));
  const int wanted = std::min(board_->largestHeight(), board_->sizeHint().height() + spare);
  const int upper = std::min(most, wanted + beside);
  if (upper_->height() != upper) Arrangement::giveSizes(*splitter_, {{upper_, upper}, {evidence_, all - upper}});
}

/// A low window: verdict, margins and evidence give what they can spare to the ranks.
void RunPage::setCompact(bool compact) {
  if (compact == compact_) return;
  compact_ = compact;
  banner_->setCompact(compact);
  evidence_row_->setHandleWidth(px(compact ? kGapOfLow : kGapOfEvidence));
  QLayout* upper = board_->parentWidget()->layout();
  upper->setContentsMargins(0, px(compact ? 6 : 14), 0, 0);
  upper->setSpacing(px(compact ? 6 : 12));
  evidence_->layout()->setContentsMargins(px(kMargin), px(compact ? 6 : 12), px(kMargin), px(compact ? 4 : 12));
  evidence_->setMinimumHeight(px(compact ? kLeastEvidenceOfLow : kLeastEvidence));
}

}  // namespace shardlens::ui
