// SPDX-License-Identifier: Apache-2.0
// What the findings say, on plans made for each of them. Their fixes are judged in audit_fix_test.cpp.
#include "core/audit/audit.h"
#include "core/audit/findings/facts.h"
#include "core/sampling/registry.h"
#include "core/spec/edit.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

#include <array>
#include <stop_token>

using namespace shardlens;
using test::find;
using test::need;
using test::reportOf;

namespace {

PipelineSpec job(std::int64_t size, std::int64_t nodes, std::int64_t ranks_per_node) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {nodes, ranks_per_node};
  spec.seeds.rule = "base+rank";
  return spec;
}

void set(PipelineSpec& spec, const std::string& key, Value value) {
  spec.sampler.parameters[key] = std::move(value);
}

}  // namespace

TEST_CASE("a healthy plan is proved so and has nothing else to say") {
  PipelineSpec spec = job(64, 2, 4);
  spec.loader.num_workers = 2;
  const AuditReport report = reportOf(spec);
  CHECK(report.count(Severity::Error) + report.count(Severity::Warning) == 0);
  for (const char* code : {"ok-lockstep", "ok-coverage", "ok-disjoint", "ok-reshuffled", "ok-seeds"})
    need(report, code);
  CHECK(need(report, "ok-lockstep").message == "All 8 ranks have 4 batches in every epoch.");
  CHECK(need(report, "ok-disjoint").message == "Counted sample by sample: all 8 ranks in every epoch.");
}

TEST_CASE("slices that nobody asks for are lost, and the cause is named") {
  PipelineSpec spec = job(64, 1, 4);
  set(spec, "num_replicas", std::int64_t{8});
  const Finding mismatch = need(reportOf(spec), "num-replicas-mismatch");
  CHECK(mismatch.severity == Severity::Error);
  CHECK(mismatch.title == "4 of 8 slices are never read");
  CHECK(mismatch.message ==
        "The sampler divides by 8, and the ranks ask for 4 slices: in every epoch, 32 of 64 samples reach no rank.");
  CHECK(mismatch.where.samples.size() == 32);

  spec = job(64, 2, 4);
  set(spec, "rank", std::string("local_rank"));
  const AuditReport local = reportOf(spec);
  CHECK(need(local, "samples-missing").where.field == "sampler.rank");
  CHECK(need(local, "ranks-share-samples").message ==
        "Pairs 0-4, 1-5, 2-6, 3-7 share all 8 samples: the sampler got local_rank, not rank.");
}

TEST_CASE("many nodes with the same slices are told by one group and a count") {
  PipelineSpec spec = job(8000, 16, 8);
  set(spec, "num_replicas", std::string("ranks_per_node"));
  set(spec, "rank", std::string("local_rank"));
  const Finding shared = need(reportOf(spec), "ranks-share-samples");
  CHECK(shared.title == "16 nodes read the same slices");
  CHECK(shared.message ==
        "Ranks 0, 8, 16, 24, 32, 40, 48, 56 and 8 more, and those of 7 more groups, share all 1\u202f000 samples: the "
        "sampler divides "
        "by 8.");
  CHECK(shared.why.find("really 16, not 256") != std::string::npos);
  CHECK(shared.where.ranks.size() == 128);
}

TEST_CASE("ranks that share one or two samples are told in the singular and as both") {
  PipelineSpec spec = job(2, 1, 3);
  spec.sampler = {"torch.SequentialSampler", {}};
  CHECK(need(reportOf(spec), "ranks-identical-order").message.starts_with("Ranks 0 to 2 share both samples: "));
  spec.dataset.size = 1;
  CHECK(need(reportOf(spec), "ranks-identical-order").message.starts_with("Ranks 0 to 2 share their only sample: "));
}

TEST_CASE("the only rank without a sample is told in the singular") {
  PipelineSpec spec = job(0, 1, 1);
  CHECK(need(reportOf(spec), "empty-ranks").message == "The only rank gets 0 of 0 samples.");
  CHECK(need(reportOf(spec), "empty-ranks").is_of_waiting);
}

