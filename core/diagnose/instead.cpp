// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/instead.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <iterator>

namespace shardlens {
namespace {

using Numbers = std::vector<std::int64_t>;  ///< of ranks or epochs: ascending, each once

/// Why all ranks may get the share of one rank.
enum class SharedBy { Unknown, Argument, Seed };

/// "Epochs 1 and 2 on rank 3"
std::string epochsOf(const Numbers& epochs, const Numbers& ranks) {
  const std::string which = listed(epochs);
  const std::string who = listed(ranks);
  if (ranks.empty()) {
    return filled(epochs.size() == 1 ? worded("proof", "Epoch %1") : worded("proof", "Epochs %1"), which);
  }
  if (epochs.size() == 1) {
    return ranks.size() == 1 ? filled(worded("proof", "Epoch %1 on rank %2"), which, who)
                             : filled(worded("proof", "Epoch %1 on ranks %2"), which, who);
  }
  return ranks.size() == 1 ? filled(worded("proof", "Epochs %1 on rank %2"), which, who)
                           : filled(worded("proof", "Epochs %1 on ranks %2"), which, who);
}

/// "1 epoch later", "2 epochs earlier"
std::string shifted(std::int64_t later) {
  return later < 0 ? filled(worded("proof", "%1 earlier"), wordedCount(-later, "epoch"))
                   : filled(worded("proof", "%1 later"), wordedCount(later, "epoch"));
}

/// Epochs of these ranks; no rank means all of them. `never_told`: no batch shows that the sampler was told its epoch.
/// The sentence does not say whether it was: with another seed, one epoch has the order of another one.
std::string gotOrderOf(const Numbers& epochs, const Numbers& ranks, std::int64_t got, bool never_told) {
  const std::string which = epochsOf(epochs, ranks);
  return never_told ? filled(worded("proof",
                                    "%1 got the order of epoch %2. The order stays until set_epoch is called with "
                                    "another number."),
                             which, std::to_string(got))
                    : filled(worded("proof", "%1 got the order of epoch %2."), which, std::to_string(got));
}

std::string readShareOf(const Numbers& ranks, std::int64_t got, SharedBy shared_by) {
  const std::string whose = std::to_string(got);
  const std::string read = ranks.size() == 1
                               ? filled(worded("proof", "Rank %1 read the share of rank %2"), listed(ranks), whose)
                               : filled(worded("proof", "Ranks %1 read the share of rank %2"), listed(ranks), whose);
  switch (shared_by) {
    case SharedBy::Argument:
      return filled(worded("proof", "%1: every rank acted as rank %2."), read, whose);
    case SharedBy::Seed:
      return filled(worded("proof", "%1: all ranks drew with the seed of rank %2."), read, whose);
    case SharedBy::Unknown:
      break;
  }
  return filled(worded("proof", "%1."), read);
}

/// Pairs (rank, whose share it read); `more` says that there are others.
std::string readShares(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs, bool more) {
  std::vector<std::string> parts;
  parts.reserve(pairs.size());
  for (const auto& [rank, other] : pairs) {
    parts.push_back(filled(parts.empty() ? worded("proof", "Rank %1 read the share of rank %2")
                                         : worded("proof", "rank %1 read the share of rank %2"),
                           std::to_string(rank), std::to_string(other)));
  }
  const std::string all = join(parts, worded("proof", ", "));
  return more ? filled(worded("proof", "%1, and so on."), all) : filled(worded("proof", "%1."), all);
}

/// By this many batches; negative: behind.
std::string aheadOfPlan(std::int64_t rank, std::int64_t batches, std::int64_t epoch) {
  const std::string count = wordedCount(batches < 0 ? -batches : batches, "batch");
  return filled(batches > 0 ? worded("proof", "Rank %1 is %2 ahead of the plan in epoch %3.")
                            : worded("proof", "Rank %1 is %2 behind the plan in epoch %3."),
                std::to_string(rank), count, std::to_string(epoch));
}

constexpr std::size_t kMostWrong = 4;     ///< of one rank and epoch
constexpr std::size_t kMostPlaces = 256;  ///< the earliest ones
constexpr std::int64_t kMostEpochs = 32;  ///< whose orders are drawn
constexpr std::int64_t kMostSteps = 100'000;
constexpr std::size_t kMostNamed = 4;
constexpr std::size_t kMostFruitless = 4;  ///< places of which nothing is found; each costs the orders of all epochs

using Wrongs = std::vector<WrongBatches::Wrong>;

class Search {
 public:
  Search(const Plan& plan, const Work& work) : plan_(plan), work_(work) {}

