# SPDX-License-Identifier: Apache-2.0
"""Real jobs of ranks, torchrun and mpirun that train with the package, proven by `shardlens verify`."""
import os
import shutil
import subprocess
import sys
import unittest

from common import SPEC, Test, environment, need_torch  # which finds torch_jobs
from torch_jobs import ranks, torchrun

TRAIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "train.py")
# 200 samples: all ranks have as many batches, since DistributedDataParallel waits for every rank in every step.
BASE = SPEC.replace("203", "200").replace("epochs: 3", "epochs: 2").replace("ranks_per_node: 4", "ranks_per_node: 2")
SAMPLERS = {
    "torch.DistributedSampler": "{type: torch.DistributedSampler, shuffle: true, seed: 7, drop_last: false, set_epoch: true}",
    "torch.RandomSampler": "{type: torch.RandomSampler}",
    "torch.WeightedRandomSampler": "{type: torch.WeightedRandomSampler, weights: long_tail, num_samples: 40}",
    "accelerate.BatchSamplerShard": "{type: accelerate.BatchSamplerShard}",
}


class Jobs(Test):
    def spec_of(self, sampler):
        return self.path("pipeline.yaml", BASE.replace(SAMPLERS["torch.DistributedSampler"], SAMPLERS[sampler]))

    def train(self, start, count, *words):
        return subprocess.run(start(count, TRAIN, *words), capture_output=True, text=True, env=environment(OMP_NUM_THREADS=1, PET_REDIRECTS=1, PET_TEE=1), timeout=300, check=False)

    def prove(self, sampler, kind="batches", start=ranks):
        spec, run = self.spec_of(sampler), self.path(f"{sampler}-{kind}.slrun")
        done = self.train(start, 2, spec, run, kind)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        proof = self.verify(spec, run)
        self.assertEqual((proof["result"], proof["notes"]), ("match", []))
        self.assertEqual(proof["checked_batches"], proof["planned_batches"])
        self.assertGreater(proof["checked_batches"], 0)

    def test_torchrun_with_a_distributed_sampler(self):
        self.prove("torch.DistributedSampler", start=torchrun)

    def test_items_cut_by_the_loader(self):
        self.prove("torch.DistributedSampler", "items")

    def test_samplers_on_the_global_generator(self):
        self.prove("torch.RandomSampler")
        self.prove("torch.WeightedRandomSampler")

    def test_a_sampler_of_batches(self):
        self.prove("accelerate.BatchSamplerShard")

    def test_torchrun_with_another_world_is_refused(self):
        done = self.train(torchrun, 1, self.spec_of("torch.DistributedSampler"), self.path("refused.slrun"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("The plan is for 2 ranks, and this job has 1 (torch.distributed)", done.stdout + done.stderr)

    def launched(self, words, names):
        """A launcher that does not set RANK: the script meets the others by torch.distributed, or not at all."""
        spec, run = self.spec_of("torch.DistributedSampler"), self.path("launched.slrun")
        code = (
            "import sys, shardlens\n"
            "plan = shardlens.Plan(sys.argv[1]); sampler = plan.batch_sampler()\n"
            "assert shardlens.rank_and_world().source.startswith(sys.argv[3])\n"
            "with shardlens.Recorder(sys.argv[2], plan) as record:\n"
            "    for epoch in range(plan.epochs):\n"
            "        sampler.set_epoch(epoch)\n"
            "        for step, ids in enumerate(sampler): record(epoch, step, ids)\n"
        )
        done = subprocess.run([*words, sys.executable, "-c", code, spec, run, names], capture_output=True, text=True, env=environment(), timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.verify(spec, run)["result"], "match")

    def test_mpirun(self):
        if shutil.which("mpirun") is None:
            self.skipTest("SKIPPED: there is no mpirun")
        self.launched(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"], "OMPI_COMM_WORLD_RANK")


if __name__ == "__main__":
    need_torch()
    unittest.main(argv=sys.argv[:1], verbosity=2)