TEST_CASE("one rank a node with local_rank: everyone reads slice 0") {
  PipelineSpec spec = job(40, 4, 1);
  set(spec, "num_replicas", std::string("nodes"));
  set(spec, "rank", std::string("local_rank"));
  const AuditReport report = reportOf(spec);
  CHECK(need(report, "ranks-identical-order").title == "Every rank draws the same batches");
  CHECK_FALSE(need(report, "ranks-identical-order").is_of_waiting);
  CHECK(need(report, "samples-missing").title == "3 of 4 slices are never read");
}

TEST_CASE("padding and drops are counted with the ids that they hit") {
  PipelineSpec spec = job(10, 1, 4);
  const AuditReport padded = reportOf(spec);
  CHECK(need(padded, "padding-repeats").title == "2 items are padding");
  CHECK(need(padded, "padding-repeats").where.samples == padded.coverage[0].duplicated_ids);
  CHECK(padded.coverage[0].padding() == 2);

  set(spec, "drop_last", true);
  const AuditReport dropped = reportOf(spec);
  CHECK(dropped.coverage[0].missing_by[MissingCause::CutBySampler] == 2);
  CHECK(need(dropped, "samples-dropped-sampler").where.samples == dropped.coverage[0].missing_ids);
  CHECK(need(dropped, "samples-dropped-sampler").message ==
        "10 is not a multiple of 4: the last 2 samples of each epoch's order reach no rank.");

  set(spec, "set_epoch", false);
  CHECK(need(reportOf(spec), "samples-dropped-sampler")
            .message.ends_with(" 2 samples are never read in any of the 2 epochs."));

  spec = job(22, 1, 2);
  spec.loader.batch_size = 4;
  spec.loader.drop_last = true;
  CHECK(need(reportOf(spec), "samples-dropped-loader").message ==
        "Each rank's last batch has 3 of 4 samples: 6 samples per epoch go unused. 1 sample is never read in any of "
        "the 2 "
        "epochs.");
}

TEST_CASE("a dataset smaller than the world is told as that") {
  PipelineSpec spec = job(3, 1, 8);
  CHECK(need(reportOf(spec), "padding-repeats").message ==
        "3 samples cannot fill 8 slices: the sampler repeats them until each slice has one.");
  set(spec, "drop_last", true);
  const AuditReport report = reportOf(spec);
  CHECK(need(report, "empty-ranks").title == "No rank gets a sample");
  CHECK(find(report, "ok-lockstep") == nullptr);
  CHECK(need(reportOf(job(0, 1, 2)), "empty-ranks").title == "The dataset is empty");
}

TEST_CASE("who runs out first, at which step, and where the others wait") {
  const auto plan = Plan::make(job(64, 1, 4));
  REQUIRE(plan);
  auto report = audit(*plan);
  REQUIRE(report);
  report->findings.clear();
  auto shape = plan->epochShape(Epoch{0});
  REQUIRE(shape);
  const std::array batches = {100, 99, 100, 98};  // no sampler of torch gives ranks unequal counts
  for (std::size_t rank = 0; rank < batches.size(); ++rank) shape->ranks[rank].batches = batches[rank];
  const std::vector<AuditedEpoch> epochs(2, AuditedEpoch{*shape, true, {}});
  const Facts facts(*plan, epochs, 0, *plan->loaderCutsBatches(), *report, {});
  for (const FindingRule rule : findingRules()) rule(facts, report->findings);
  const Finding unequal = need(*report, "unequal-batches");
  CHECK(unequal.is_of_waiting);
  CHECK(unequal.severity == Severity::Error);
  CHECK(unequal.title == "Rank 3 runs out first");
  CHECK(unequal.message ==
        "Rank 3 has only 98 batches; the others have up to 100. Any collective in step 98 waits forever, or meets one "
        "of another step.");
  CHECK(
      unequal.why.ends_with("A script can also train under torch's Join (with Join([model]): ...), which answers DDP's "
                            "all-reduce, and no other collective, for ranks that have run out; in the last 2 steps "
                            "that rank, and any that run out later, add nothing to the gradients."));
  CHECK(unequal.where.step == 98);
  CHECK(find(*report, "ok-lockstep") == nullptr);
}

