// SPDX-License-Identifier: Apache-2.0
// Each column's design, planned and audited by itself, beside what the column says of it: counts, verdict, costs and
// sentences. Over random designs, the same in each run; SHARDLENS_TEST_SEED=SEED draws others.
#include "core/audit/audit.h"
#include "core/lens/head.h"
#include "tests/core/lens/lens_reports.h"
#include "tests/support/random_seed.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

using namespace shardlens;

namespace {

const int kDesigns = test::rounds(40);

using Items = std::vector<SampleIndex>;
using Batches = std::vector<Items>;
/// One epoch: the batches of each rank.
using Dealt = std::vector<Batches>;

/// Every epoch as the plan of a spec deals it; none where one cannot be drawn. `most`: batches of a rank that are read,
/// 0 for all.
std::vector<Dealt> runOf(const PipelineSpec& spec, std::int64_t most) {
  std::vector<Dealt> run;
  const auto plan = Plan::make(spec);
  for (Epoch epoch{0}; plan && epoch.value < plan->epochs(); ++epoch) {
    Dealt dealt(static_cast<std::size_t>(plan->worldSize()));
    for (Rank rank{0}; rank.value < plan->worldSize(); ++rank) {
      const auto items = plan->rankEpoch(epoch, rank);
      if (!items) return {};
      const std::int64_t batches = most > 0 ? std::min(most, items->batches()) : items->batches();
      for (Step step{0}; step.value < batches; ++step)
        dealt[static_cast<std::size_t>(rank.value)].push_back(items->batchSamples(step));
    }
    run.push_back(std::move(dealt));
  }
  return run;
}

Items itemsOf(const Batches& batches) {
  Items items;
  for (const Items& batch : batches) items.insert(items.end(), batch.begin(), batch.end());
  return items;
}

std::map<SampleIndex, std::int64_t> timesIn(const Dealt& epoch) {
  std::map<SampleIndex, std::int64_t> times;
  for (const Batches& rank : epoch) {
    for (const SampleIndex id : itemsOf(rank)) ++times[id];
  }
  return times;
}

std::int64_t itemsIn(const Dealt& epoch) {
  std::int64_t items = 0;
  for (const Batches& rank : epoch) items += std::ssize(itemsOf(rank));
  return items;
}

/// The fewest batches of a rank, and the most.
std::pair<std::int64_t, std::int64_t> stepsIn(const Dealt& epoch) {
  const auto [fewest, most] = std::ranges::minmax(epoch, {}, [](const Batches& rank) { return rank.size(); });
  return {std::ssize(fewest), std::ssize(most)};
}

/// What a sentence is held against.
struct Case {
  const PipelineSpec& design;
  const LensColumn& column;
  const std::vector<Dealt>& dealt;  ///< of the column, every epoch
  const AuditReport& audit;         ///< of the column's design
  std::int64_t number = -1;         ///< the last one in the sentence
};

using Holds = bool (*)(const Case& one);

/// Whether it holds in each epoch.
template <class Predicate>
bool inEach(const Case& one, Predicate holds) {
  return std::ranges::all_of(one.dealt, holds);
}

bool dealsLike(const Case& one, const PipelineSpec& spec) {
  return runOf(spec, one.column.first_batches) == one.dealt;
}

/// The loops of frameworks tell a sampler its epoch.
bool isAsWritten(const Case& one) {
  PipelineSpec told = one.design;
  const auto set_epoch = told.sampler.parameters.find("set_epoch");
  if (set_epoch != told.sampler.parameters.end()) set_epoch->second = true;
  return dealsLike(one, one.design) || dealsLike(one, told);
}

bool keepsSampler(const Case& one) {
  return one.column.spec->sampler == one.design.sampler;
}

bool hasOneOrder(const Case& one) {
  return inEach(one, [&](const Dealt& epoch) { return epoch == one.dealt.front(); });
}

/// What the same framework makes of another design.
bool makesTheSameOf(const Case& one, const PipelineSpec& design) {
  const std::vector<LensColumn> columns = lensColumns(design);
  const auto other = std::ranges::find(columns, one.column.id, &LensColumn::id);
  return other != columns.end() && other->spec && dealsLike(one, *other->spec);
}

bool ignoresSeeds(const Case& one) {
  PipelineSpec other = one.design;
  other.seeds.base += 17;
  const auto own = other.sampler.parameters.find("generator_seed");
  if (own != other.sampler.parameters.end() && std::holds_alternative<std::int64_t>(own->second))
    own->second = std::get<std::int64_t>(own->second) + 5;
  return makesTheSameOf(one, other);
}

bool ignoresSeedRule(const Case& one) {
  PipelineSpec other = one.design;
  other.seeds.rule = "same";
  return makesTheSameOf(one, other);
}

bool ignoresGlobalSeed(const Case& one) {
  PipelineSpec other = one.design;
  other.framework.lightning.global_seed += 5;
  return makesTheSameOf(one, other);
}

bool ignoresDropLast(const Case& one) {
  PipelineSpec other = *one.column.spec;
  other.loader.drop_last = !other.loader.drop_last;
  return dealsLike(one, other);
}

bool ranksShareSeeds(const Case& one) {
  PipelineSpec other = *one.column.spec;
  if (other.seeds.rule == "unseeded") return true;
  other.seeds.rule = "same";
  return dealsLike(one, other);
}

/// Between two samples of a rank lies none of another.
bool hasContiguousParts(const Dealt& epoch) {
  std::map<SampleIndex, std::set<const Batches*>> readers;
  for (const Batches& rank : epoch) {
    for (const SampleIndex id : itemsOf(rank)) readers[id].insert(&rank);
  }
  std::set<const Batches*> done;
  const Batches* current = nullptr;
  for (const auto& [id, ranks] : readers) {
    if (ranks.size() > 1 || done.contains(*ranks.begin())) return false;
    if (current != nullptr && current != *ranks.begin()) done.insert(current);
    current = *ranks.begin();
  }
  return true;
}

bool isInOrder(const Dealt& epoch) {
  return std::ranges::all_of(epoch, [](const Batches& rank) { return std::ranges::is_sorted(itemsOf(rank)); });
}

bool readsNothingTwice(const Dealt& epoch) {
  return std::ranges::all_of(timesIn(epoch), [](const auto& sample) { return sample.second == 1; });
}

bool sizesDifferByOne(const Dealt& epoch) {
  std::set<std::int64_t> sizes;
  for (const Batches& rank : epoch) sizes.insert(std::ssize(itemsOf(rank)));
  return *sizes.rbegin() - *sizes.begin() <= 1;
}

bool hasEqualSteps(const Dealt& epoch) {
  return stepsIn(epoch).first == stepsIn(epoch).second;
}

bool ranksReadAlike(const Dealt& epoch) {
  return std::ranges::all_of(epoch, [&](const Batches& rank) { return rank == epoch.front(); });
}

bool eachBatch(const Dealt& epoch, const std::function<bool(const Items&)>& holds) {
  return std::ranges::all_of(epoch, [&](const Batches& rank) { return std::ranges::all_of(rank, holds); });
}

bool isNeighbours(const Items& batch) {
  for (std::size_t k = 1; k < batch.size(); ++k) {
    if (batch[k] != batch[k - 1] + 1) return false;
  }
  return true;
}

/// Step by step and rank by rank the dataset in its order.
bool takesTheNext(const Dealt& epoch) {
  SampleIndex next = 0;
  for (std::size_t step = 0; step < static_cast<std::size_t>(stepsIn(epoch).second); ++step) {
    for (const Batches& rank : epoch) {
      if (step >= rank.size()) continue;
      for (const SampleIndex id : rank[step]) {
        if (id != next++) return false;
      }
    }
  }
  return true;
}

bool keepsWholeSteps(const Case& one) {
  const std::int64_t step = one.column.spec->loader.batch_size * one.column.spec->worldSize();
  const std::int64_t whole = one.design.dataset.size / step * step;
  return inEach(one, [&](const Dealt& epoch) { return itemsIn(epoch) == whole; });
}

bool neitherPadsNorDrops(const Case& one) {
  return std::ranges::all_of(one.audit.coverage,
                             [](const Ledger& ledger) { return ledger.padding() == 0 && ledger.dropped() == 0; });
}

bool drops(const Case& one) {
  return std::ranges::any_of(one.audit.coverage,
                             [](const Ledger& ledger) { return ledger.missing_by[MissingCause::CutByLoader] > 0; });
}

bool pads(const Case& one) {
  return std::ranges::all_of(one.audit.coverage, [](const Ledger& ledger) { return ledger.padding() > 0; });
}

struct Claim {
  std::string_view words;  ///< of the sentence
  Holds holds;
};

constexpr Claim kClaims[] = {
    {"The design itself, the reference", [](const Case& one) { return *one.column.spec == one.design; }},
    {"is read as it is", isAsWritten},
    {"It keeps the sampler that it gets", isAsWritten},
    {"It leaves a stream as it is", keepsSampler},
    {"It keeps the DistributedSampler of the script", keepsSampler},
    {"It leaves a batch sampler as it is", isAsWritten},
    {"On one process it changes neither", isAsWritten},
    {"With one process, the loader stays as it is", isAsWritten},
    {"ddp, the loader stays as it is", isAsWritten},
    {"=False, the loader stays as it is", isAsWritten},
    {"Lightning keeps it and calls set_epoch", isAsWritten},
    {"every epoch has the order of the first one", hasOneOrder},
    {"every epoch has one order", hasOneOrder},
    {"every epoch has the same order", hasOneOrder},
    {"A second pass over the loader has the same order", hasOneOrder},
    {"every run has the same order", ignoresSeeds},
    {"seeds of the script have no effect", ignoresSeeds},
    {"The seed is always 0", ignoresSeeds},
    {"It gives every rank the same seed", ignoresSeedRule},
    {"The epoch alone seeds the permutation", ignoresGlobalSeed},
    {"Rank 0's generator is sent to all ranks", ranksShareSeeds},
    {"one contiguous part of the dataset", [](const Case& one) { return inEach(one, hasContiguousParts); }},
    {"own contiguous part of the dataset", [](const Case& one) { return inEach(one, hasContiguousParts); }},
    {"part of the dataset, in order", [](const Case& one) { return inEach(one, isInOrder); }},
    {"the loader reads the dataset in order", [](const Case& one) { return inEach(one, isInOrder); }},
    {"nothing twice", [](const Case& one) { return inEach(one, readsNothingTwice); }},
    {"reads its own tar files", [](const Case& one) { return inEach(one, readsNothingTwice); }},
    {"streams its own files", [](const Case& one) { return inEach(one, readsNothingTwice); }},
    {"one sample more", [](const Case& one) { return inEach(one, sizesDifferByOne); }},
    {"ranks may differ by one sample", [](const Case& one) { return inEach(one, sizesDifferByOne); }},
    {"Prediction never pads and never drops", neitherPadsNorDrops},
    {"Prediction never drops the last batch", [](const Case& one) { return !drops(one); }},
    {"Padding repeats samples", pads},
    {"padded so that all ranks have the same number", [](const Case& one) { return inEach(one, hasEqualSteps); }},
    {"cut to whole steps of all ranks", [](const Case& one) { return inEach(one, hasEqualSteps); }},
    {"even_batches fills up", [](const Case& one) { return inEach(one, hasEqualSteps); }},
    {"Ranks with too few batches get empty ones", [](const Case& one) { return inEach(one, hasEqualSteps); }},
    {"drop_last has no effect", ignoresDropLast},
    {"Batches of neighbours",
     [](const Case& one) { return inEach(one, [](const Dealt& epoch) { return eachBatch(epoch, isNeighbours); }); }},
    {"drops a short last batch",
     [](const Case& one) {
       const auto is_whole = [&](const Items& batch) {
         return std::ssize(batch) == one.column.spec->loader.batch_size;
       };
       return inEach(one, [&](const Dealt& epoch) { return eachBatch(epoch, is_whole); });
     }},
    {"yields single samples",
     [](const Case& one) {
       return inEach(one,
                     [](const Dealt& epoch) { return eachBatch(epoch, [](const Items& b) { return b.size() == 1; }); });
     }},
    {"The batch size becomes 1", [](const Case& one) { return one.column.spec->loader.batch_size == 1; }},
    {"one micro batch per data-parallel rank", [](const Case& one) { return inEach(one, takesTheNext); }},
    {"Samples that do not fill a step on all ranks are dropped", keepsWholeSteps},
    {"every rank predicts everything", [](const Case& one) { return inEach(one, ranksReadAlike); }},
    {"every rank draws identical batches", [](const Case& one) { return inEach(one, ranksReadAlike); }},
    {"each gets ", [](const Case& one) { return one.column.spec->loader.batch_size == one.number; }},
    {"Each process keeps one batch in ", [](const Case& one) { return one.number == one.design.worldSize(); }},
    {"keeps one sample of ", [](const Case& one) { return one.number == one.design.worldSize(); }},
    {"positions of it", [](const Case& one) { return one.number == one.design.worldSize(); }},
    {"Only the first overfit_batches batches",
     [](const Case& one) {
       const std::int64_t most = one.design.framework.lightning.overfit_batches;
       return inEach(one, [&](const Dealt& epoch) { return stepsIn(epoch).second <= most; });
     }},
};

std::int64_t lastNumber(const std::string& text) {
  static const std::regex kNumber("\\d+");
  std::int64_t last = -1;
  for (std::sregex_iterator at(text.begin(), text.end(), kNumber), end; at != end; ++at) last = std::stoll(at->str());
  return last;
}

/// The number behind these words; 0 where the text does not have them.
std::int64_t numberAfter(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  return at == std::string::npos ? 0 : std::stoll(text.substr(at + words.size()));
}

void checkSentences(Case one) {
  std::vector<std::string> sentences = {one.column.makes};
  for (const Note& note : one.column.notes) sentences.push_back(note.text);
  for (const std::string& sentence : sentences) {
    CAPTURE(sentence);
    one.number = lastNumber(sentence);
    for (const Claim& claim : kClaims) {
      if (sentence.find(claim.words) != std::string::npos) CHECK(claim.holds(one));
    }
  }
}

void checkCounts(const JudgedColumn& judged, const Dealt& epoch, const AuditReport& audit, std::size_t at) {
  std::int64_t batches = 0;
  for (const Batches& rank : epoch) batches += std::ssize(rank);
  CHECK(judged.batches == batches);
  CHECK(judged.steps == stepsIn(epoch).second);
  CHECK(judged.fewest_steps == stepsIn(epoch).first);
  CHECK(judged.items == itemsIn(epoch));
  if (judged.verdict != LensVerdict::Uncompared) CHECK(judged.distinct == std::ssize(timesIn(epoch)));
  if (judged.column.first_batches > 0) return;  // an audit is of whole epochs
  const Ledger& ledger = audit.coverage[at];
  CHECK(judged.items == ledger.handed_out);
  CHECK(judged.steps == audit.steps[at]);
  if (judged.verdict == LensVerdict::Uncompared) return;
  CHECK(judged.distinct == ledger.seen);
  CHECK(judged.repeats == ledger.repeats.total() - ledger.padding());
}

/// What is good has no error in an audit of what is read.
void checkTone(const JudgedColumn& judged, Epoch epoch, const AuditReport& audit) {
  if (headOf(judged).tone != LensTone::Good) return;
  for (const Finding& finding : audit.findings) {
    const bool is_deal = finding.topic == FindingTopic::Coverage || finding.topic == FindingTopic::Ranks ||
                         finding.topic == FindingTopic::Epochs || finding.topic == FindingTopic::Steps;
    const bool is_here = !finding.where.epoch || *finding.where.epoch == epoch.value ||
                         std::ranges::find(finding.epochs, epoch.value) != finding.epochs.end();
    CAPTURE(finding.message);
    if (is_deal && is_here) CHECK(finding.severity != Severity::Error);
  }
}

void checkComparison(const JudgedColumn& judged, const JudgedColumn& first, const Dealt& written, const Dealt& dealt) {
  const auto before = timesIn(written);
  const auto after = timesIn(dealt);
  std::int64_t lost = 0;
  std::int64_t again = 0;
  std::int64_t more = 0;
  for (const auto& [id, times] : before) lost += after.contains(id) ? 0 : 1;
  for (const auto& [id, times] : after) {
    again += std::max<std::int64_t>(0, times - (before.contains(id) ? before.at(id) : 1));
    more += before.contains(id) ? 0 : 1;
  }
  CHECK((judged.verdict == LensVerdict::Same) == (written == dealt));
  const std::string cost = costText(judged, first);
  CAPTURE(cost);
  CHECK(numberAfter(cost, "loses ") == lost);
  CHECK(numberAfter(cost, "adds ") == again);
  CHECK((cost.find("no sample is lost or read more often") != std::string::npos) ==
        (lost == 0 && again == 0 && more == 0));
  CHECK(numberAfter(cost, "reads ") == more);
  const bool other_steps = stepsIn(dealt).second != stepsIn(written).second;
  CHECK((cost.find(" instead of ") != std::string::npos) == other_steps);
  if (other_steps) CHECK(numberAfter(cost, " instead of ") == stepsIn(written).second);
  if (lost > 0) CHECK(numberAfter(relationText(judged), "other samples: ") == lost);
  static const std::regex kLost("(\\d+) of (\\d+) samples lost");
  const std::string head = headOf(judged).text;
  std::smatch match;
  if (std::regex_search(head, match, kLost)) {
    CHECK(std::stoll(match[1]) == lost);
    CHECK(std::stoll(match[2]) == std::ssize(before));
  }
}

/// A design that Lightning is said to keep is kept when it is the design, but for what prediction makes of its loader.
void checkKept(const LensColumn& column) {
  if (column.makes.find("and Lightning keeps it") == std::string::npos) return;
  const std::vector<LensColumn> columns = lensColumns(*column.spec);
  const auto lightning = std::ranges::find(columns, "lightning", &LensColumn::id);
  REQUIRE(lightning != columns.end());
  REQUIRE(lightning->spec);
  PipelineSpec kept = *column.spec;
  if (kept.framework.lightning.stage == "predict") kept.loader.drop_last = false;
  CHECK((runOf(*lightning->spec, 0) == runOf(kept, 0)));
}

void checkColumn(const LensReport& report, const JudgedColumn& judged, const std::vector<Dealt>& written) {
  const LensColumn& column = judged.column;
  CAPTURE(column.id);
  const auto plan = Plan::make(*column.spec);
  REQUIRE(plan);
  const auto audited = audit(*plan, {.epochs = plan->epochs(), .fixes = false});
  REQUIRE(audited);
  const std::vector<Dealt> dealt = runOf(*column.spec, column.first_batches);
  REQUIRE(std::ssize(dealt) == plan->epochs());
  const auto at = static_cast<std::size_t>(std::min<std::int64_t>(report.epoch.value, plan->epochs() - 1));
  checkCounts(judged, dealt[at], *audited, at);
  checkTone(judged, report.epoch, *audited);
  if (judged.samples) {
    checkComparison(judged, report.columns.front(), written[static_cast<std::size_t>(report.epoch.value)], dealt[at]);
  }
  checkSentences({report.spec, column, dealt, *audited});
  checkKept(column);
}

/// A spec of any sampler, half of them torch's, with what only the lens reads.
PipelineSpec drawn(test::SmallSpecs& specs) {
  constexpr std::array<const char*, 5> kCommon = {"torch.DistributedSampler", "torch.RandomSampler",
                                                  "torch.SequentialSampler", "torch.WeightedRandomSampler",
                                                  "torch.SubsetRandomSampler"};
  constexpr std::array<const char*, 4> kStages = {"train", "validate", "test", "predict"};
  const bool common = specs.below(2) == 0;  // each compiler draws alike: one draw a statement
  const auto which = static_cast<std::size_t>(specs.below(std::ssize(kCommon)));
  PipelineSpec spec = specs.next(common ? sampling::findRule(kCommon[which]) : nullptr).spec();
  auto& lightning = spec.framework.lightning;
  lightning.stage = kStages[static_cast<std::size_t>(specs.below(std::ssize(kStages)))];
  lightning.strategy = specs.below(2) == 0 ? "auto" : "ddp";
  lightning.use_distributed_sampler = specs.below(3) > 0;
  lightning.overfit_batches = specs.below(4) == 0 ? 2 : 0;
  lightning.global_seed = specs.below(3);
  lightning.dataloader_hook = specs.below(2) == 0;
  spec.framework.torchdata = specs.below(2) == 0 ? "0.11" : "0.12";
  return spec;
}

}  // namespace

TEST_CASE("each column says of its design what a plan and an audit of that design say") {
  const std::uint64_t seed = test::randomSeed();
  CAPTURE(seed);
  for (const bool data : {false, true}) {
    test::SmallSpecs specs(seed, data);
    for (int i = 0; i < kDesigns; ++i) {
      const PipelineSpec design = drawn(specs);
      const auto& lightning = design.framework.lightning;
      CAPTURE(test::describe(design));
      CAPTURE(lightning.stage);
      CAPTURE(lightning.strategy);
      CAPTURE(lightning.use_distributed_sampler);
      CAPTURE(lightning.overfit_batches);
      const std::vector<Dealt> written = runOf(design, 0);
      const LensReport report = test::lensReportOf(design, {.epoch = Epoch{design.epochs - 1}, .wanted = {}});
      for (const JudgedColumn& judged : report.columns) {
        if (judged.hasOrder()) checkColumn(report, judged, written);
      }
    }
  }
}
