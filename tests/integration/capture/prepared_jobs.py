# SPDX-License-Identifier: Apache-2.0
"""prepared_jobs.py SHARDLENS: jobs whose loaders a framework makes: Accelerate, the Trainer of Transformers, timm, a project with a batch sampler of its
own. Exit status 77 and a line on stdout where torch is missing."""
import os
import sys
import unittest

from capture_jobs import JOB, SKIPPED, Recorded, has_torch, shardlens, torch_jobs

PREPARED = os.path.join(os.path.dirname(JOB), "prepared.py")


def recorded(kinds):
    return Recorded(torch_jobs.ranks(2, PREPARED, kinds))


class Prepared(unittest.TestCase):
    def proven(self, kinds, *expected):
        """The loaders of one program, in this order: each with its sampler, and what its spec says."""
        job = recorded(kinds)
        loaders = job.capture("-o", "train.yaml")
        for number, (sampler, *texts) in enumerate(expected):
            name = "train-%d" % (number + 1) if number else "train"
            with self.subTest(loader=name):
                train = loaders[name]
                self.assertEqual(train["reasons"], [])
                self.assertTrue(train["proven"], train["message"])
                self.assertEqual(train["sampler"], sampler)
                planned = job.planned(name + ".yaml")
                for rank in range(2):
                    self.assertEqual(job.said(2 * number + rank)["epochs"], [epoch[rank] for epoch in planned])
                for text in texts:
                    self.assertIn(text, train["spec"])

    def test_loaders_of_frameworks(self):
        shard, loader = "accelerate.BatchSamplerShard", "accelerate.DataLoaderShard"
        self.proven(
            "uneven,plain:2,split,ordered,seedable,data_seed,weighted,twice,grouped,two_streams:2,scheduled:2",
            (shard, "even_batches: false"),
            (shard, "shuffle: true", "generator_seed: "),
            (shard, "split_batches: true", "batch_size: 8"),
            (shard, "shuffle: false", "even_batches: true"),
            (shard, "use_seedable_sampler: true", "data_seed: 7"),
            (shard, "data_seed: 5"),
            (loader, "inner: torch.WeightedRandomSampler"),
            (loader, "inner: torch.DistributedSampler", "num_replicas: world_size"),
            ("transformers.DistributedLengthGroupedSampler", "seed: 3", "set_epoch: true"),
            ("ssl4mis.TwoStreamBatchSampler", "secondary_batch_size: 4"),
            ("timm.ScheduledBatchSampler", "batch_sizes: [6, 4]", "choice_weights: [0.25, 0.75]", "inner_seed: 3", "set_epoch: true"),
        )

    def test_what_a_dispatcher_sends_is_not_claimed(self):
        job = recorded("dispatched")
        (loader,) = job.capture().values()
        self.assertFalse(loader["proven"])
        self.assertIn("Rank 0 reads this loader for all ranks and sends each its part", loader["problems"][0])
        self.assertEqual(loader["findings"], [])
        design = os.path.join(job.path, "design.yaml")
        with open(design, "w") as file:
            file.write("shardlens: 2\ndataset: {size: 103}\nworld: {nodes: 1, ranks_per_node: 2}\nloader: {batch_size: 8}\n"
                       "sampler: {type: accelerate.DataLoaderDispatcher, shuffle: true}\nepochs: 3\nseeds: {base: 7, rule: same}\n")
        done = shardlens(job.path, "verify", "design.yaml", "job.slrun", check=False)
        self.assertNotIn("mismatch", done.stdout)
        self.assertIn("rank 0 reads this loader for all ranks", done.stdout)

    def test_a_stream_that_a_dispatcher_splits_is_not_claimed(self):
        job = recorded("stream")
        self.assertEqual([[len(batch) for batch in job.said(rank)["epochs"][0]] for rank in range(2)], [[4, 4, 4], [4, 4, 4]])
        (loader,) = job.capture().values()
        self.assertIsNone(loader["spec"])
        self.assertEqual(loader["findings"], [])
        self.assertIn("Pass 0, by content: 3 batches with 24 samples on rank 0, no two alike.", loader["notes"])
        done = shardlens(job.path, "audit", "job.slrun", check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("Rank 0 reads this loader for all ranks and sends each its part", done.stderr)


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
