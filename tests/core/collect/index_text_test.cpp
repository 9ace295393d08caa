// SPDX-License-Identifier: Apache-2.0
// Batches that people print from their jobs, read in the forms that they print them in, and held against a plan.
#include "core/collect/index_text.h"

#include "core/collect/index_line.h"
#include "core/plan/plan.h"

#include <doctest/doctest.h>

#include <functional>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

using namespace shardlens;

namespace {

using Samples = std::vector<SampleIndex>;

IndexLine parsed(const std::string& line) {
  return parseIndexLine(line);
}

Plan shuffledPlan() {
  PipelineSpec spec;
  spec.dataset.size = 50;
  spec.world = {1, 3};
  spec.loader.batch_size = 4;
  spec.epochs = 2;
  spec.sampler = {"torch.DistributedSampler", {}};
  auto plan = Plan::make(spec);
  REQUIRE(plan);
  return *plan;
}

/// A line for each batch, rank after rank within a step, as ranks print into one log.
using Line = std::function<std::string(std::int64_t rank, std::int64_t epoch, std::int64_t step, const Samples& ids)>;

std::string joined(const Samples& ids, const std::string& between) {
  std::string text;
  for (const SampleIndex id : ids) text += (text.empty() ? "" : between) + std::to_string(id);
  return text;
}

std::string textOf(const Plan& plan, const Line& line) {
  std::string text;
  for (std::int64_t epoch = 0; epoch < plan.epochs(); ++epoch) {
    const auto ranks = plan.epoch(Epoch{epoch});
    REQUIRE(ranks);
    for (std::int64_t step = 0; step < 5; ++step) {
      for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) {
        const auto& one = ranks->ranks[static_cast<std::size_t>(rank)];
        if (step >= one.batches()) continue;
        const auto ids = one.batchSamples(Step{step});
        text += line(rank, epoch, step, Samples(ids.begin(), ids.end())) + "\n";
      }
    }
  }
  return text;
}

Result<Proof> proved(const Plan& plan, const std::string& text) {
  std::istringstream in(text);
  const auto read = readIndexText(in, "log.txt");
  if (!read) return read.error();
  return proveIndexText(plan, *read);
}

}  // namespace

TEST_CASE("a batch is read in the forms that people print") {
  for (const std::string line : {"rank 0 step 3: 12 7 9",
                                 "rank=0, step=3, ids=[12, 7, 9]",
                                 "[rank0] step 3 tensor([12, 7, 9])",
                                 "2026-01-02 10:11:12,345 INFO Rank: 0 | iter #3 | (12, 7, 9)",
                                 "step 3 rank 0 samples 12 7 9",
                                 "0 3 12 7 9",
                                 "[0] 3: 12, 7, 9",
                                 "0,3,12,7,9",
                                 "rank 0 loss 0.25 step 3 [12, 7, 9] took 12ms",
                                 "{'rank': 0, 'step': 3, 'lr': 1e-3} [12, 7, 9]",
                                 "[1,0]<stdout>:rank 0 step 3: 12 7 9",
                                 "[1234] rank 0 step 3 [12, 7, 9]",
                                 "rank 0 step 3 ids=[12, 7, 9] labels=[1, 0, 1]",
                                 "rank 0 step 3 [12, 7, 9] torch.Size([3])",
                                 "rank 0 step 3 tensor([12, 7, 9], device='cuda:0')",
                                 "rank 0 step 3 np.array([12, 7, 9], dtype=int64)",
                                 "rank 0 batch 3: [12, 7, 9]",
                                 "rank_0 step_3 [12, 7, 9]",
                                 "global_rank=0 local_rank=4 step=3 [12, 7, 9]",
                                 "\x1b[32mrank 0\x1b[0m step 3: 12 7 9",
                                 "{\"ids\": [12, 7, 9], \"rank\": 0, \"step\": 3, \"loss\": 0.5}",
                                 "Loading... rank 0 step 3: [12, 7, 9]",
                                 "rank 0 local rank 4 step 3 ids 12 7 9",
                                 "rank 0 step 3: [12, 7, 9], next step 4",
                                 "rank 0 step [3/100] sample_ids [12, 7, 9]",
                                 "rank 0 step 3 batch 8 ids 12 7 9"}) {
    CAPTURE(line);
    const IndexLine found = parsed(line);
    CHECK(found.isBatch());
    CHECK(found.rank.value_or(-1) == 0);
    CHECK(found.step.value_or(-1) == 3);
    CHECK(found.samples == Samples{12, 7, 9});
  }
  CHECK(parsed("rank 1 epoch 2 step 0: 5").epoch == 2);
  CHECK(parsed("rank 1 step 0: tensor([[1, 2], [3, 4]])").samples == Samples{1, 2, 3, 4});
}

