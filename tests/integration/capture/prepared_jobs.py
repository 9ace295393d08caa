# SPDX-License-Identifier: Apache-2.0
"""prepared_jobs.py SHARDLENS: jobs whose loaders a framework makes: Accelerate, the Trainer of Transformers, a project with a batch sampler of its
own. Exit status 77 and a line on stdout where torch is missing."""
import os
import sys
import unittest

from capture_jobs import JOB, SKIPPED, Recorded, has_torch, shardlens, torch_jobs

PREPARED = os.path.join(os.path.dirname(JOB), "prepared.py")


def recorded(kind, workers=0, ranks=2):
    return Recorded(torch_jobs.ranks(ranks, PREPARED, kind, str(workers)))


class Prepared(unittest.TestCase):
    def proven(self, kind, sampler, *said, workers=0):
        job = recorded(kind, workers)
        train = job.capture("-o", "train.yaml")["train"]
        self.assertEqual(train["reasons"], [])
        self.assertTrue(train["proven"], train["message"])
        self.assertEqual(train["sampler"], sampler)
        planned = job.planned("train.yaml")
        for rank in range(2):
            self.assertEqual(job.said(rank)["epochs"], [epoch[rank] for epoch in planned])
        for text in said:
            self.assertIn(text, train["spec"])

    def test_accelerate_shards(self):
        shard = "accelerate.BatchSamplerShard"
        self.proven("ordered", shard, "shuffle: false", "even_batches: true")
        self.proven("plain", shard, "shuffle: true", "generator_seed: ", workers=2)
        self.proven("split", shard, "split_batches: true", "batch_size: 8")
        self.proven("uneven", shard, "even_batches: false")

    def test_accelerate_seeds(self):
        self.proven("seedable", "accelerate.BatchSamplerShard", "use_seedable_sampler: true", "data_seed: 7")
        self.proven("data_seed", "accelerate.BatchSamplerShard", "data_seed: 5")

    def test_accelerate_divides_other_samplers(self):
        self.proven("weighted", "accelerate.DataLoaderShard", "inner: torch.WeightedRandomSampler")
        self.proven("twice", "accelerate.DataLoaderShard", "inner: torch.DistributedSampler", "num_replicas: world_size")

    def test_what_a_dispatcher_sends_is_not_claimed(self):
        job = recorded("dispatched")
        (loader,) = job.capture().values()
        self.assertFalse(loader["proven"])
        self.assertIn("Rank 0 reads this loader for all ranks and sends each its part", loader["problems"][0])
        self.assertNotIn("read the same batches", str(loader["findings"]))
        self.assertNotIn("unequal numbers", str(loader["findings"]))
        design = os.path.join(job.path, "design.yaml")
        with open(design, "w") as file:
            file.write("shardlens: 2\ndataset: {size: 103}\nworld: {nodes: 1, ranks_per_node: 2}\nloader: {batch_size: 8}\n"
                       "sampler: {type: accelerate.DataLoaderDispatcher, shuffle: true}\nepochs: 3\nseeds: {base: 7, rule: same}\n")
        done = shardlens(job.path, "verify", "design.yaml", "job.slrun", check=False)
        self.assertNotIn("mismatch", done.stdout)
        self.assertIn("rank 0 reads this loader for all ranks", done.stdout)

    def test_lengths_are_grouped(self):
        self.proven("grouped", "transformers.DistributedLengthGroupedSampler", "seed: 3", "set_epoch: true")

    def test_a_copy_of_two_streams(self):
        self.proven("two_streams", "ssl4mis.TwoStreamBatchSampler", "secondary_batch_size: 4", workers=2)


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
