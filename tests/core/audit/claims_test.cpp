// SPDX-License-Identifier: Apache-2.0
// Sentences name the epochs and the ranks for which they are true, and no others.
#include "core/audit/audit.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"
#include "core/sampling/starter.h"
#include "core/spec/edit.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string_view>

using namespace shardlens;
using test::find;

namespace {

PipelineSpec specOf(std::int64_t size, std::int64_t ranks, std::int64_t batch, std::int64_t epochs,
                    const std::string& sampler) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, ranks};
  spec.loader.batch_size = batch;
  spec.epochs = epochs;
  spec.sampler = {sampler, {}};
  spec.seeds.rule = "base+rank";
  return spec;
}

AuditReport reportOf(const PipelineSpec& spec) {
  return test::reportOf(spec, {.epochs = spec.epochs, .fixes = false});
}

Finding need(const PipelineSpec& spec, std::string_view code) {
  return test::need(reportOf(spec), code);
}

/// The epochs of "This is for epochs 0 to 2, and 4;" or of "This happens in epoch 3.", or all.
std::set<std::int64_t> namedEpochs(const std::string& message, std::int64_t epochs) {
  std::set<std::int64_t> named;
  std::smatch list;
  if (!std::regex_search(message, list, std::regex("This (?:is for|happens in) epochs? ([^;.]*)[;.]"))) {
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) named.insert(epoch);
    return named;
  }
  const std::string text = list[1];
  static const std::regex kRange("([0-9]+)( to ([0-9]+))?");
  for (std::sregex_iterator at(text.begin(), text.end(), kRange); at != std::sregex_iterator(); ++at) {
    const std::int64_t first = std::stoll((*at)[1]);
    const std::int64_t last = (*at)[3].matched ? std::stoll((*at)[3]) : first;
    for (std::int64_t epoch = first; epoch <= last; ++epoch) named.insert(epoch);
  }
  return named;
}

std::set<SampleIndex> samplesOf(const Plan& plan, std::int64_t epoch, std::int64_t rank) {
  const auto items = plan.rankEpoch(Epoch{epoch}, Rank{rank});
  REQUIRE(items);
  std::set<SampleIndex> samples;
  for (std::int64_t k = 0; k < items->handedOut(); ++k) samples.insert(items->sample(k));
  return samples;
}

}  // namespace

TEST_CASE("what two ranks share is so in each epoch that the sentence names") {
  static const std::regex kPair("ranks ([0-9]+) and ([0-9]+) share ([0-9]+) of ([0-9]+)");
  PipelineSpec spec = specOf(6, 4, 1, 4, "torch.RandomSampler");
  spec.sampler.parameters["num_samples"] = std::int64_t{3};
  int told = 0;
  for (spec.seeds.base = 0; spec.seeds.base < 30; ++spec.seeds.base) {
    CAPTURE(spec.seeds.base);
    const std::string message = need(spec, "ranks-overlap-partly").message;
    CAPTURE(message);
    std::smatch pair;
    REQUIRE(std::regex_search(message, pair, kPair));
    const auto plan = Plan::make(spec);
    for (const std::int64_t epoch : namedEpochs(message, spec.epochs)) {
      const auto a = samplesOf(*plan, epoch, std::stoll(pair[1]));
      const auto b = samplesOf(*plan, epoch, std::stoll(pair[2]));
      const auto shared = std::ranges::count_if(a, [&](SampleIndex id) { return b.contains(id); });
      CHECK(shared == std::stoll(pair[3]));
      CHECK(std::ssize(a) == std::stoll(pair[4]));
      ++told;
    }
  }
  CHECK(told > 30);
}

TEST_CASE("a loss that is the same in every epoch is told so, whatever else some epoch loses") {
  PipelineSpec spec = specOf(51, 4, 4, 5, "shardlens.DistributedTwoStreamBatchSampler");
  spec.sampler.parameters = {{"primary_indices", IndexList({32, 41, 16, 49, 40, 0,  41, 45, 44, 26, 15, 49, 1,  13, 42,
                                                            45, 39, 27, 19, 27, 16, 41, 5,  36, 28, 49, 14, 36, 4})},
                             {"secondary_indices", IndexList({27, 14, 11})},
                             {"secondary_batch_size", std::int64_t{1}},
                             {"seed", std::int64_t{8}}};
  spec.seeds = {1, "same"};
  CHECK(need(spec, "samples-left-out").message ==
        "In every epoch, 29 of 51 samples reach no rank for this reason: 29 are not among the sampler's indices. In "
        "all, 29 samples are never read in any of the 5 epochs.");
}

