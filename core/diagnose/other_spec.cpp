// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/other_spec.h"

#include "core/diagnose/proof_words.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <set>
#include <utility>

namespace shardlens {
namespace {

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
    return std::all_of(places.begin(), places.end(), [&](const auto& one) {
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
  const bool is_all = std::all_of(found.begin(), found.end(), [by](const Instead& one) {
    return one.rank == one.got_rank && one.got_epoch - one.epoch == by;
  });
  return is_all ? by : 0;
}

}  // namespace

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
  for (const OtherValue& value : values) parts.push_back(words::valueInstead(value.path, value.other, value.planned));
  const std::int64_t later = epochsLater(found);
  const bool is_seed = values.size() == 1 && values.front().is_seed;
  if (is_seed && later != 0 && values.front().other == std::to_string(std::stoll(values.front().planned) + later))
    return words::epochsCountedOtherwise(later, parts.front());
  return words::matchesWith(parts);
}

}  // namespace shardlens