TEST_CASE("what is no batch, or could be read in two ways, is none") {
  for (const std::string line : {"",
                                 "Loading data",
                                 "local_rank 0 step 3: 1 2",
                                 "rank 0: 1 2 3",
                                 "step 3: 1 2 3",
                                 "rank 0 step 3 loss 0.5",
                                 "rank 0 step 3: 1.5 2.5",
                                 "rank 0 step 3: -1 2",
                                 "rank -1 step 3: 4",
                                 "0 3",
                                 "0 3 12 x",
                                 "10:11:12",
                                 "rank 0 step 3: 99999999999999999999",
                                 "rank 0 step 3 took 12ms for [a, b]",
                                 "rank 0 step 3 samples 64",
                                 "rank 0 step 3 ids 12 7 (2 samples)",
                                 "rank 0 step 3 [1, 2] [3, 4] and [5]",
                                 "rank 0 step 0: 1 2 rank 1 step 0: 3 4",
                                 "rank 0 step 5: lost connection :(",
                                 "rank 0 step 3 [1, ..., 9]"}) {
    CAPTURE(line);
    CHECK_FALSE(parsed(line).isBatch());
  }
}

TEST_CASE("a printed plan is the plan, in every form") {
  const Plan plan = shuffledPlan();
  const std::vector<Line> forms = {
      [](auto rank, auto epoch, auto step, const Samples& ids) {
        return "rank " + std::to_string(rank) + " epoch " + std::to_string(epoch) + " step " + std::to_string(step) +
               ": " + joined(ids, " ");
      },
      [](auto rank, auto, auto step, const Samples& ids) {  // its epochs are counted
        return std::to_string(rank) + " " + std::to_string(step) + " " + joined(ids, " ");
      },
      [](auto rank, auto epoch, auto step, const Samples& ids) {  // as long tensors are printed
        return "[rank" + std::to_string(rank) + "] epoch=" + std::to_string(epoch) + " step=" + std::to_string(step) +
               " tensor([" + joined(ids, ",\n        ") + "])";
      },
  };
  for (const Line& form : forms) {
    const auto proof = proved(plan, textOf(plan, form));
    REQUIRE(proof);
    CAPTURE(proof->what);
    CHECK(proof->result == ProofResult::Match);
    CHECK(proof->checked_batches == proof->planned_batches);
  }
  const std::string table =
      "epoch,rank,step,ids\n" + textOf(plan, [](auto rank, auto epoch, auto step, const Samples& ids) {
        return std::to_string(epoch) + "," + std::to_string(rank) + "," + std::to_string(step) + "," + joined(ids, ",");
      });
  const auto proof = proved(plan, table);
  REQUIRE(proof);
  CHECK(proof->result == ProofResult::Match);
  CHECK(proof->notes.empty());
}

