// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tabs/overlap_text.h"

#include "ui/state/phrase.h"

#include <algorithm>
#include <set>

namespace shardlens::ui {
namespace {

qint64 smaller(const Overlap& overlap, qint64 a, qint64 b) {
  return std::min(overlap.at(a, a), overlap.at(b, b));
}

QString capitalized(QString sentence) {
  sentence[0] = sentence[0].toUpper();
  return sentence;
}

double shareOf(const Overlap& overlap, qint64 a, qint64 b) {
  const qint64 of = smaller(overlap, a, b);
  return of > 0 ? static_cast<double>(overlap.at(a, b)) / static_cast<double>(of) : 0;
}

/// The problem that says why ranks or epochs have the same samples; null when the audit found none.
const Finding* problem(const AuditReport& report, FindingTopic topic) {
  const auto it = std::find_if(report.findings.begin(), report.findings.end(),
                               [topic](const Finding& finding) { return !finding.is_proof && finding.topic == topic; });
  return it == report.findings.end() ? nullptr : &*it;
}

void explain(OverlapVerdict& verdict, const Finding* finding) {
  if (finding == nullptr) return;
  verdict.tone = toneOf(finding->severity);
  if (!finding->why.empty()) verdict.reasons << QString::fromStdString(finding->why);
  if (const Fix* fix = finding->fix()) verdict.fix = *fix;
}

bool isEmpty(const Overlap& overlap) {
  for (qint64 rank = 0; rank < overlap.size; ++rank) {
    if (overlap.at(rank, rank) > 0) return false;
  }
  return true;
}

struct Pairs {
  qint64 sharing = 0;
  qint64 slight = 0;  ///< of these, pairs that share no more samples than are padding
  qint64 peers = 0;   ///< of one copy of the model that share samples: not counted in the others
  qint64 all = 0;
  qint64 a = 0;  ///< the worst pair
  qint64 b = 0;
};

Pairs countPairs(const Overlap& overlap, qint64 padding) {
  Pairs pairs;
  double worst = 0;
  for (qint64 a = 0; a < overlap.size; ++a) {
    for (qint64 b = a + 1; b < overlap.size; ++b) {
      ++pairs.all;
      if (overlap.at(a, b) == 0) continue;
      if (overlap.arePeers(a, b)) {
        ++pairs.peers;
        continue;
      }
      ++pairs.sharing;
      pairs.slight += overlap.at(a, b) <= padding;
      if (const double share = shareOf(overlap, a, b); share > worst) worst = share, pairs.a = a, pairs.b = b;
    }
  }
  return pairs;
}

QString paddingTitle(qint64 samples) {
  return phrase("tabs", "%1: padding").arg(countOf(samples, "shared sample"));
}

QString paddingReason() {
  return phrase("tabs", "Repeated so that every rank gets the same number of samples.");
}

QString compared(const AuditReport& report, const Pairs& pairs, qint64 world) {
  const qint64 epoch = report.coverage.empty() ? 0 : report.coverage.front().epoch;
  const qint64 size = report.ranks.size;
  const QString whom = size < world ? phrase("tabs", "the first %1 of %2 ranks").arg(number(size), number(world))
                                    : countOf(size, "rank");
  return phrase("tabs", "Compared: %1 (%2) in epoch %3.").arg(whom, countOf(pairs.all, "pair"), number(epoch));
}

QString peersReason() {
  return phrase("tabs", "Ranks that divide one copy of the model must read the same samples.");
}

/// No pair of those that were compared shares a sample. Of more ranks than are compared, the ledger says more.
OverlapVerdict apart(const AuditReport& report, const Pairs& pairs, qint64 world) {
  OverlapVerdict verdict{
      phrase("tabs", "No two ranks share a sample"), {compared(report, pairs, world)}, Tone::Fine, {}};
  if (report.ranks.size >= world) return verdict;
  const Ledger* all = report.coverage.empty() ? nullptr : &report.coverage.front();
  if (all != nullptr && all->duplicated == 0) {
    verdict.reasons << phrase("tabs", "Counted over all %1: no sample is read twice.").arg(countOf(world, "rank"));
    return verdict;
  }
  verdict.title = phrase("tabs", "No two of the first %1 share a sample").arg(countOf(report.ranks.size, "rank"));
  verdict.tone = Tone::Note;
  if (all == nullptr) return verdict;
  verdict.reasons << phrase("tabs", "Read more than once, counted over all %1: %2.")
                         .arg(countOf(world, "rank"), countOf(all->duplicated, "sample"));
  if (onlyPaddingRepeats(*all)) {
    verdict.reasons << paddingReason();
  } else {
    explain(verdict, problem(report, FindingTopic::Ranks));
  }
  return verdict;
}

QString sharedPart(const Overlap& overlap, qint64 a, qint64 b) {
  const qint64 shared = overlap.at(a, b);
  const QString samples = countOf(shared, "sample");
  const bool all = shared == overlap.at(a, a) && shared == overlap.at(b, b);
  return all ? phrase("tabs", "all %1").arg(samples)
             : phrase("tabs", "%1 (%2)").arg(samples, percent(shareOf(overlap, a, b)));
}

}  // namespace

Heat rankHeat(const Overlap& overlap) {
  Heat heat{overlap.size, std::vector<float>(overlap.shared.size())};
  for (qint64 row = 0; row < overlap.size; ++row) {
    for (qint64 column = 0; column < overlap.size; ++column) {
      if (row == column || overlap.at(row, column) == 0) continue;
      heat.cells[static_cast<std::size_t>(row * overlap.size + column)] =
          static_cast<float>(shareOf(overlap, row, column));
    }
  }
  return heat;
}

Heat epochHeat(const EpochRepeats& repeats) {
  const auto epochs = static_cast<qint64>(repeats.same_as.size());
  Heat heat{epochs, std::vector<float>(static_cast<std::size_t>(epochs * epochs))};
  for (qint64 row = 0; row < epochs; ++row) {
    for (qint64 column = 0; column < epochs; ++column) {
      const auto same = [&repeats](qint64 epoch) { return repeats.same_as[static_cast<std::size_t>(epoch)]; };
      if (row != column && same(row) == same(column)) {
        heat.cells[static_cast<std::size_t>(row * epochs + column)] = 1;
      }
    }
  }
  return heat;
}

bool onlyPaddingRepeats(const Ledger& coverage) {
  return coverage.duplicated > 0 && coverage.padding() == coverage.repeats.total();
}

Tone rankTone(const AuditReport& report) {
  if (!report.coverage.empty() && onlyPaddingRepeats(report.coverage.front())) return Tone::Note;
  if (const Finding* finding = problem(report, FindingTopic::Ranks)) return toneOf(finding->severity);
  const Pairs pairs = countPairs(report.ranks, 0);
  return pairs.sharing == 0 && pairs.peers > 0 ? Tone::Note : Tone::Error;
}

Tone epochTone(const AuditReport& report) {
  const Finding* finding = problem(report, FindingTopic::Epochs);
  return finding ? toneOf(finding->severity) : Tone::Note;
}

QString pairSentence(const Overlap& overlap, qint64 a, qint64 b) {
  if (a == b) return phrase("tabs", "rank %1 gets %2").arg(QString::number(a), countOf(overlap.at(a, a), "sample"));
  if (overlap.at(a, b) == 0) return phrase("tabs", "ranks %1 and %2 share no sample").arg(a).arg(b);
  return phrase("tabs", "ranks %1 and %2 share %3 (%4)")
      .arg(QString::number(a), QString::number(b), countOf(overlap.at(a, b), "sample"),
           percent(shareOf(overlap, a, b)));
}

QString epochSentence(const EpochRepeats& repeats, qint64 a, qint64 b) {
  if (a == b) return phrase("tabs", "epoch %1").arg(a);
  const bool same = repeats.same_as[static_cast<std::size_t>(a)] == repeats.same_as[static_cast<std::size_t>(b)];
  return (same ? phrase("tabs", "epochs %1 and %2 have the same order")
               : phrase("tabs", "epochs %1 and %2 have different orders"))
      .arg(a)
      .arg(b);
}

OverlapVerdict rankOverview(const AuditReport& report, qint64 world) {
  const Overlap& overlap = report.ranks;
  if (overlap.size < 2)
    return {phrase("tabs", "One rank: nothing to compare"),
            {phrase("tabs", "Overlap needs at least two ranks.")},
            Tone::Note,
            {}};
  if (isEmpty(overlap))
    return {phrase("tabs", "No rank has a sample: nothing to compare"),
            {phrase("tabs", "The epoch is empty.")},
            Tone::Note,
            {}};
  const qint64 padding = report.coverage.empty() ? 0 : report.coverage.front().padding();
  const Pairs pairs = countPairs(overlap, padding);
  const bool only_padding = !report.coverage.empty() && onlyPaddingRepeats(report.coverage.front());
  if (const Finding* finding = problem(report, FindingTopic::Ranks); finding != nullptr && finding->is_of_peers) {
    OverlapVerdict verdict{QString::fromStdString(finding->title), {compared(report, pairs, world)}, Tone::Error, {}};
    explain(verdict, finding);
    return verdict;
  }
  if (pairs.peers > 0 && (pairs.sharing == 0 || only_padding)) {
    return {pairs.sharing > 0 ? phrase("tabs", "Only ranks of one copy of the model share samples, padding aside")
                              : phrase("tabs", "Only ranks of one copy of the model share samples"),
            {peersReason(), compared(report, pairs, world)},
            Tone::Fine,
            {}};
  }
  if (pairs.sharing == 0) return apart(report, pairs, world);
  if (only_padding) {
    return {paddingTitle(report.coverage.front().duplicated),
            {paddingReason(), phrase("tabs", "Hatched cells are pairs of ranks that share padding."),
             compared(report, pairs, world)},
            Tone::Note,
            {}};
  }
  const QString worst =
      phrase("tabs", "ranks %1 and %2 share %3")
          .arg(QString::number(pairs.a), QString::number(pairs.b), sharedPart(overlap, pairs.a, pairs.b));
  OverlapVerdict verdict{capitalized(worst), {}, Tone::Error, {}};
  const qint64 gross = pairs.sharing - pairs.slight;
  if (pairs.sharing > 1) {
    const qint64 counted = gross > 0 ? gross : pairs.sharing;
    verdict.title = phrase("tabs", "%1 of %2 share samples").arg(number(counted), countOf(pairs.all, "pair"));
    verdict.reasons << phrase("tabs", "Worst: %1.").arg(worst);
  }
  if (overlap.size < world) verdict.reasons << compared(report, pairs, world);
  if (gross > 0 && pairs.slight > 0) {
    verdict.reasons << (pairs.slight == 1 ? phrase("tabs", "%1 shares at most %2, through padding only.")
                                          : phrase("tabs", "%1 share at most %2, through padding only."))
                           .arg(countOf(pairs.slight, "more pair"), countOf(padding, "sample"));
  }
  explain(verdict, problem(report, FindingTopic::Ranks));
  return verdict;
}

OverlapVerdict rankVerdict(const AuditReport& report, qint64 a, qint64 b, bool padding) {
  const Overlap& overlap = report.ranks;
  if (a == b)
    return {phrase("tabs", "Rank %1 gets %2").arg(QString::number(a), countOf(overlap.at(a, a), "sample")),
            {},
            Tone::Note,
            {}};
  const qint64 shared = overlap.at(a, b);
  const QString ranks = phrase("tabs", "Ranks %1 and %2").arg(a).arg(b);
  OverlapVerdict verdict{shared == 0 ? phrase("tabs", "%1 share no sample").arg(ranks)
                                     : phrase("tabs", "%1 share %2").arg(ranks, sharedPart(overlap, a, b)),
                         {},
                         Tone::Error,
                         {}};
  if (overlap.arePeers(a, b)) {
    verdict.reasons << peersReason();
    if (shared == overlap.at(a, a) && shared == overlap.at(b, b)) verdict.tone = Tone::Fine;
    return verdict;
  }
  if (shared == 0) {
    verdict.tone = Tone::Fine;
    return verdict;
  }
  if (padding) return {paddingTitle(shared), {phrase("tabs", "%1. %2").arg(ranks, paddingReason())}, Tone::Note, {}};
  const auto& same = overlap.same_as;
  if (!same.empty() && same[static_cast<std::size_t>(a)] == same[static_cast<std::size_t>(b)]) {
    verdict.reasons << phrase("tabs", "Their batches are identical, in the same order.");
  }
  explain(verdict, problem(report, FindingTopic::Ranks));
  return verdict;
}

OverlapVerdict epochOverview(const AuditReport& report) {
  const auto& same = report.repeats.same_as;
  const auto epochs = static_cast<qint64>(same.size());
  if (epochs < 2) return {phrase("tabs", "One epoch: nothing to compare"), {}, Tone::Note, {}};
  const auto orders = static_cast<qint64>(std::set<qint64>(same.begin(), same.end()).size());
  if (orders == epochs)
    return {phrase("tabs", "Every epoch has a different order"),
            {phrase("tabs", "Compared: %1.").arg(countOf(epochs, "epoch"))},
            Tone::Fine,
            {}};
  const QString title = orders == 1
                            ? phrase("tabs", "All %1 have the same order").arg(countOf(epochs, "epoch"))
                            : phrase("tabs", "%1 in %2").arg(countOf(orders, "order"), countOf(epochs, "epoch"));
  OverlapVerdict verdict{title, {}, Tone::Note, {}};
  explain(verdict, problem(report, FindingTopic::Epochs));
  return verdict;
}

OverlapVerdict epochVerdict(const AuditReport& report, qint64 a, qint64 b) {
  const QString title = capitalized(epochSentence(report.repeats, a, b));
  if (a == b) return {title, {}, Tone::Note, {}};
  if (report.repeats.same_as[static_cast<std::size_t>(a)] != report.repeats.same_as[static_cast<std::size_t>(b)]) {
    return {title, {}, Tone::Fine, {}};
  }
  OverlapVerdict verdict{title, {phrase("tabs", "Every rank gets the same batches in both epochs.")}, Tone::Note, {}};
  explain(verdict, problem(report, FindingTopic::Epochs));
  return verdict;
}

QString overlapCsv(const Overlap& overlap) {
  QString out = "rank_a,rank_b,shared\n";
  for (qint64 a = 0; a < overlap.size; ++a) {
    for (qint64 b = a + 1; b < overlap.size; ++b) {
      if (overlap.at(a, b) > 0) out += QString("%1,%2,%3\n").arg(a).arg(b).arg(overlap.at(a, b));
    }
  }
  return out;
}

}  // namespace shardlens::ui
