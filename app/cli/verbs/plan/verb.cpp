// SPDX-License-Identifier: Apache-2.0
// shardlens plan SPEC [--epoch E] [--rank R] [--step N] [--format text|json|csv]. Writes as it goes: a plan may be
// larger than memory.
#include "app/cli/verb.h"

#include "app/cli/load.h"
#include "core/base/text.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace shardlens::cli {
namespace {

struct PlanArgs {
  std::string spec;
  std::string loader;
  std::string format = "text";
  bool quiet = false;
  std::optional<std::int64_t> epoch;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> step;
};

/// A half-open range of numbers: all, or the one chosen.
struct Numbers {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

Numbers chosen(const std::optional<std::int64_t>& one, std::int64_t count) {
  return one ? Numbers{*one, *one + 1} : Numbers{0, count};
}

/// What stands above the batches.
struct Head {
  std::string name;
  std::int64_t samples = 0;
  std::int64_t world_size = 1;
  ParallelGroups groups;
  std::string sampler;
  std::int64_t batch_size = 0;  ///< 0: there is none
  std::int64_t num_workers = 0;
  std::optional<Numbers> batches;  ///< of each rank and epoch, those of one optimizer step; absent: all are written
  bool steps_at_end = false;       ///< the loop takes a smaller optimizer step where the epoch ends inside one

  /// Of a rank with `count` batches.
  [[nodiscard]] Numbers written(std::int64_t count) const {
    return batches ? Numbers{std::min(batches->first, count), std::min(batches->last, count)} : Numbers{0, count};
  }
  /// Whether they fill no optimizer step of such a rank, and its loop need not take one with them.
  [[nodiscard]] bool areLeftOver(std::int64_t count) const {
    return batches && !steps_at_end && batches->first < count && count < batches->last;
  }
};

/// Batches of the optimizer step that is asked for, counted from 0 in each epoch.
Result<std::optional<Numbers>> batchesOf(const PipelineSpec& spec, const PlanArgs& options) {
  if (!options.step) return std::optional<Numbers>();
  const auto per_step = batchesPerStep(spec, options.spec);
  if (!per_step) return per_step.error();
  const std::int64_t step = std::min(*options.step, std::numeric_limits<std::int64_t>::max() / *per_step - 1);
  return std::optional(Numbers{step * *per_step, (step + 1) * *per_step});
}

Head headOf(const PipelineSpec& spec, const std::optional<Numbers>& batches) {
  const bool is_recorded = spec.sampler.type == sampling::kRecordedBatches;  // each batch has a size of its own
  return {spec.name,
          spec.dataset.size,
          spec.worldSize(),
          spec.world.groups,
          sampling::samplerName(spec.sampler.type),
          is_recorded ? 0 : spec.loader.batch_size,
          spec.loader.num_workers,
          batches,
          sampling::stepsAtEnd(spec)};
}

/// How one kind of text is written; all parts come in order, rank by rank.
class PlanWriter {
 public:
  explicit PlanWriter(Output& out) : out_(out) {}
  PlanWriter(const PlanWriter&) = delete;
  PlanWriter& operator=(const PlanWriter&) = delete;
  virtual ~PlanWriter() = default;

  virtual void begin(const Head& head) = 0;
  virtual void beginEpoch(Epoch epoch) = 0;
  virtual void rank(const RankEpoch& rank) = 0;
  virtual void endEpoch() = 0;
  virtual void end() = 0;

 protected:
  Output& out_;
  Head head_;
};

class JsonWriter : public PlanWriter {
 public:
  using PlanWriter::PlanWriter;
  void begin(const Head& head) override {
    head_ = head;
    out_ << "{\"world_size\": " << head.world_size << ", \"epochs\": [";
  }
  void beginEpoch(Epoch epoch) override {
    out_ << (first_epoch_ ? "\n" : ",\n") << " {\"epoch\": " << epoch.value << ", \"ranks\": [";
    first_epoch_ = false;
    first_rank_ = true;
  }
  void rank(const RankEpoch& rank) override {
    out_ << (first_rank_ ? "\n" : ",\n") << "  {\"rank\": " << rank.rank().value;
    if (head_.groups.any()) coordinates(rank.rank());
    const Numbers steps = head_.written(rank.batches());
    if (head_.batches) out_ << ", \"first_batch\": " << steps.first;
    if (head_.areLeftOver(rank.batches())) out_ << ", \"left_over\": true";
    out_ << ", \"batches\": [";
    first_rank_ = false;
    for (Step step{steps.first}; step.value < steps.last; ++step) batch(rank, step, steps.first);
    out_ << "], \"padding\": [";
    padding(rank);
    out_ << "], \"fingerprint\": \"" << fingerprintText(rank.fingerprint()) << "\"}";
  }
  void endEpoch() override { out_ << "]}"; }
  void end() override { out_ << "]}\n"; }