TEST_CASE("the first difference is named, and what is not listed is no difference") {
  const Plan plan = shuffledPlan();
  std::int64_t lines = 0;
  const Line wrong_once = [](auto rank, auto epoch, auto step, Samples ids) {
    if (rank == 1 && epoch == 1 && step == 2) std::swap(ids[0], ids[1]);
    return "rank " + std::to_string(rank) + " epoch " + std::to_string(epoch) + " step " + std::to_string(step) + " " +
           joined(ids, " ");
  };
  const auto wrong = proved(plan, "Loading...\n" + textOf(plan, wrong_once));
  REQUIRE(wrong);
  CHECK(wrong->result == ProofResult::Mismatch);
  REQUIRE(wrong->first_difference);
  CHECK(wrong->first_difference->rank == 1);
  CHECK(wrong->first_difference->epoch == 1);
  CHECK(wrong->first_difference->step == 2);
  REQUIRE(wrong->notes.size() == 2);
  CHECK(wrong->notes[0].find("The text has ") == 0);
  CHECK(wrong->notes[1] == "1 line lists no batch, or not clearly one, and was left out; the first is line 1.");
  const auto part = proved(plan, textOf(plan, [&lines](auto rank, auto epoch, auto step, const Samples& ids) {
                             if (++lines % 3 != 0) return std::string();
                             return "rank " + std::to_string(rank) + " epoch " + std::to_string(epoch) + " step " +
                                    std::to_string(step) + " " + joined(ids, " ");
                           }));
  REQUIRE(part);
  CHECK(part->result == ProofResult::Incomplete);
  CHECK(part->what.find("the text does not list them") != std::string::npos);
}

TEST_CASE("a set_epoch that was forgotten is seen in a log, too") {
  const Plan plan = shuffledPlan();
  const auto first = plan.epoch(Epoch{0});
  REQUIRE(first);
  const auto proof = proved(plan, textOf(plan, [&first](auto rank, auto epoch, auto step, const Samples&) {
                              const auto ids = first->ranks[static_cast<std::size_t>(rank)].batchSamples(Step{step});
                              return "rank " + std::to_string(rank) + " epoch " + std::to_string(epoch) + " step " +
                                     std::to_string(step) + " " + joined(Samples(ids.begin(), ids.end()), " ");
                            }));
  REQUIRE(proof);
  CHECK(proof->result == ProofResult::Mismatch);
  CHECK(proof->explanation.find("set_epoch") != std::string::npos);
}

TEST_CASE("a tensor of several rows goes on until all of its brackets are closed") {
  std::istringstream in(
      "rank 0 epoch 0 step 0 tensor([[12],\n        [7],\n        [9]])\nrank 0 epoch 0 step 1 [[3]]\n");
  const auto read = readIndexText(in, "log.txt");
  REQUIRE(read);
  REQUIRE(read->batches.size() == 2);
  CHECK(read->batches[0].samples == Samples{12, 7, 9});
  CHECK(read->batches[1].samples == Samples{3});
}

TEST_CASE("a text that counts from 1 is the plan, too") {
  const Plan plan = shuffledPlan();
  const auto proof = proved(plan, textOf(plan, [](auto rank, auto epoch, auto step, const Samples& ids) {
                              return "rank " + std::to_string(rank + 1) + " epoch " + std::to_string(epoch + 1) +
                                     " step " + std::to_string(step) + ": " + joined(ids, " ");
                            }));
  REQUIRE(proof);
  CHECK(proof->result == ProofResult::Match);
  CHECK(proof->notes == std::vector<std::string>{"The text is assumed to count ranks and epochs from 1, which is "
                                                 "closer to the plan; here they are counted from 0."});
}

