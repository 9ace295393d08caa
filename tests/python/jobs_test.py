# SPDX-License-Identifier: Apache-2.0
"""Real jobs of ranks, torchrun and mpirun that train with the package, proven by `shardlens verify`."""
import itertools
import os
import shutil
import subprocess
import sys
import unittest

from common import SPEC, Test, environment, need_torch  # which finds torch_jobs
from torch_jobs import free_port, ranks, torchrun

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
        return self.path(sampler + ".yaml", BASE.replace(SAMPLERS["torch.DistributedSampler"], SAMPLERS[sampler]))

    def train(self, command, **variables):
        told = environment(OMP_NUM_THREADS=1, PET_REDIRECTS=1, PET_TEE=1, **variables)
        return subprocess.run(command, capture_output=True, text=True, env=told, timeout=300, check=False)

    def prove(self, start, *trainings):
        """Trainings of one job, each a sampler and a kind."""
        words = [(self.spec_of(sampler), self.path("%s-%s.slrun" % (sampler, kind)), kind) for sampler, kind in trainings]
        done = self.train(start(2, TRAIN, *itertools.chain.from_iterable(words)))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for spec, run, _ in words:
            with self.subTest(run=run):
                proof = self.verify(spec, run)
                self.assertEqual((proof["result"], proof["notes"]), ("match", []))
                self.assertEqual(proof["checked_batches"], proof["planned_batches"])
                self.assertGreater(proof["checked_batches"], 0)

    def test_torchrun_with_a_distributed_sampler(self):
        self.prove(torchrun, ("torch.DistributedSampler", "batches"))

    def test_items_cut_by_the_loader_the_global_generator_and_a_sampler_of_batches(self):
        self.prove(ranks, ("torch.DistributedSampler", "items"), *((sampler, "batches") for sampler in list(SAMPLERS)[1:]))

    def test_another_world_is_refused(self):
        command = [sys.executable, TRAIN, self.spec_of("torch.DistributedSampler"), self.path("refused.slrun"), "batches"]
        done = self.train(command, RANK=0, WORLD_SIZE=1, MASTER_ADDR="127.0.0.1", MASTER_PORT=free_port())
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