TEST_CASE("seeds: equal on all ranks, equal on all nodes, equal along rank + epoch") {
  PipelineSpec spec = job(64, 2, 2);
  spec.loader.num_workers = 2;
  spec.seeds = {42, "same"};
  CHECK(need(reportOf(spec), "seeds-collide-ranks").message ==
        "All 4 ranks seed torch with 42. Their 8 workers have 2 different streams.");
  CHECK(need(reportOf(spec), "seeds-collide-ranks")
            .why.ends_with("The order of the samples does not depend on these seeds."));
  PipelineSpec drawn = spec;
  drawn.sampler = {"torch.RandomSampler", {}};
  CHECK(need(reportOf(drawn), "seeds-collide-ranks").why.starts_with("Random augmentation and noise"));
  spec.seeds.rule = "base+local_rank";
  CHECK(need(reportOf(spec), "seeds-collide-nodes").title == "Both nodes draw the same random numbers");
  spec.seeds.rule = "base+rank+epoch";
  CHECK(need(reportOf(spec), "seeds-collide-epochs").message ==
        "Rank 1 in epoch 0 has the seed of rank 0 in epoch 1, and so on: there are only 5 different seeds for 8 pairs "
        "of rank and epoch.");
  CHECK(find(reportOf(spec), "ok-seeds") == nullptr);
}

TEST_CASE("workers whose base seeds fall together in 32 bits are found, and another base mends it") {
  PipelineSpec spec = job(4096, 512, 8);
  spec.loader.num_workers = 16;
  spec.epochs = 1;
  for (spec.seeds.base = 0; spec.seeds.base < 1'000'000; spec.seeds.base += 5000) {
    const auto plan = Plan::make(spec);
    REQUIRE(plan);
    const SeedTable table = seedTable(*plan, 1);
    CHECK(table.colliding_ranks == 0);
    if (table.colliding_workers == 0) continue;
    const Finding finding = need(reportOf(spec), "seeds-collide-workers");
    REQUIRE(finding.fix() != nullptr);
    CHECK(finding.fix()->edits[0].path == "seeds.base");
    return;
  }
  FAIL("no base of 200 makes two of 65 536 worker streams fall together");
}

TEST_CASE("counts beyond a byte and beyond 1024 ranks are cut, and it is said") {
  PipelineSpec spec = job(20, 300, 4);
  set(spec, "num_replicas", std::string("ranks_per_node"));
  set(spec, "rank", std::string("local_rank"));
  const AuditReport report = reportOf(spec);
  CHECK(report.coverage[0].times_seen.size() == 256);
  CHECK(report.coverage[0].times_seen[255] == 20);
  CHECK(report.coverage[0].handed_out == 6000);
  CHECK(report.ranks.size == kOverlapRanks);
  CHECK(need(report, "ranks-share-samples").message.ends_with("Only the first 1\u202f024 ranks were compared."));
}

TEST_CASE("a script that never seeds has no seeds to compare, and its own draws cannot be planned") {
  PipelineSpec spec = job(64, 1, 2);
  spec.loader.num_workers = 2;
  spec.seeds.rule = "unseeded";
  const AuditReport report = reportOf(spec);
  CHECK(report.seeds.rows.empty());
  CHECK(need(report, "never-seeded").severity == Severity::Info);
  for (const char* code : {"seeds-collide-ranks", "seeds-collide-workers", "ok-seeds"})
    CHECK(find(report, code) == nullptr);

  const Finding never = need(report, "never-seeded");
  REQUIRE(never.fix() != nullptr);
  CHECK(never.fix()->label == "Seed with 0 + rank");
  const auto mended = applyEdits(spec, never.fix()->edits, sampling::catalogue());
  REQUIRE(mended);
  CHECK(mended->seeds == PipelineSpec::Seeds{0, "base+rank"});

  for (const char* type : {"torch.RandomSampler", "torch.WeightedRandomSampler"}) {
    spec.sampler = {type, {}};
    const auto plan = Plan::make(spec);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().code == ErrorCode::Unsupported);
    CHECK(plan.error().place.field == "seeds.rule");
  }
}