 private:
  void coordinates(Rank rank) {
    const RankCoordinates at = head_.groups.coordinatesOf(rank, head_.world_size);
    const char* separator = ", \"coordinates\": {\"";
    const auto write = [&](Parallelism along) {
      out_ << separator << nameOf(along) << "\": " << at[along];
      separator = ", \"";
    };
    std::ranges::for_each(kParallelisms, write);
    if (head_.groups.hasExperts()) std::ranges::for_each(kExpertParallelisms, write);
    out_ << "}";
  }
  void batch(const RankEpoch& rank, Step step, std::int64_t first) {
    out_ << (step.value == first ? "[" : ", [");
    const RankEpoch::Range items = rank.batch(step);
    for (std::int64_t k = items.first; k < items.last; ++k) {
      if (k > items.first) out_ << ", ";
      out_ << rank.sample(k);
    }
    out_ << "]";
  }
  void padding(const RankEpoch& rank) {
    bool is_first = true;
    const Numbers steps = head_.written(rank.batches());
    for (const std::int64_t k : rank.padding()) {
      const std::optional<Step> step = rank.stepOf(k);
      if (!step || step->value < steps.first || step->value >= steps.last) continue;
      out_ << (is_first ? "{\"step\": " : ", {\"step\": ") << step->value
           << ", \"item\": " << k - rank.batch(*step).first << "}";
      is_first = false;
    }
  }

  bool first_epoch_ = true;
  bool first_rank_ = true;
};

/// One row an item, so that any table program can group and pivot.
class CsvWriter : public PlanWriter {
 public:
  using PlanWriter::PlanWriter;
  void begin(const Head& head) override {
    head_ = head;
    out_ << "epoch,rank,step,worker,item,position,sample,padding\n";
  }
  void beginEpoch(Epoch /*epoch*/) override {}
  void rank(const RankEpoch& rank) override {
    const Numbers steps = head_.written(rank.batches());
    for (Step step{steps.first}; step.value < steps.last; ++step) {
      const RankEpoch::Range items = rank.batch(step);
      for (std::int64_t k = items.first; k < items.last; ++k)
        out_ << rank.epoch().value << "," << rank.rank().value << "," << step.value << "," << rank.worker(step) << ","
             << k - items.first << "," << rank.position(k) << "," << rank.sample(k)
             << (rank.isPadding(k) ? ",1\n" : ",0\n");
    }
  }
  void endEpoch() override {}
  void end() override {}
};

class TextWriter : public PlanWriter {
 public:
  using PlanWriter::PlanWriter;
  void begin(const Head& head) override {
    head_ = head;
    width_ = std::to_string(head.samples).size();
    has_workers_ = head.num_workers > 0;
    out_ << oneLine(head.name) << ": " << counted(head.samples, "sample") << ", " << counted(head.world_size, "rank");
    if (hasGroups()) out_ << " (" << head.groups.text(head.world_size) << ")";
    out_ << ", " << oneLine(head.sampler);
    if (head.batch_size > 0) out_ << ", batch_size " << grouped(head.batch_size);
    out_ << "\n";
  }
  void beginEpoch(Epoch /*epoch*/) override {}
  void rank(const RankEpoch& rank) override {
    out_ << "\nepoch " << rank.epoch().value << ", rank " << rank.rank().value;
    if (hasGroups()) out_ << " (" << head_.groups.placesText(rank.rank(), head_.world_size) << ")";
    out_ << ": " << grouped(rank.batches()) << (rank.batches() == 1 ? " batch" : " batches") << ", fingerprint "
         << fingerprintText(rank.fingerprint()) << "\n";
    out_ << (has_workers_ ? "    step  worker  samples\n" : "    step  samples\n");
    const Numbers steps = head_.written(rank.batches());
    for (Step step{steps.first}; step.value < steps.last; ++step) batch(rank, step);
    if (steps.first == steps.last && head_.batches) out_ << "    none in this optimizer step\n";
    has_left_over_ = has_left_over_ || head_.areLeftOver(rank.batches());
  }
  void endEpoch() override {}
  void end() override {
    if (has_padding_)
      out_ << "\n+ marks padding: a sample of this epoch, repeated so that slices or batches come out even\n";
    if (has_left_over_)
      out_ << "\nleft over: the epoch ends before this optimizer step is full. A loop that steps only at full steps\n"
              "adds these gradients to the next epoch, or throws them away where zero_grad() comes first\n";
  }