TEST_CASE("steps that count on over the epochs are the plan where everything fits only so") {
  const Plan plan = shuffledPlan();
  const auto step_of = [](std::int64_t epoch, std::int64_t step) { return std::to_string(epoch * 5 + step); };
  const auto plain = proved(plan, textOf(plan, [&](auto rank, auto epoch, auto step, const Samples& ids) {
                              return std::to_string(rank) + " " + step_of(epoch, step) + " " + joined(ids, " ");
                            }));
  REQUIRE(plain);
  CHECK(plain->result == ProofResult::Match);
  CHECK(plain->notes.front() ==
        "The steps of the text are assumed to count on from epoch to epoch: only then is it the plan.");
  const Line named = [&](auto rank, auto epoch, auto step, const Samples& ids) {
    return "rank " + std::to_string(rank) + " epoch " + std::to_string(epoch) + " step " + step_of(epoch, step) + ": " +
           joined(ids, " ");
  };
  CHECK(proved(plan, textOf(plan, named))->result == ProofResult::Match);
  // One other sample is found where it is.
  const auto spoilt = proved(plan, textOf(plan, [&](auto rank, auto epoch, auto step, Samples ids) {
                               if (rank == 1 && epoch == 1 && step == 2) ids[0] = ids[0] == 0 ? 1 : 0;
                               return named(rank, epoch, step, ids);
                             }));
  CHECK(spoilt->result == ProofResult::Mismatch);
  REQUIRE(spoilt->first_difference);
  CHECK(std::tuple(spoilt->first_difference->rank, spoilt->first_difference->epoch, spoilt->first_difference->step) ==
        std::tuple(1, 1, 2));
}

TEST_CASE("tables are read by their heads") {
  const Plan plan = shuffledPlan();
  const auto table = [&plan](const std::string& head, const Line& row) {
    return proved(plan, head + "\n" + textOf(plan, row));
  };
  const auto numbers = [](auto rank, auto epoch, auto step) {
    return std::to_string(epoch) + "," + std::to_string(rank) + "," + std::to_string(step);
  };
  std::int64_t rows = 0;
  const auto whole =
      table("\xef\xbb\xbf,epoch,rank,step,time,sample_ids", [&](auto rank, auto epoch, auto step, const Samples& ids) {
        return std::to_string(rows++) + "," + numbers(rank, epoch, step) + ",10:11:12,\"" + joined(ids, " ") + "\"";
      });
  REQUIRE(whole);
  CAPTURE(whole->what);
  CHECK(whole->result == ProofResult::Match);
  const auto of_one = table("epoch,rank,step,sample", [&](auto rank, auto epoch, auto step, const Samples& ids) {
    std::string text;
    for (const SampleIndex id : ids)
      text += (text.empty() ? "" : "\n") + numbers(rank, epoch, step) + "," + std::to_string(id);
    return text;
  });
  REQUIRE(of_one);
  CHECK(of_one->result == ProofResult::Match);
}

TEST_CASE("numbers beside named batches, batches listed again and a last line without an end accuse nobody") {
  const Plan plan = shuffledPlan();
  const std::string log = textOf(plan, [](auto rank, auto epoch, auto step, const Samples& ids) {
    return "rank " + std::to_string(rank) + " epoch " + std::to_string(epoch) + " step " + std::to_string(step) + ": " +
           joined(ids, " ");
  });
  const auto noisy = proved(plan, "54 3 12 7\n" + log + log + "rank 0 epoch 1 step 0: 1");
  REQUIRE(noisy);
  CHECK(noisy->result == ProofResult::Match);
  CHECK(noisy->notes.size() == 3);
}

TEST_CASE("a list that another line interrupts is left out, with all that took several lines") {
  std::istringstream open(
      "rank 0 epoch 0 step 0: [1, 2\nrank 0 epoch 0 step 1: [3, 4]\nStarting (pid 3\nrank 1 epoch 0 step 0: [5,\n6]\n");
  const auto read = readIndexText(open, "log.txt");
  REQUIRE(read);
  CHECK(read->batches.size() == 1);
  CHECK(read->cut == 2);
  CHECK(read->left_out == 1);
  std::istringstream cut("rank 0 step 0 tensor([1, 2, ..., 9])\n");
  const auto none = readIndexText(cut, "log.txt");
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("has no end") != std::string::npos);
  std::istringstream yaml("shardlens: 2\ndataset: {size: 16}\n");
  CHECK_FALSE(readIndexText(yaml, "spec.yaml"));
}