TEST_CASE("a generator handed to the loader seeds the workers, whatever the script does") {
  PipelineSpec spec = job(64, 1, 2);
  spec.loader.num_workers = 3;
  spec.seeds.rule = "unseeded";
  spec.sampler = {"torch.RandomSampler", {{"generator", std::string("loader")}}};
  const AuditReport report = reportOf(spec);
  CHECK(report.seeds.rows.size() == 12);  // of two epochs
  CHECK(report.seeds.distinct_ranks == 0);
  CHECK(need(report, "seeds-collide-workers").message ==
        "6 workers have 3 different streams: every rank gives its loader a generator with the same seed.");
  CHECK(need(report, "never-seeded").title == "The script never seeds torch's global generator");
  CHECK(need(report, "never-seeded")
            .why.starts_with("The order of the samples does not depend on them, and the loader's generator fixes"));
}

TEST_CASE("what ranks beyond the compared ones read again is counted, too") {
  PipelineSpec spec = job(4096, 2, 1024);
  spec.loader.batch_size = 1;
  set(spec, "num_replicas", std::string("ranks_per_node"));
  set(spec, "rank", std::string("local_rank"));
  const AuditReport report = reportOf(spec, {.fixes = false});
  CHECK(need(report, "ranks-share-samples").message ==
        "In every epoch, 4\u202f096 of 8\u202f192 items repeat what another rank reads: every sample is read twice.");
  CHECK(need(report, "ranks-share-samples").why ==  // that their batches are equal was not compared
        "Each of these items takes time on its rank and adds no new sample to the epoch.");
  CHECK(find(report, "ok-disjoint") == nullptr);
}

TEST_CASE("a dataset that is divided twice, workers that read alike and no batch at all are errors") {
  PipelineSpec spec = job(1000, 1, 8);
  spec.loader.batch_size = 4;
  spec.sampler = {"accelerate.DataLoaderShard", {{"inner", std::string("torch.DistributedSampler")}}};
  CHECK(need(reportOf(spec, {.fixes = false}), "samples-divided-twice").severity == Severity::Error);

  spec = job(1000, 1, 1);
  spec.loader.batch_size = 10;
  spec.loader.num_workers = 4;
  spec.sampler = {"torch.IterableDataset", {}};
  const Finding workers = need(reportOf(spec, {.fixes = false}), "workers-duplicate");
  CHECK(workers.severity == Severity::Error);
  CHECK(workers.message.ends_with("every sample is read 4 times."));

  spec = job(2, 1, 2);
  spec.loader.batch_size = 4;
  spec.loader.drop_last = true;
  spec.sampler = {"torch.IterableDataset", {{"worker_split", std::string("stride")}}};
  CHECK(need(reportOf(spec, {.fixes = false}), "no-batches").severity == Severity::Error);
}

TEST_CASE("weights, lists and saved states are named as what leaves samples out") {
  PipelineSpec spec = job(16, 1, 1);
  spec.sampler = {"torch.WeightedRandomSampler", {{"weights", NumberList{1.0, 0.0}}, {"num_samples", std::int64_t{8}}}};
  const AuditReport weighted = reportOf(spec, {.fixes = false});
  CHECK(weighted.coverage[0].missing_by[MissingCause::WithoutWeight] == 14);
  CHECK(weighted.coverage[0].missing_by[MissingCause::WeightZero] == 1);
  CHECK(need(weighted, "samples-left-out").severity == Severity::Warning);

  spec.sampler = {"torchdata.StatefulDistributedSampler", {{"yielded", std::int64_t{6}}}};
  CHECK(reportOf(spec, {.fixes = false}).coverage[0].missing_by[MissingCause::HandedOutBefore] == 6);
}

