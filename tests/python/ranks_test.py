# SPDX-License-Identifier: Apache-2.0
"""Which rank a process is, who is asked, and when; and what importing the package costs."""
import os
import shutil
import subprocess
import sys
import unittest

from common import LAUNCHER_VARIABLES, SPEC, Test, environment, planned

import shardlens

ALONE = SPEC.replace("ranks_per_node: 4", "ranks_per_node: 1")


class Ranks(Test):
    def test_each_launcher_is_understood(self):
        for rank, world in (("RANK", "WORLD_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE")):
            os.environ.update({rank: "2", world: "4"})
            self.assertEqual(shardlens.rank_and_world(4)[:2], (2, 4))
            self.assertIn(rank, shardlens.rank_and_world().source)
            del os.environ[rank], os.environ[world]

    def test_the_first_that_knows_is_believed(self):
        os.environ.update(SLURM_PROCID="0", SLURM_NTASKS="4", OMPI_COMM_WORLD_RANK="3", OMPI_COMM_WORLD_SIZE="4")
        self.assertEqual(shardlens.rank_and_world(4).rank, 3)  # mpirun in a batch script: all ranks inherit the script's SLURM_PROCID
        os.environ.update(RANK="1", WORLD_SIZE="4")
        self.assertEqual(shardlens.rank_and_world(4).rank, 1)

    def test_a_rank_that_nobody_says_is_refused(self):
        plan = shardlens.Plan(SPEC)
        sampler = plan.batch_sampler()
        for ask in (lambda: iter(sampler), lambda: len(sampler), lambda: plan.steps(0), plan.check, plan.seed_everything, lambda: next(plan.batches(0))):
            with self.assertRaisesRegex(shardlens.RankError, "4 ranks, and nothing says which one.*torchrun.*RANK and WORLD_SIZE"):
                ask()
        os.environ["LOCAL_RANK"] = "1"
        self.assertRaisesRegex(shardlens.RankError, "LOCAL_RANK is 1", plan.check)

    def test_one_rank_needs_no_launcher(self):
        self.assertEqual(len(list(shardlens.Plan(ALONE).batch_sampler())), 68)

    def test_another_world_is_refused(self):
        os.environ.update(RANK="0", WORLD_SIZE="2")
        self.assertRaisesRegex(shardlens.WorldError, "for 4 ranks, and this job has 2 .RANK and WORLD_SIZE", lambda: iter(shardlens.Plan(SPEC).batch_sampler()))
        self.assertRaisesRegex(shardlens.WorldError, "for 1 rank, and this job has 2", shardlens.Plan(ALONE).check)

    def test_nonsense_is_refused(self):
        os.environ["RANK"] = "1"
        self.assertRaisesRegex(shardlens.RankError, "WORLD_SIZE is not set", shardlens.rank_and_world)
        os.environ["WORLD_SIZE"] = "1"
        self.assertRaisesRegex(shardlens.RankError, "from 0 to 0", shardlens.rank_and_world)
        os.environ["WORLD_SIZE"] = "many"
        self.assertRaisesRegex(shardlens.RankError, "not numbers", shardlens.rank_and_world)

    def test_the_rank_is_asked_when_it_is_needed(self):
        sampler = shardlens.Plan(SPEC).batch_sampler()
        plan = planned(self.path("pipeline.yaml", SPEC))
        for rank in (3, 1):
            os.environ.update(RANK=str(rank), WORLD_SIZE="4")
            sampler.set_epoch(1)
            self.assertEqual(list(sampler), plan[1, rank][0])

    def test_a_dataset_of_another_size_is_refused(self):
        os.environ.update(RANK="0", WORLD_SIZE="4")
        shardlens.Plan(SPEC).check(range(203))
        self.assertRaisesRegex(ValueError, "203 samples, and this dataset has 200", shardlens.Plan(SPEC).check, range(200))

    def test_mpirun(self):
        if shutil.which("mpirun") is None:
            self.skipTest("SKIPPED: there is no mpirun")
        code = (
            "import sys, shardlens; plan = shardlens.Plan(sys.argv[1]); rank = plan.batch_sampler().rank\n"
            "open(f'{sys.argv[2]}-{rank}', 'w').write(str(list(plan.batches(1))))\n"
        )
        spec = self.path("pipeline.yaml", SPEC)
        words = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4", sys.executable, "-c", code, spec, self.path("batches")]
        done = subprocess.run(words, capture_output=True, text=True, env=environment(), timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        expected = planned(spec)
        for rank in range(4):
            with open(self.path(f"batches-{rank}"), encoding="utf-8") as file:
                self.assertEqual(file.read(), str(expected[1, rank][0]))


class Imports(Test):
    def test_import_takes_nothing_along(self):
        code = (
            "import os, sys\n"
            "asked = []\n"
            "class Watched(dict):\n"
            "    def __getitem__(self, key): asked.append(key); return super().__getitem__(key)\n"
            "    def get(self, key, default=None): asked.append(key); return super().get(key, default)\n"
            "    def __contains__(self, key): asked.append(key); return super().__contains__(key)\n"
            "os.environ = Watched(os.environ)\n"
            "import shardlens\n"
            f"print(sorted(set(asked) & set({LAUNCHER_VARIABLES!r})), [name for name in ('torch', 'numpy', 'pytest') if name in sys.modules])\n"
            "print(any('libshardlens' in line for line in open('/proc/self/maps')))\n"
        )
        self.assertEqual(self.python(code, RANK=1, WORLD_SIZE=4).split("\n")[:2], ["[] []", "False"])

    def test_help_says_what_there_is(self):
        text = self.python("import shardlens; help(shardlens); help(shardlens.Plan); help(shardlens.Recorder)")
        for word in ("seed_everything", "batch_sampler", "assert_run_matches", "before the model is made", "torch.distributed"):
            self.assertIn(word, text)

    def test_everything_public_is_described(self):
        for name in shardlens.__all__:
            one = getattr(shardlens, name)
            self.assertTrue((one.__doc__ or "").strip(), name)
            if isinstance(one, type):
                for key, member in vars(one).items():
                    if not key.startswith("_") and (callable(member) or isinstance(member, property)):
                        self.assertTrue((member.__doc__ or "").strip(), f"{name}.{key}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
