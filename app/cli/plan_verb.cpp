// SPDX-License-Identifier: Apache-2.0
// shardlens plan SPEC [--epoch E] [--rank R] [--format text|json|csv]. Writes as it goes: a plan may be larger than
// memory.
#include "app/cli/load.h"
#include "app/cli/verb.h"
#include "core/base/text.h"

#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>

namespace shardlens::cli {
namespace {

struct Options {
  std::string spec;
  std::int64_t epoch = -1;
  std::int64_t rank = -1;
  std::string format = "text";
};

/// One way to write a plan; called epoch by epoch, rank by rank.
struct Writer {
  virtual ~Writer() = default;
  virtual void begin(const Plan& plan) = 0;
  virtual void beginEpoch(Epoch epoch) = 0;
  virtual void rank(const RankEpoch& rank) = 0;
  virtual void endEpoch() = 0;
  virtual void end() = 0;
};

struct TextWriter : Writer {
  void begin(const Plan& plan) override {
    const PipelineSpec& spec = plan.spec();
    std::printf("%s: %s, %s (%s x %s), batch %" PRId64 ", %s\n", spec.name.c_str(),
                counted(spec.dataset.size, "sample").c_str(), counted(spec.worldSize(), "rank").c_str(),
                grouped(spec.world.nodes).c_str(), grouped(spec.world.ranks_per_node).c_str(), spec.loader.batch_size,
                spec.sampler.type.c_str());
  }
  void beginEpoch(Epoch epoch) override { std::printf("\nepoch %" PRId64 "\n", epoch.value); }
  void rank(const RankEpoch& rank) override {
    std::printf("  rank %" PRId64 "  fingerprint %s\n", rank.rank().value, fingerprintText(rank.fingerprint()).c_str());
    for (Step step{0}; step.value < rank.batches(); ++step) batch(rank, step);
  }
  static void batch(const RankEpoch& rank, Step step) {
    std::printf("    step %-6" PRId64, step.value);
    if (const std::int64_t worker = rank.worker(step); worker >= 0) std::printf(" worker %-3" PRId64, worker);
    const RankEpoch::Range range = rank.batch(step);
    for (std::int64_t k = range.first; k < range.last; ++k) {
      std::printf(" %" PRId64 "%s", rank.sample(k), rank.isPadding(k) ? "+" : "");
      padding = padding || rank.isPadding(k);
    }
    std::printf("\n");
  }
  void endEpoch() override {}
  void end() override {
    if (padding) std::printf("\n+ marks padding: a sample repeated so that the order divides evenly\n");
  }
  static inline bool padding = false;
};

struct JsonWriter : Writer {
  void begin(const Plan& plan) override {
    std::printf("{\"world_size\": %" PRId64 ", \"epochs\": [", plan.worldSize());
  }
  void beginEpoch(Epoch epoch) override {
    std::printf("%s\n{\"epoch\": %" PRId64 ", \"ranks\": [", first_epoch_ ? "" : ",", epoch.value);
    first_epoch_ = false;
    first_rank_ = true;
  }
  void rank(const RankEpoch& rank) override {
    std::printf("%s\n{\"rank\": %" PRId64 ", \"batches\": [", first_rank_ ? "" : ",", rank.rank().value);
    first_rank_ = false;
    for (Step step{0}; step.value < rank.batches(); ++step) batch(rank, step);
    std::printf("], \"fingerprint\": \"%s\"}", fingerprintText(rank.fingerprint()).c_str());
  }
  static void batch(const RankEpoch& rank, Step step) {
    std::printf("%s[", step.value > 0 ? ", " : "");
    const RankEpoch::Range range = rank.batch(step);
    for (std::int64_t k = range.first; k < range.last; ++k) {
      std::printf("%s%" PRId64, k > range.first ? ", " : "", rank.sample(k));
    }
    std::printf("]");
  }
  void endEpoch() override { std::printf("]}"); }
  void end() override { std::printf("]}\n"); }

 private:
  bool first_epoch_ = true;
  bool first_rank_ = true;
};

struct CsvWriter : Writer {
  void begin(const Plan& /*plan*/) override { std::printf("epoch,rank,step,worker,item,position,sample,padding\n"); }
  void beginEpoch(Epoch /*epoch*/) override {}
  void rank(const RankEpoch& rank) override {
    for (Step step{0}; step.value < rank.batches(); ++step) {
      const RankEpoch::Range range = rank.batch(step);
      for (std::int64_t k = range.first; k < range.last; ++k) {
        std::printf("%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%d\n",
                    rank.epoch().value, rank.rank().value, step.value, rank.worker(step), k - range.first,
                    rank.position(k), rank.sample(k), rank.isPadding(k) ? 1 : 0);
      }
    }
  }
  void endEpoch() override {}
  void end() override {}
};

std::unique_ptr<Writer> writerOf(const std::string& format) {
  if (format == "json") return std::make_unique<JsonWriter>();
  if (format == "csv") return std::make_unique<CsvWriter>();
  return std::make_unique<TextWriter>();
}

Result<void> writePlan(const Plan& plan, const Options& options, Writer& writer) {
  const std::int64_t last_epoch = options.epoch >= 0 ? options.epoch : plan.epochs() - 1;
  const std::int64_t last_rank = options.rank >= 0 ? options.rank : plan.worldSize() - 1;
  writer.begin(plan);
  for (Epoch epoch{options.epoch >= 0 ? options.epoch : 0}; epoch.value <= last_epoch; ++epoch) {
    writer.beginEpoch(epoch);
    for (Rank rank{options.rank >= 0 ? options.rank : 0}; rank.value <= last_rank; ++rank) {
      const auto rank_epoch = plan.rankEpoch(epoch, rank);
      if (!rank_epoch) return rank_epoch.error();
      writer.rank(*rank_epoch);
    }
    writer.endEpoch();
  }
  writer.end();
  return {};
}

int run(const Options& options) {
  const auto loaded = loadPlan(options.spec);
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(*issues);
  const Plan& plan = std::get<Plan>(loaded);
  if (auto range = checkRange(plan, options.epoch, options.rank); !range) return fail(range.error());
  const auto written = writePlan(plan, options, *writerOf(options.format));
  return written ? kFine : fail(written.error());
}

}  // namespace

void addPlan(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("plan", "Who gets which sample: the batches of every rank");
  verb->add_option("SPEC", options->spec, "the spec file")->required();
  verb->add_option("--epoch", options->epoch, "one epoch only")->check(CLI::NonNegativeNumber);
  verb->add_option("--rank", options->rank, "one rank only")->check(CLI::NonNegativeNumber);
  verb->add_option("--format", options->format, "text, json or csv")->check(CLI::IsMember({"text", "json", "csv"}));
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace shardlens::cli
