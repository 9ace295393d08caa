# SPDX-License-Identifier: Apache-2.0
"""slurm_test.py SHARDLENS PACKAGE, below one_host_slurm.py: ranks that srun and mpirun start in a job of Slurm."""
import os
import shutil
import subprocess
import sys
import unittest

from common import SPEC, Test, environment

CODE = """
import sys, shardlens
plan = shardlens.Plan(sys.argv[1])
sampler = plan.batch_sampler()
assert shardlens.rank_and_world().source.startswith(sys.argv[3]), shardlens.rank_and_world()
with shardlens.Recorder(sys.argv[2], plan) as record:
    for epoch in range(plan.epochs):
        sampler.set_epoch(epoch)
        for step, ids in enumerate(sampler):
            record(epoch, step, ids)
"""


class Slurm(Test):
    def prove(self, words, names, **variables):
        spec, run = self.path("pipeline.yaml", SPEC), self.path("run.slrun")
        done = subprocess.run([*words, sys.executable, "-c", CODE, spec, run, names], capture_output=True, text=True, env=environment(**variables), timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        proof = self.verify(spec, run)
        self.assertEqual((proof["result"], proof["notes"]), ("match", []))

    def test_srun(self):
        self.prove(["srun", "-n", "4"], "SLURM_PROCID")

    def test_mpirun_in_a_batch_script(self):
        """All ranks inherit the SLURM_PROCID of the script, which is 0."""
        if shutil.which("mpirun") is None:
            self.skipTest("SKIPPED: there is no mpirun")
        self.prove(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4"], "OMPI_COMM_WORLD_RANK", SLURM_PROCID=0, SLURM_NTASKS=4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