TEST_CASE("what a collective does after a rank without a sample is said of no certain rank") {
  PipelineSpec spec = specOf(9, 3, 2, 1, "webdataset.WebDataset");
  spec.dataset.shards = {8, 1};
  spec.loader.drop_last = true;
  spec.sampler.parameters["empty_check"] = false;
  CHECK(need(spec, "empty-ranks").message ==
        "Rank 2 has no sample. Any collective in step 0 waits forever, or meets one of another step.");
}

TEST_CASE("a dataset that makes no whole step is not said to be smaller than the world") {
  PipelineSpec spec = specOf(12, 3, 2, 1, "megatron.HybridCPMegatronPretrainingSampler");
  spec.sampler.parameters = {{"global_batch_size", std::int64_t{4}}, {"drop_last", false}};
  CHECK(need(spec, "empty-ranks").why == "These ranks stay in step, but the model must skip their empty batches.");
  const AuditReport report = reportOf(spec);
  CHECK(report.coverage[0].missing_by[MissingCause::NoWholeStep] == 12);
  CHECK(report.coverage[0].missing_by.total() == 12);
  CHECK(find(report, "samples-dropped-sampler") == nullptr);
  const Finding none = need(spec, "no-whole-step");
  CHECK(none.message ==
        "sampler.global_batch_size is 4, and one micro batch for each of 3 ranks takes 6 samples: in epoch 0, 12 of 12 "
        "samples reach no rank.");
  CHECK(none.where.field == "sampler.global_batch_size");
  spec = specOf(4, 3, 2, 1, "megatron.MegatronPretrainingSampler");
  spec.sampler.parameters["drop_last"] = true;
  CHECK(need(spec, "empty-ranks").why == "Samples that do not divide evenly are cut.");
}

TEST_CASE("ranks with short last batches are named, whoever cuts the batches") {
  PipelineSpec spec = specOf(11, 3, 2, 1, "megatron.MegatronPretrainingSampler");
  spec.sampler.parameters["drop_last"] = false;
  const Finding tail = need(spec, "short-last-batch");
  CHECK(tail.message == "On rank 2, it has 1 of 2 samples, in step 1.");
  CHECK(tail.where.ranks == std::vector<std::int64_t>{2});
  CHECK(tail.where.field == "sampler.drop_last");
  spec = specOf(10, 2, 2, 1, "torch.DistributedSampler");
  CHECK(need(spec, "short-last-batch").message == "On every rank, it has 1 of 2 samples, in step 2.");
  spec = specOf(11, 2, 2, 1, "webdataset.WebDataset");
  spec.dataset.shards = {6, 5};
  CHECK(need(spec, "short-last-batch").message == "On rank 1, it has 1 of 2 samples, in step 2.");
  spec.dataset.shards = {5, 6};
  CHECK(need(spec, "short-last-batch").message == "On rank 0, it has 1 of 2 samples, in step 2.");
}

TEST_CASE("batches that fill no optimizer step are counted, and only where every rank has them") {
  PipelineSpec spec = specOf(63 * 2, 2, 1, 1, "torch.DistributedSampler");
  CHECK(find(reportOf(spec), "rest-of-accumulation") == nullptr);
  spec.loader.gradient_accumulation_steps = 8;
  const Finding rest = need(spec, "rest-of-accumulation");
  CHECK(rest.message == "Each rank has 63 batches: 7 optimizer steps of 8, and 7 batches left over.");
  CHECK(rest.amount == 7);
  CHECK(rest.severity == Severity::Info);
  spec.loader.gradient_accumulation_steps = 100;
  CHECK(need(spec, "rest-of-accumulation").severity == Severity::Warning);
  spec.loader.gradient_accumulation_steps = 9;
  CHECK(find(reportOf(spec), "rest-of-accumulation") == nullptr);
  spec.sampler.type = "accelerate.BatchSamplerShard";  // whose loop steps at the end
  spec.loader.gradient_accumulation_steps = 100;
  CHECK(need(spec, "rest-of-accumulation").severity == Severity::Info);
  spec.loader.gradient_accumulation_steps = 8;
  spec.framework.lightning.stage = "validate";
  CHECK(find(reportOf(spec), "rest-of-accumulation") == nullptr);
}