TEST_CASE("a little padding is a remark, in an evaluation it is a warning; prediction may end apart") {
  PipelineSpec spec = job(1001, 1, 2);
  CHECK(need(reportOf(spec, {.fixes = false}), "padding-repeats").severity == Severity::Info);
  spec.framework.lightning.stage = "validate";
  CHECK(need(reportOf(spec, {.fixes = false}), "padding-repeats").severity == Severity::Warning);
  spec.framework.lightning.stage = "predict";
  spec.loader.batch_size = 1;
  spec.sampler = {"lightning.UnrepeatedDistributedSampler", {}};
  const Finding apart = need(reportOf(spec, {.fixes = false}), "unequal-batches");
  CHECK(apart.severity == Severity::Info);
  CHECK(apart.message.find("all-reduce") == std::string::npos);
}

TEST_CASE("an audit reports rising progress and stops where it is told to") {
  const auto plan = Plan::make(job(2'000'000, 1, 8));
  REQUIRE(plan);
  double last = 0;
  bool rising = true;
  Work work;
  work.report = [&](double fraction) {
    rising = rising && fraction >= last && fraction <= 1;
    last = fraction;
  };
  REQUIRE(audit(*plan, {}, work));
  CHECK(rising);
  CHECK(last == 1);

  std::stop_source source;
  double stopped_at = 2;
  work.stop = source.get_token();
  work.report = [&](double fraction) {
    if (fraction > 0.3 && source.request_stop()) stopped_at = fraction;
  };
  const auto stopped = audit(*plan, {}, work);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == ErrorCode::Cancelled);
  CHECK(stopped_at < 0.5);
}

TEST_CASE("what a sampler leaves out on purpose is told as that") {
  PipelineSpec spec = job(100, 1, 1);
  spec.sampler.type = "torch.RandomSampler";
  set(spec, "num_samples", std::int64_t{60});
  const AuditReport fewer = reportOf(spec);
  CHECK(need(fewer, "samples-left-out").message ==
        "In every epoch, 40 of 100 samples reach no rank: 40 were not drawn (num_samples is 60). 14 samples are never "
        "read in any of the 2 epochs.");
  CHECK(fewer.coverage[0].missing_by[MissingCause::CutBySampler] == 0);

  spec.sampler = {"torch.SubsetRandomSampler", {{"indices", IndexList{3, 1, 4}}}};
  CHECK(need(reportOf(spec), "samples-left-out").title == "97 samples are left out");
  spec.sampler.parameters.clear();
  CHECK(need(reportOf(spec), "empty-ranks").where.field == "sampler.indices");
}

TEST_CASE("a generator of one seed in every loader reaches all workers, whatever the ranks' seeds") {
  PipelineSpec spec = job(64, 1, 4);
  spec.sampler = {"torch.RandomSampler", {{"generator", std::string("loader")}}};
  spec.loader.num_workers = 2;
  const AuditReport report = reportOf(spec);
  CHECK(need(report, "seeds-collide-workers").where.field == "sampler.generator");
  CHECK(need(report, "seeds-collide-workers").message ==
        "8 workers have 2 different streams: every rank gives its loader a generator with the same seed.");
  CHECK(need(report, "ranks-identical-order").fix()->edits[0].path == "sampler.type");
}

TEST_CASE("seeding ranks apart keeps the common order of a sampler that permutes by torch's seed") {
  PipelineSpec spec = job(16, 1, 2);
  spec.seeds = {.base = 7, .rule = "same"};
  spec.sampler = {"accelerate.BatchSamplerShard", {{"use_seedable_sampler", true}}};
  const Finding finding = need(reportOf(spec), "seeds-collide-ranks");
  REQUIRE(finding.fix() != nullptr);
  const auto mended = applyEdits(spec, finding.fix()->edits, sampling::catalogue());
  REQUIRE(mended);
  const auto before = Plan::make(spec);
  const auto after = Plan::make(*mended);
  REQUIRE((before && after));
  for (const Rank rank : {Rank{0}, Rank{1}}) {
    CHECK(after->rankEpoch(Epoch{0}, rank)->fingerprint() == before->rankEpoch(Epoch{0}, rank)->fingerprint());
  }
  // The rule alone would tear the ranks apart.
  spec.seeds.rule = "base+rank";
  CHECK(Plan::make(spec)->rankEpoch(Epoch{0}, Rank{1})->fingerprint() !=
        before->rankEpoch(Epoch{0}, Rank{1})->fingerprint());
}