  std::optional<Instead> of(std::int64_t rank, std::int64_t epoch, const Wrongs& wrongs) {
    const std::vector<std::int64_t> epochs = nearEpochs(epoch);
    for (const std::int64_t other : epochs) {
      if (other != epoch && has(rank, other, wrongs)) return answer(rank, epoch, rank, other, wrongs);
    }
    for (const std::int64_t of_epoch : epochs) {
      // A share of another epoch is looked for in the likely epochs alone.
      if (of_epoch != epoch && of_epoch != 0 && of_epoch != epoch - 1) continue;
      for (std::int64_t other = 0; other < plan_.worldSize(); ++other) {
        if (other != rank && has(other, of_epoch, wrongs)) return answer(rank, epoch, other, of_epoch, wrongs);
      }
    }
    return shifted(rank, epoch, wrongs);
  }

 private:
  static Instead answer(std::int64_t rank, std::int64_t epoch, std::int64_t got_rank, std::int64_t got_epoch,
                        const Wrongs& wrongs) {
    return {rank, epoch, got_rank, got_epoch, 0, static_cast<std::int64_t>(wrongs.size())};
  }

  /// The epoch itself, the first one, its neighbours, then the others in order.
  [[nodiscard]] std::vector<std::int64_t> nearEpochs(std::int64_t epoch) const {
    std::vector<std::int64_t> epochs = {epoch, 0, epoch - 1, epoch + 1};
    for (std::int64_t other = 1; other < std::min(plan_.epochs(), kMostEpochs); ++other) epochs.push_back(other);
    std::vector<std::int64_t> wanted;
    for (const std::int64_t one : epochs) {
      const bool is_new = std::find(wanted.begin(), wanted.end(), one) == wanted.end();
      if (is_new && one >= 0 && one < plan_.epochs()) wanted.push_back(one);
    }
    return wanted;
  }

  /// Null when the order cannot be had.
  const RankEpoch* slice(std::int64_t rank, std::int64_t epoch) {
    if (slice_ && slice_->rank().value == rank && slice_->epoch().value == epoch) return &*slice_;
    if (work_.stopped()) return nullptr;
    auto drawn = plan_.rankEpoch(Epoch{epoch}, Rank{rank}, work_);
    if (!drawn) return nullptr;
    slice_ = *std::move(drawn);
    return &*slice_;
  }

  [[nodiscard]] bool has(std::int64_t rank, std::int64_t epoch, const Wrongs& wrongs) {
    const RankEpoch* const of_plan = slice(rank, epoch);
    return of_plan != nullptr && holds(*of_plan, wrongs);
  }

  /// The rank's own batches, all of them so many steps too early or too late.
  std::optional<Instead> shifted(std::int64_t rank, std::int64_t epoch, const Wrongs& wrongs) {
    if (epoch >= plan_.epochs()) return std::nullopt;
    const RankEpoch* const own = slice(rank, epoch);
    if (own == nullptr) return std::nullopt;
    for (std::int64_t step = 0; step < std::min(own->batches(), kMostSteps); ++step) {
      if (own->batchFingerprint(Step{step}) != wrongs.front().fingerprint) continue;
      const std::int64_t later = step - wrongs.front().step;
      if (holds(*own, wrongs, later))
        return Instead{rank, epoch, rank, epoch, later, static_cast<std::int64_t>(wrongs.size())};
    }
    return std::nullopt;
  }