TEST_CASE("batches that the sampler makes and drops are not said to be short") {
  PipelineSpec spec = specOf(6, 1, 2, 1, "mmdet.AspectRatioBatchSampler");
  spec.sampler.parameters["inner"] = std::string("sequential");
  spec.loader.drop_last = true;  // a tall and a wide one are left, which would be a whole batch
  const Finding lost = need(spec, "samples-dropped-loader");
  CHECK(lost.message == "The last batches are dropped: 2 samples per epoch go unused.");
  CHECK(lost.why == "The sampler makes the batches, and with drop_last it leaves out the last ones.");
}

TEST_CASE("a pair of ranks is named in each epoch in which it shares most") {
  static const std::regex kPair("ranks ([0-9]+) and ([0-9]+) share ([0-9]+) of ([0-9]+)");
  PipelineSpec spec = specOf(5, 5, 1, 5, "torch.RandomSampler");
  spec.sampler.parameters["num_samples"] = std::int64_t{3};
  for (spec.seeds.base = 0; spec.seeds.base < 60; ++spec.seeds.base) {
    if (spec.seeds.base == 30) spec.dataset.size = 3;  // the same samples, in few orders: some ranks are alike
    CAPTURE(spec.seeds.base);
    const std::string message = need(spec, "ranks-overlap-partly").message;
    CAPTURE(message);
    std::smatch told;
    REQUIRE(std::regex_search(message, told, kPair));
    const auto plan = Plan::make(spec);
    const auto named = namedEpochs(message, spec.epochs);
    for (std::int64_t epoch = 0; epoch < spec.epochs; ++epoch) {
      const auto overlap = rankOverlap(*plan, Epoch{epoch});
      REQUIRE(overlap);
      std::int64_t most = 0;
      std::int64_t sharing = 0;
      for (std::int64_t a = 0; a < 5; ++a) {
        for (std::int64_t b = a + 1; b < 5; ++b) {
          const auto twin = [&](std::int64_t rank) { return overlap->same_as[static_cast<std::size_t>(rank)]; };
          if (twin(a) != twin(b)) most = std::max(most, overlap->at(a, b));
          sharing += overlap->at(a, b) > 0 ? 1 : 0;
        }
      }
      const bool holds = overlap->at(std::stoll(told[1]), std::stoll(told[2])) == most && most == std::stoll(told[3]) &&
                         message.starts_with(std::to_string(sharing) + " of 10 pairs");
      CHECK(holds == named.contains(epoch));
    }
  }
}

TEST_CASE("another reason in another epoch is no other number") {
  PipelineSpec spec = specOf(8, 2, 2, 2, "megatron.HybridCPMegatronPretrainingSampler");
  spec.sampler.parameters = {{"global_batch_size", std::int64_t{3}}, {"consumed_samples", std::int64_t{2}}};
  const Finding empty = need(spec, "empty-ranks");
  CHECK(empty.message == "Each of 2 ranks gets 0 of 8 samples.");
  CHECK(empty.where.field == "sampler.global_batch_size");
}

TEST_CASE("all ranks of a finding are listed, however many they are") {
  PipelineSpec spec = specOf(1300, 1200, 1, 1, "lightning.UnrepeatedDistributedSampler");
  const Finding unequal = need(spec, "unequal-batches");
  REQUIRE(unequal.where.ranks.size() == 1100);
  CHECK(unequal.where.ranks.back() == 1199);
  CHECK_FALSE(unequal.where.compared_ranks);
  spec = specOf(1200, 1200, 1, 1, "torch.SequentialSampler");
  CHECK(need(spec, "ranks-identical-order").where.compared_ranks == 1024);
}

TEST_CASE("short batches of workers that are not the last of their rank are named") {
  PipelineSpec spec = specOf(13, 2, 2, 1, "webdataset.WebDataset");
  spec.dataset.shards = {3, 3, 3, 4};
  spec.loader.num_workers = 2;
  const AuditReport report = reportOf(spec);
  CHECK(find(report, "short-last-batch") == nullptr);
  const Finding* found = find(report, "short-batches");
  REQUIRE(found != nullptr);
  CHECK(found->title == "3 of 8 batches are short");
  CHECK(found->message ==
        "3 of 8 batches have fewer than 2 samples, and not only at the end: that of rank 0 in step 2 has 1.");
  CHECK(found->where.step == 2);
  spec.dataset.shards = {1, 1, 1, 1};
  spec.dataset.size = 4;
  CHECK(need(spec, "short-batches").title == "4 of 4 batches are short");
}