TEST_CASE("where each worker cuts batches, each drops its own short one, and len(loader) knows nothing of that") {
  PipelineSpec spec = job(46, 1, 1);
  spec.epochs = 1;
  spec.loader.batch_size = 8;
  spec.loader.num_workers = 3;
  spec.loader.drop_last = true;
  spec.sampler = {"torch.IterableDataset", {{"worker_split", std::string("stride")}}};
  AuditReport report = reportOf(spec, {.fixes = false});  // the workers have 16, 15 and 15
  CHECK(need(report, "samples-dropped-loader").message ==
        "2 of 3 workers drop a short batch of their own: 14 samples per epoch go unused. A batch sampler over the "
        "whole rank would drop 6.");
  CHECK(need(report, "samples-dropped-loader").why.starts_with("Each worker makes its own batches, so"));
  CHECK(need(report, "loader-length").title == "len(loader) says 5, but the rank has 4 batches");
  CHECK(need(report, "loader-length").message ==
        "If len(dataset) is 46, len(loader) divides it by batch_size and says 5. The 3 workers cut batches of their "
        "own: 4 batches.");
  spec.loader.drop_last = false;
  CHECK(find(reportOf(spec, {.fixes = false}), "loader-length") == nullptr);  // 2 + 2 + 2 of 46 / 8
  spec.loader.num_workers = 5;
  CHECK(need(reportOf(spec, {.fixes = false}), "loader-length").title ==
        "len(loader) says 6, but the rank has 10 batches");

  spec = job(100, 1, 2);
  spec.epochs = 1;
  spec.loader.batch_size = 8;
  spec.loader.num_workers = 3;
  spec.loader.drop_last = true;
  spec.sampler = {"torch.IterableDataset",
                  {{"world_split", std::string("stride")}, {"worker_split", std::string("stride")}}};
  report = reportOf(spec, {.fixes = false});  // 17, 17 and 16 on each rank
  CHECK(need(report, "samples-dropped-loader").message ==
        "4 of 6 workers drop a short batch of their own: 4 samples per epoch go unused. A batch sampler over each "
        "whole rank would drop 4 in all.");
  CHECK(find(report, "loader-length") == nullptr);
  spec.dataset.size = 102;
  report = reportOf(spec, {.fixes = false});
  CHECK(need(report, "samples-dropped-loader")
            .message.starts_with(
                "Each of the 3 workers of each rank drops its own short batch: 6 samples per epoch go unused."));
  spec.dataset.size = 126;  // 21 each: 2 + 2 + 2 batches of 63 / 8
  CHECK(need(reportOf(spec, {.fixes = false}), "loader-length").message ==
        "If len(dataset) is 63, len(loader) divides it by batch_size and says 7. The 3 workers of each rank cut "
        "batches of their own: 6 batches a rank.");
}