 private:
  [[nodiscard]] bool hasGroups() const { return head_.groups.any(); }
  void batch(const RankEpoch& rank, Step step) {
    out_.padded(step.value, 8);
    if (has_workers_) out_.padded(rank.worker(step), 8);
    out_ << " ";
    const RankEpoch::Range items = rank.batch(step);
    for (std::int64_t k = items.first; k < items.last; ++k) {
      const bool padding = rank.isPadding(k);
      has_padding_ = has_padding_ || padding;
      out_ << " ";
      out_.padded(rank.sample(k), width_) << (padding ? "+" : k + 1 < items.last ? " " : "");
    }
    out_ << "\n";
  }

  std::size_t width_ = 1;
  bool has_workers_ = false;
  bool has_padding_ = false;
  bool has_left_over_ = false;
};

std::unique_ptr<PlanWriter> makeWriter(const std::string& format, Output& out) {
  if (format == "json") return std::make_unique<JsonWriter>(out);
  if (format == "csv") return std::make_unique<CsvWriter>(out);
  return std::make_unique<TextWriter>(out);
}

/// Work for the whole, of which this order is one: the orders are counted from 0.
struct Orders {
  Progress& progress;
  std::int64_t done = 0;
  std::int64_t all = 0;

  Work next() { return progress.part(done++, 1, all); }
};

Result<void> writeEpoch(const Plan& plan, Epoch epoch, const Numbers& ranks, Orders& orders, PlanWriter& writer) {
  const Result<FirstReadings> first = plan.firstReadings(epoch, {orders.progress.whole().stop, {}});
  if (!first) return first.error();
  writer.beginEpoch(epoch);
  for (std::int64_t rank = ranks.first; rank < ranks.last; ++rank) {
    const Result<RankEpoch> rank_epoch = plan.rankEpoch(epoch, Rank{rank}, orders.next());
    if (!rank_epoch) return rank_epoch.error();
    writer.rank(rank_epoch->withFirst(first->of(Rank{rank})));
  }
  writer.endEpoch();
  return {};
}

int writePlan(const LoadedPlan& spec, Progress& progress, const PlanArgs& options) {
  const Plan& plan = spec.plan;
  if (auto range = checkRange(plan.spec(), options.epoch, options.rank); !range) return fail(progress, range.error());
  const auto batches = batchesOf(plan.spec(), options);
  if (!batches) return fail(progress, batches.error());
  const auto out = std::make_unique<Output>(progress);
  const std::unique_ptr<PlanWriter> writer = makeWriter(options.format, *out);
  writer->begin(headOf(plan.spec(), *batches));
  const Numbers epochs = chosen(options.epoch, plan.epochs());
  const Numbers ranks = chosen(options.rank, plan.worldSize());
  Orders orders{progress, 0, (epochs.last - epochs.first) * (ranks.last - ranks.first)};
  for (std::int64_t epoch = epochs.first; epoch < epochs.last; ++epoch) {
    const auto written = writeEpoch(plan, Epoch{epoch}, ranks, orders, *writer);
    if (!written) return fail(progress, spec.placed(written.error()));
  }
  writer->end();
  return out->finish();
}

int run(const PlanArgs& options) {
  Progress progress(options.quiet);
  const auto loaded = loadPlan({options.spec, options.loader, false, false, true}, progress.whole());
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(progress, *issues);
  return writePlan(std::get<LoadedPlan>(loaded), progress, options);
}

}  // namespace

void addPlan(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<PlanArgs>();
  Arguments verb(app, "plan", "Prints the batches of every rank: who gets which sample");
  verb.add("SPEC", options->spec, "spec file, or a recording").required();
  addLoader(verb, options->loader);
  verb.add("--epoch", options->epoch, "only this epoch, counted from 0");
  verb.add("--rank", options->rank, "only this rank, counted from 0");
  verb.add("--step", options->step, "only the batches of this optimizer step, counted from 0 in each epoch")
      .notNegative();
  verb.addFormat(options->format, {"text", "json", "csv"});
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