  const Plan& plan_;
  const Work& work_;
  std::optional<RankEpoch> slice_;
};

void keep(WrongBatches::Places& places, const WrongBatches::Place& place, const WrongBatches::Wrong& batch) {
  if (places.size() == kMostPlaces && place > std::prev(places.end())->first) return;
  const auto [kept, is_new] = places.try_emplace(place);
  if (kept->second.size() < kMostWrong) kept->second.push_back(batch);
  if (is_new && places.size() > kMostPlaces) places.erase(std::prev(places.end()));
}

Numbers numbersOf(const std::set<std::int64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// Whether the sampler has to be told its epoch, and no batch shows that one of these ranks told it.
bool neverTold(const Plan& plan, const WrongBatches& wrong, const std::set<std::int64_t>& ranks) {
  const auto& right = wrong.rightPlaces();
  return !sampling::traitsOf(plan.spec()).set_epoch.empty() &&
         std::ranges::none_of(ranks, [&wrong](std::int64_t rank) { return wrong.wasTold(rank); }) &&
         std::ranges::none_of(
             right, [&ranks](const auto& one) { return one.first.first > 0 && ranks.contains(one.first.second); });
}

/// Why one rank's share may come to all: a sampler divides by the rank that it is told, or draws by the rank's seed.
SharedBy sharedBy(const Plan& plan) {
  return sampling::traitsOf(plan.spec()).rank.empty() ? SharedBy::Seed : SharedBy::Argument;
}

/// Epochs that got the order of another one, all ranks or some.
std::string epochsText(const Plan& plan, const WrongBatches& wrong, const std::vector<Instead>& found) {
  std::set<std::int64_t> epochs;
  std::set<std::int64_t> ranks;
  std::set<std::int64_t> got;
  std::set<std::int64_t> later;
  for (const Instead& one : found) {
    epochs.insert(one.epoch);
    ranks.insert(one.rank);
    got.insert(one.got_epoch);
    later.insert(one.got_epoch - one.epoch);
  }
  const bool is_all = static_cast<std::int64_t>(ranks.size()) == plan.worldSize();
  const Numbers whose = is_all ? Numbers() : numbersOf(ranks);
  const Numbers when = numbersOf(epochs);
  if (got.size() == 1) return gotOrderOf(when, whose, *got.begin(), *got.begin() == 0 && neverTold(plan, wrong, ranks));
  const std::string which = epochsOf(when, whose);
  return later.size() == 1
             ? filled(worded("proof", "%1 got the orders of %2."), which, shifted(*later.begin()))
             : filled(worded("proof", "%1 got the orders of other epochs: %2."), which, listed(numbersOf(got)));
}

/// Ranks that read the share of another one.
std::string sharesText(const Plan& plan, const std::vector<Instead>& found) {
  std::set<std::pair<std::int64_t, std::int64_t>> pairs;
  std::set<std::int64_t> got;
  std::set<std::int64_t> ranks;
  for (const Instead& one : found) {
    pairs.insert({one.rank, one.got_rank});
    got.insert(one.got_rank);
    ranks.insert(one.rank);
  }
  if (got.size() == 1 && ranks.size() == pairs.size()) {
    const bool is_all = static_cast<std::int64_t>(ranks.size()) == plan.worldSize() - 1 && ranks.size() > 1;
    return readShareOf(numbersOf(ranks), *got.begin(), is_all ? sharedBy(plan) : SharedBy::Unknown);
  }
  const auto end = std::next(pairs.begin(), static_cast<std::ptrdiff_t>(std::min(pairs.size(), kMostNamed)));
  return readShares({pairs.begin(), end}, pairs.size() > kMostNamed);
}

constexpr std::int64_t kMostDrawn = 200'000'000;  ///< samples of all orders of wrong candidates together
constexpr std::int64_t kFewestSpecs = 4;
constexpr std::int64_t kFewestBatches = 4;  ///< fewer may agree by chance

/// Seeds that people write.
constexpr std::int64_t kSeeds[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 42, 100, 123, 1234, 1337, 2024, 3407, 12345};

struct Change {
  const Field* field = nullptr;
  Value value;
};

using Changes = std::vector<Change>;

class Candidates {
 public:
  Candidates(const Plan& plan, const WrongBatches& batches, const RunShape& run, const Work& work)
      : plan_(plan), batches_(batches), run_(run), work_(work) {}

  std::optional<Changes> find() {
    std::vector<Changes> known = knownChanges();
    for (const Changes& one : known) {
      if (!one.empty() && has(one)) return one;
    }
    // Fewer changes first: the largest batch of a run is below batch_size where no rank has more samples.
    std::stable_partition(known.begin(), known.end(), [](const Changes& one) { return one.empty(); });
    for (const Changes& one : known) {
      for (const Change& guess : guesses()) {
        Changes all = one;
        all.push_back(guess);
        if (has(all)) return all;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] const Field* field(const std::string& path) const {
    return findField(plan_.spec(), sampling::catalogue(), path);
  }

  /// The run's own world and batch size, each and both; and nothing, when these are the planned ones.
  [[nodiscard]] std::vector<Changes> knownChanges() const {
    Changes world;
    Changes batch;
    const bool is_whole = run_.nodes > 0 && run_.world_size % run_.nodes == 0;
    if (is_whole && run_.world_size > 0 && run_.world_size != plan_.worldSize()) {
      world = {{field("world.nodes"), run_.nodes}, {field("world.ranks_per_node"), run_.world_size / run_.nodes}};
    }
    if (run_.batch_size > 0 && run_.batch_size != plan_.spec().loader.batch_size)
      batch = {{field("loader.batch_size"), run_.batch_size}};
    if (world.empty() && batch.empty()) return {{}};
    if (world.empty() || batch.empty()) return {world.empty() ? batch : world, {}};
    Changes both = world;
    both.insert(both.end(), batch.begin(), batch.end());
    return {world, batch, both, {}};
  }

  /// Single fields with other values.
  [[nodiscard]] Changes guesses() const {
    Changes flags;
    Changes seeds;
    for (const Field* one : fieldsOf(plan_.spec(), sampling::catalogue())) {
      const Value planned = getValue(plan_.spec(), *one);
      const bool is_order = one->section() == "sampler" || one->path == "loader.drop_last";
      if (one->kind == FieldKind::Bool && is_order) flags.push_back({one, !std::get<bool>(planned)});
      if (one->path == "seeds.rule") addRules(*one, planned, flags);
      const auto* seed = one->is_seed ? std::get_if<std::int64_t>(&planned) : nullptr;
      if (seed != nullptr) addSeeds(*one, *seed, seeds);
    }
    flags.insert(flags.end(), seeds.begin(), seeds.end());
    return flags;
  }

  static void addRules(const Field& rule, const Value& planned, Changes& changes) {
    for (const std::string& choice : rule.choices) {
      if (Value(choice) != planned) changes.push_back({&rule, choice});
    }
  }

  static void addSeeds(const Field& seed, std::int64_t planned, Changes& changes) {
    std::vector<std::int64_t> values = {planned - 1, planned + 1};
    values.insert(values.end(), std::begin(kSeeds), std::end(kSeeds));
    std::set<std::int64_t> known = {planned};
    for (const std::int64_t value : values) {
      if (value >= seed.min && value <= seed.max && known.insert(value).second) changes.push_back({&seed, value});
    }
  }

  /// Whether the plan with these changes has every batch that was kept.
  bool has(const Changes& changes) {
    const std::int64_t size = std::max<std::int64_t>(1, plan_.spec().dataset.size);
    if (tried_ >= std::max(kFewestSpecs, kMostDrawn / size) || work_.stopped()) return false;
    ++tried_;
    PipelineSpec spec = plan_.spec();
    for (const Change& change : changes) setValue(spec, *change.field, change.value);
    const auto other = Plan::make(spec);
    return other && hasAll(*other, batches_.places()) && hasAll(*other, batches_.rightPlaces());
  }

  [[nodiscard]] bool hasAll(const Plan& plan, const WrongBatches::Places& places) const {
    return std::ranges::all_of(places, [&](const auto& one) {
      const auto [epoch, rank] = one.first;
      if (epoch >= plan.epochs() || rank >= plan.worldSize()) return false;
      const auto slice = plan.rankEpoch(Epoch{epoch}, Rank{rank}, work_);
      return slice && holds(*slice, one.second);
    });
  }

  const Plan& plan_;
  const WrongBatches& batches_;
  const RunShape& run_;
  const Work& work_;
  std::int64_t tried_ = 0;
};

std::int64_t countOf(const WrongBatches::Places& places) {
  std::int64_t count = 0;
  for (const auto& [place, kept] : places) count += static_cast<std::int64_t>(kept.size());
  return count;
}

/// By how many epochs later all that was found is, when that is the same everywhere and of each rank's own share.
std::int64_t epochsLater(const std::vector<Instead>& found) {
  if (found.empty()) return 0;
  const std::int64_t by = found.front().got_epoch - found.front().epoch;
  const bool is_all = std::ranges::all_of(
      found, [by](const Instead& one) { return one.rank == one.got_rank && one.got_epoch - one.epoch == by; });
  return is_all ? by : 0;
}

}  // namespace

void WrongBatches::add(std::int64_t rank, std::int64_t epoch, std::int64_t step, std::uint64_t fingerprint) {
  keep(places_, {epoch, rank}, {step, fingerprint});
}

void WrongBatches::addRight(std::int64_t rank, std::int64_t epoch, std::int64_t step, std::uint64_t fingerprint) {
  keep(right_, {epoch, rank}, {step, fingerprint});
}

bool holds(const RankEpoch& slice, const std::vector<WrongBatches::Wrong>& batches, std::int64_t later) {
  return std::ranges::all_of(batches, [&slice, later](const WrongBatches::Wrong& batch) {
    const std::int64_t there = batch.step + later;
    return there >= 0 && there < slice.batches() && slice.batchFingerprint(Step{there}) == batch.fingerprint;
  });
}

std::vector<Instead> findInstead(const Plan& plan, const WrongBatches& wrong, const Work& work) {
  Search search(plan, work);
  std::vector<Instead> found;
  std::size_t fruitless = 0;
  for (const auto& [place, wrongs] : wrong.places()) {
    if (work.stopped() || fruitless == kMostFruitless) break;
    if (auto one = search.of(place.second, place.first, wrongs)) {
      found.push_back(*one);
    } else {
      ++fruitless;
    }
  }
  return found;
}

std::string insteadText(const Plan& plan, const WrongBatches& wrong, const std::vector<Instead>& found) {
  std::vector<Instead> epochs;
  std::vector<Instead> shares;
  std::vector<std::string> sentences;
  for (const Instead& one : found) {
    const bool is_own = one.rank == one.got_rank;
    if (is_own && one.epoch != one.got_epoch) {
      epochs.push_back(one);
    } else if (!is_own && one.epoch == one.got_epoch) {
      shares.push_back(one);
    } else if (sentences.size() < kMostNamed) {
      sentences.push_back(
          is_own ? aheadOfPlan(one.rank, one.later, one.epoch)
                 : filled(worded("proof", "In epoch %1, rank %2 read the share that rank %3 has in epoch %4."),
                          std::to_string(one.epoch), std::to_string(one.rank), std::to_string(one.got_rank),
                          std::to_string(one.got_epoch)));
    }
  }
  if (!shares.empty()) sentences.insert(sentences.begin(), sharesText(plan, shares));
  if (!epochs.empty()) sentences.insert(sentences.begin(), epochsText(plan, wrong, epochs));
  return join(sentences, " ");
}

std::optional<std::vector<OtherValue>> findOtherSpec(const Plan& plan, const WrongBatches& batches, const RunShape& run,
                                                     const Work& work) {
  if (batches.places().empty() || countOf(batches.places()) + countOf(batches.rightPlaces()) < kFewestBatches)
    return std::nullopt;
  const auto changes = Candidates(plan, batches, run, work).find();
  if (!changes) return std::nullopt;
  std::vector<OtherValue> values;
  for (const Change& change : *changes) {
    const Value planned = getValue(plan.spec(), *change.field);
    if (planned != change.value)
      values.push_back({change.field->path, valueText(planned), valueText(change.value), change.field->is_seed});
  }
  return values;
}

std::string otherSpecText(const std::vector<OtherValue>& values, const std::vector<Instead>& found) {
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (const OtherValue& value : values)
    parts.push_back(filled(worded("proof", "%1 %2 instead of %3"), value.path, value.other, value.planned));
  const std::int64_t later = epochsLater(found);
  const bool is_seed = values.size() == 1 && values.front().is_seed;
  if (is_seed && later != 0 && values.front().other == std::to_string(std::stoll(values.front().planned) + later))
    return filled(
        worded("proof", "Each epoch got the order of %1: set_epoch was called with another number, or the job has %2."),
        shifted(later), parts.front());
  return filled(worded("proof", "All compared batches match the plan with %1."), join(parts, worded("proof", ", ")));
}

}  // namespace shardlens