TEST_CASE("an epoch has the batches of a rank, and not those of all ranks together") {
  PipelineSpec spec = job(53'440, 2, 8);  // mosaicml/composer#3444, a thousandth of it
  spec.dataset.shards = IndexList(835, 64);
  spec.epochs = 1;
  spec.loader.batch_size = 64;
  spec.loader.num_workers = 8;
  spec.loader.drop_last = true;
  spec.sampler = {"streaming.StreamingDataset", {{"shuffle", true}}};
  const AuditReport report = reportOf(spec, {.fixes = false});
  CHECK(need(report, "ok-lockstep").message == "All 16 ranks have 52 batches in epoch 0.");
  CHECK(need(report, "samples-dropped-loader").amount == 192);
}

TEST_CASE("short batches of workers that all read the same are not summed up") {
  PipelineSpec spec = job(30, 1, 1);
  spec.epochs = 1;
  spec.loader.batch_size = 8;
  spec.loader.num_workers = 3;
  spec.loader.drop_last = true;
  spec.sampler = {"torch.IterableDataset", {}};
  CHECK(need(reportOf(spec, {.fixes = false}), "samples-dropped-loader").message ==
        "Each of the 3 workers drops its own short batch: 6 samples per epoch go unused.");
}

TEST_CASE("every framework whose workers cut batches says so where they drop some") {
  for (const char* type :
       {"torch.IterableDataset", "webdataset.WebDataset", "datasets.IterableDataset", "grain.IndexSampler"}) {
    CAPTURE(std::string(type));
    PipelineSpec spec = job(66, 1, 1);
    spec.dataset.shards = IndexList(6, 11);
    spec.loader.batch_size = 8;
    spec.loader.num_workers = 3;
    spec.loader.drop_last = true;
    spec.sampler = {type, {}};
    if (spec.sampler.type == "torch.IterableDataset") set(spec, "worker_split", std::string("contiguous"));
    CHECK(need(reportOf(spec, {.fixes = false}), "samples-dropped-loader")
              .message.starts_with("Each of the 3 workers drops its own short batch: 18 samples"));
  }
}

TEST_CASE("what each worker counts for itself is named, with the product") {
  PipelineSpec spec = job(8000, 1, 2);
  spec.dataset.shards = IndexList(200, 40);
  spec.loader.batch_size = 20;
  spec.loader.num_workers = 16;
  spec.sampler = {"webdataset.ResampledShards",
                  {{"nshards", std::string("endless")}, {"with_epoch", std::int64_t{400}}}};
  CHECK(need(reportOf(spec, {.fixes = false}), "counted-by-worker").message ==
        "sampler.with_epoch is 400, and each of the 16 workers of a rank counts to it by itself: 16 x 20 = 320 batches "
        "a rank.");
  spec.sampler.parameters = {{"nshards", std::int64_t{10}}};
  CHECK(need(reportOf(spec, {.fixes = false}), "counted-by-worker").message.find("16 x 20 = 320 batches a rank") !=
        std::string::npos);
  spec.loader.num_workers = 1;
  CHECK(find(reportOf(spec, {.fixes = false}), "counted-by-worker") == nullptr);

  spec.loader.num_workers = 2;
  spec.sampler = {"webdataset.WebDataset", {}};
  CHECK(find(reportOf(spec, {.fixes = false}), "counted-by-worker") == nullptr);
  set(spec, "with_epoch", std::int64_t{1000});  // of the 2 000 that each worker's shards hold
  const AuditReport report = reportOf(spec, {.fixes = false});
  CHECK(need(report, "counted-by-worker").message.find("2 x 50 = 100 batches a rank") != std::string::npos);
  CHECK(report.coverage[0].missing_by[MissingCause::NotDrawn] == 4000);
  set(spec, "with_epoch", std::int64_t{3000});
  CHECK(reportOf(spec, {.fixes = false}).coverage[0].repeats[RepeatCause::AnotherPass] == 4000);
}

TEST_CASE("nodes with different numbers of ranks: what is said of all nodes is said of none") {
  PipelineSpec spec = job(12, 1, 1);
  spec.world = {2, RanksPerNode({2, 1})};
  spec.seeds.rule = "base+local_rank";
  const Finding seeds = need(reportOf(spec), "seeds-collide-nodes");
  CHECK(seeds.title == "Ranks of different nodes draw the same random numbers");
  CHECK(seeds.where.ranks == std::vector<std::int64_t>{0, 2});

  set(spec, "num_replicas", std::string("ranks_per_node"));
  set(spec, "rank", std::string("local_rank"));
  const AuditReport by_node = reportOf(spec);  // rank 2 reads all that ranks 0 and 1 share
  CHECK(by_node.coverage[0].missing == 0);
  CHECK(by_node.coverage[0].repeats[RepeatCause::OverlappingRanks] == 12);
  CHECK(find(by_node, "ok-lockstep") == nullptr);

  set(spec, "num_replicas", std::string(kNodesTimesRanks));  // 4 on the first node, and 2 on the second
  const AuditReport report = reportOf(spec);
  const Finding lost = need(report, "samples-missing");
  CHECK(lost.title == "Ranks divide by different numbers");
  CHECK(lost.message.starts_with(
      "The sampler divides by 2 to 4, depending on the node: in every epoch, 3 of 12 samples reach no rank."));
  CHECK(report.coverage[0].missing == 3);
}