TEST_CASE("epochs with equal counts are told apart by the sizes of their batches") {
  PipelineSpec spec = specOf(23, 9, 2, 6, "fairseq.EpochBatchIterator");
  const Finding tail = need(spec, "short-last-batch");
  CAPTURE(tail.message);
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  REQUIRE_FALSE(tail.epochs.empty());
  REQUIRE(tail.where.ranks.size() == 1);
  for (const std::int64_t epoch : tail.epochs) {
    CAPTURE(epoch);
    const auto items = plan->rankEpoch(Epoch{epoch}, Rank{tail.where.ranks.front()});
    REQUIRE(items);
    CHECK(items->batch(Step{items->batches() - 1}).size() == 1);
  }
}

TEST_CASE("epochs whose batches end elsewhere are not the same, whatever their order") {
  PipelineSpec spec = specOf(3, 1, 4, 3, "datasets.IterableDataset");
  spec.dataset.shards = {0, 0, 2, 1, 0};
  spec.loader.num_workers = 2;
  spec.loader.persistent_workers = true;
  spec.sampler.parameters = {{"buffer_size", std::int64_t{1}}, {"seed", std::string("none")}};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto batches = [&](std::int64_t epoch) { return plan->rankEpoch(Epoch{epoch}, Rank{0})->batches(); };
  REQUIRE(batches(0) == 2);
  REQUIRE(batches(2) == 1);
  CHECK(reportOf(spec).epochs.same_as == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("epochs without a batch repeat nothing, also those that are not audited") {
  PipelineSpec spec = specOf(2, 6, 3, 7, "detectron2.GroupedBatchSampler");
  spec.world = {3, 2};
  spec.dataset.labels = {2, 1};
  spec.seeds.rule = "base+rank+epoch";
  spec.sampler.parameters["shuffle"] = true;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  for (const std::int64_t epoch : {0, 1, 3}) REQUIRE(plan->steps(Epoch{epoch}).value() == 0);
  const AuditReport later = test::reportOf(spec, {.first_epoch = 2, .epochs = 1, .fixes = false});
  CHECK(find(later, "epochs-repeat") == nullptr);
  CHECK(find(later, "ok-reshuffled") == nullptr);
}

TEST_CASE("epochs that repeat each other are found where no audited one hands anything out") {
  PipelineSpec spec = specOf(3, 1, 4, 3, "accelerate.BatchSamplerShard");
  spec.sampler.parameters = {{"use_seedable_sampler", true},
                             {"data_seed", std::int64_t{7}},
                             {"even_batches", false},
                             {"skip_first_batches", std::int64_t{4}}};
  const AuditReport first = test::reportOf(spec, {.epochs = 1, .fixes = false});
  REQUIRE(first.coverage.front().handed_out == 0);
  CHECK(test::need(first, "epochs-repeat").message ==
        "Epoch 2 repeats the batches of an earlier epoch; all 3 epochs were compared.");
}

TEST_CASE("epochs with equal numbers are told as one, however often each sample is read") {
  PipelineSpec spec = specOf(2, 8, 1, 5, "lightning.UnrepeatedDistributedSamplerWrapper");
  spec.seeds.rule = "same";
  spec.sampler.parameters = {{"inner", std::string("random")},
                             {"num_samples", std::int64_t{8}},
                             {"replacement", true},
                             {"generator", std::string("loader")},
                             {"generator_seed", std::int64_t{42}}};
  const AuditReport report = test::reportOf(spec, {.epochs = 2, .fixes = false});
  REQUIRE(report.coverage[0].times_seen != report.coverage[1].times_seen);  // 6 and 2 times; 4 times each
  CHECK(test::need(report, "samples-repeated").message ==
        "In epochs 0 and 1 of 5, 6 of 8 items repeat samples: 6 by drawing with replacement; 2 samples are read more "
        "than once.");
}

TEST_CASE("padding is set aside only where ranks share it") {
  PipelineSpec spec = specOf(100, 2, 8, 2, "accelerate.DataLoaderShard");
  spec.seeds.rule = "same";
  spec.sampler.parameters = {{"inner", std::string("torch.DistributedSampler")}, {"shuffle", false}};
  const Finding apart = need(spec, "ok-disjoint");  // each rank fills its last batch with samples of its own
  CHECK(apart.title == "No two ranks share a sample");
  CHECK(apart.message == "1 pair compared: both ranks in every epoch.");
}

TEST_CASE("what ranks share by chance is told of the epochs in which it was counted") {
  PipelineSpec spec = specOf(8, 2, 2, 6, "torch.RandomSampler");
  const auto told = [&](const char* code) {
    return test::need(test::reportOf(spec, {.epochs = 1, .fixes = false}), code).message;
  };
  spec.loader.batch_size = 3;
  spec.loader.drop_last = true;
  CHECK(told("samples-dropped-loader").ends_with(": 1 sample goes unused in epoch 0 of 6."));
  spec.loader = {};
  spec.sampler.parameters["replacement"] = true;
  CHECK(told("ranks-overlap-partly").ends_with("share 3 of 5. This was counted in epoch 0 of 6."));
  spec.sampler.type = "torch.WeightedRandomSampler";
  spec.seeds.rule = "same";
  CHECK(told("ranks-identical-order").ends_with(" This was counted in epoch 0 of 6."));
}

TEST_CASE("workers are idle only if no audited epoch has a batch for them") {
  PipelineSpec spec = specOf(12, 2, 2, 3, "torchdata.StatefulDistributedSampler");
  spec.sampler.parameters["yielded"] = std::int64_t{4};
  spec.loader.num_workers = 2;
  CHECK(find(reportOf(spec), "idle-workers") == nullptr);
  spec.loader.num_workers = 5;
  const Finding idle = need(spec, "idle-workers");
  CHECK(idle.title == "2 of 5 workers never load a batch");
  CHECK(idle.message == "Each rank has at most 3 batches per epoch, and batch i goes to worker i mod 5.");
}

TEST_CASE("what a sampler adds is no order of the dataset") {
  PipelineSpec spec = specOf(5, 2, 2, 2, "torch.DistributedSampler");
  spec.sampler.parameters["shuffle"] = false;
  CHECK(need(spec, "not-shuffled").message ==
        "Epochs 0 and 1 have the same batches, in the order of the dataset except for what the sampler adds.");
  spec.dataset.size = 6;
  CHECK(need(spec, "not-shuffled").message == "Epochs 0 and 1 have the same batches, in the order of the dataset.");
}

TEST_CASE("the global batch counts ranks that read the same once, whatever their seeds") {
  PipelineSpec spec = specOf(23, 6, 5, 1, "torch.SubsetRandomSampler");
  spec.world = {3, 2};
  spec.seeds = {0, "base+local_rank"};
  spec.sampler.parameters["indices"] = IndexList({21});
  CHECK(need(spec, "ranks-share-samples").why.find("The global batch is really 1, not 6.") != std::string::npos);
}

TEST_CASE("ranks without samples are told the cause that left them none") {
  PipelineSpec cut = specOf(5, 6, 8, 2, "accelerate.BatchSamplerShard");
  cut.loader.drop_last = true;
  const Finding empty = need(cut, "empty-ranks");
  CHECK(empty.where.field == "loader.drop_last");
  CHECK(empty.why == "loader.drop_last discards samples that do not fill a batch on every rank.");

  const Finding few = need(specOf(3, 4, 1, 2, "detectron2.InferenceSampler"), "empty-ranks");
  CHECK(few.why == "There are fewer samples than slices.");

  PipelineSpec groups = specOf(7, 4, 2, 1, "accelerate.BatchSamplerShard");
  groups.loader.drop_last = true;
  groups.sampler.parameters["even_batches"] = false;
  CHECK(need(groups, "empty-ranks").why == "loader.drop_last discards samples that do not fill a batch on every rank.");

  PipelineSpec consumed = specOf(14, 4, 16, 2, "megatron.MegatronPretrainingSampler");
  consumed.sampler.parameters["consumed_samples"] = std::int64_t{9};
  CHECK(need(consumed, "empty-ranks").where.field == "sampler.drop_last");

  PipelineSpec few_left = specOf(5, 12, 16, 1, "megatron.HybridCPMegatronPretrainingSampler");
  few_left.sampler.parameters["consumed_samples"] = std::int64_t{2};
  few_left.sampler.parameters["global_batch_size"] = std::int64_t{192};
  few_left.sampler.parameters["drop_last"] = false;
  const Finding left = need(few_left, "empty-ranks");
  CHECK(left.why.find("read before") == std::string::npos);

  PipelineSpec shards = specOf(83, 12, 4, 1, "webdataset.WebDataset");
  shards.dataset.shards = {17, 17, 17, 16, 16};
  shards.sampler.parameters["empty_check"] = false;
  CHECK(need(shards, "empty-ranks").why == "The sampler deals these ranks nothing: look at sampler.type.");
  shards.world = {1, 6};
  CHECK(need(shards, "empty-ranks").why == "The sampler deals this rank nothing: look at sampler.type.");
}

TEST_CASE("reasons say no more than was counted") {
  const PipelineSpec same = specOf(8, 2, 2, 1, "torch.SequentialSampler");  // dropout may differ: base+rank
  CHECK(need(same, "ranks-identical-order").why.starts_with("Without dropout or other randomness"));
  CHECK(need(same, "ok-lockstep").why == "Every step has a batch on every rank.");
  PipelineSpec uneven = specOf(12, 2, 2, 1, "webdataset.WebDataset");
  uneven.dataset.shards = {8, 4};
  CHECK(need(uneven, "unequal-batches").why.find("makes no further step in that epoch.") != std::string::npos);
}

TEST_CASE("ranks are said to run out later only where some do") {
  PipelineSpec two = specOf(12, 2, 2, 1, "webdataset.WebDataset");
  two.dataset.shards = {8, 4};
  CHECK(need(two, "unequal-batches").why.ends_with("in the last 2 steps that rank adds nothing to the gradients."));
  PipelineSpec three = specOf(18, 3, 2, 1, "webdataset.WebDataset");
  three.dataset.shards = {8, 6, 4};
  CHECK(need(three, "unequal-batches").why.find("that rank, and any that run out later, add") != std::string::npos);
}

TEST_CASE("one rank is not said to be padded for the sake of others") {
  PipelineSpec spec = specOf(2, 1, 1, 1, "streaming.StreamingDataset");
  spec.dataset.shards = {2};
  spec.sampler.parameters["num_canonical_nodes"] = std::int64_t{64};
  spec.sampler.parameters["partition_algo"] = std::string("orig");
  CHECK(need(spec, "padding-repeats").message == "The sampler adds 62 items that repeat samples.");
}

TEST_CASE("a list that is said to be unused changes no batch of any sampler") {
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    const PipelineSpec bare = sampling::exampleSpec(rule.info.type);
    const auto filled = applyEdits(bare, sampling::starterEdits(bare), sampling::catalogue());
    REQUIRE(filled);
    PipelineSpec with_lists = *filled;
    const std::set<std::string> reads(rule.info.reads.begin(), rule.info.reads.end());
    if (!reads.contains("dataset.shards")) with_lists.dataset.shards = {9, 7};
    if (!reads.contains("dataset.lengths")) with_lists.dataset.lengths = IndexList(std::size_t{16}, std::int64_t{3});
    if (!reads.contains("dataset.labels")) with_lists.dataset.labels = {0, 1, 2, 3, 0, 1, 2, 3, 3, 2, 1, 0, 3, 2, 1, 0};
    const auto plain = Plan::make(*filled);
    const auto listed = Plan::make(with_lists);
    REQUIRE(plain);
    REQUIRE(listed);
    for (Rank rank{0}; rank.value < plain->worldSize(); ++rank) {
      const auto one = plain->rankEpoch(Epoch{0}, rank);
      const auto other = listed->rankEpoch(Epoch{0}, rank);
      REQUIRE(one);
      REQUIRE(other);
      REQUIRE(one->batches() == other->batches());
      for (Step step{0}; step.value < one->batches(); ++step)
        CHECK(one->batchSamples(step) == other->batchSamples(step));
    }
    const auto report = audit(*listed, {.fixes = false});
    REQUIRE(report);
    const Finding* finding = find(*report, "unused-list");
    REQUIRE(finding != nullptr);
    for (const std::string field : {"dataset.shards", "dataset.lengths", "dataset.labels"})
      CHECK((finding->title.find(field) != std::string::npos) == !reads.contains(field));
    const auto without = audit(*plain, {.fixes = false});
    REQUIRE(without);
    CHECK(find(*without, "unused-list") == nullptr);
  }
}
