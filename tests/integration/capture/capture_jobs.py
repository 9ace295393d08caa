# SPDX-License-Identifier: Apache-2.0
"""capture_jobs.py SHARDLENS: what `run -- COMMAND` records of real torch programs that nobody changed, and what `capture` makes of it.
Each program has its fault. Exit status 77 and a line on stdout where torch is missing."""
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..", "support"))
import torch_jobs
from torch_jobs import SKIPPED, free_port, has_torch, torchrun

SHARDLENS = os.path.abspath(sys.argv.pop(1))
HERE = os.path.dirname(os.path.abspath(__file__))
JOB = os.path.join(HERE, "job.py")


def shardlens(folder, *arguments, environment=None, check=True):
    done = subprocess.run([SHARDLENS, *arguments], cwd=folder, env=environment or os.environ, capture_output=True, text=True)
    if check and done.returncode not in (0, 1):
        raise AssertionError("shardlens %s: %d\n%s%s" % (arguments, done.returncode, done.stdout, done.stderr))
    return done


class Recorded:
    """One program, run and captured in a folder of its own."""

    def __init__(self, command, environment=None, fails=False):
        self.folder = tempfile.TemporaryDirectory()
        self.path = self.folder.name
        self.environment = dict(os.environ, SAID=self.path, OMP_NUM_THREADS="1", MASTER_ADDR="127.0.0.1", **(environment or {}))
        arguments = ["run", *self.arguments(), "--run-file", "job.slrun", "--", *command]
        self.run = shardlens(self.path, *arguments, environment=self.environment, check=not fails)

    def arguments(self):
        """What stands before the options of `run`."""
        return []

    def said(self, rank=0):
        with open(os.path.join(self.path, "%d.json" % rank)) as file:
            return json.load(file)

    def probes(self):
        return [name for name in os.listdir(os.path.join(self.path, "job.slrun")) if name.endswith(".slprobe")]

    def capture(self, *arguments):
        self.captured = shardlens(self.path, "capture", "job.slrun", "--format", "json", *arguments)
        return {loader["name"]: loader for loader in json.loads(self.captured.stdout)["loaders"]}

    def planned(self, file):
        """[epoch][rank] -> batches, as the captured spec is planned."""
        plan = json.loads(shardlens(self.path, "plan", file, "--format", "json").stdout)
        return [[rank["batches"] for rank in epoch["ranks"]] for epoch in plan["epochs"]]


def ranks(count, per_node, kind):
    return torch_jobs.ranks(count, JOB, kind, per_node=per_node)


def alone(kinds):
    return [sys.executable, JOB, kinds]


KINDS = "random,random:2,generator:2,own_generator,subset,weighted,batches"


@functools.lru_cache(maxsize=None)
def watched():
    """A program with a training of each of these kinds, run once for all tests that look at it."""
    return Recorded(alone(KINDS))


class DistributedJobs(unittest.TestCase):
    def checked(self, recorded, count):
        """The train loader, whose spec plans what every rank says that it got."""
        loaders = recorded.capture("-o", "train.yaml")
        self.assertEqual(recorded.captured.returncode, 0, recorded.captured.stdout)
        self.assertTrue(loaders["train"]["proven"], loaders["train"]["message"])
        planned = recorded.planned("train.yaml")
        for rank in range(count):
            self.assertEqual(recorded.said(rank)["epochs"], [epoch[rank] for epoch in planned])
        self.assertTrue(loaders["val"]["proven"], loaders["val"]["message"])
        self.assertTrue(os.path.exists(os.path.join(recorded.path, "val.yaml")))
        return loaders["train"]

    def test_right(self):
        train = self.checked(Recorded(torchrun(2, JOB, "ddp")), 2)
        self.assertEqual(train["findings"], [])
        self.assertEqual(train["message"], "All 42 batches of epochs 0 to 2 on ranks 0 and 1 are as torch.DistributedSampler (seed 3) computes them.")
        for said in ("set_epoch: true", "seed: 3", "num_replicas: world_size, rank: rank", "dataset: {size: 103}", "epochs: 3"):
            self.assertIn(said, train["spec"])

    def test_set_epoch_is_forgotten(self):
        recorded = Recorded(ranks(2, 2, "forgotten"))
        train = self.checked(recorded, 2)
        self.assertIn("set_epoch: false", train["spec"])
        self.assertIn("set_epoch was never called", train["findings"][0])
        # Whoever does not ask is told, too: when the job ends, and afterwards.
        self.assertIn("train: " + train["findings"][0], recorded.run.stdout)
        replayed = json.loads(shardlens(recorded.path, "replay", "job.slrun", "--format", "json").stdout)
        self.assertIn({"loader": "train", "message": train["findings"][0]}, replayed["loader_findings"])
        shardlens(recorded.path, "report", "job.slrun", "-o", "report.html")
        with open(os.path.join(recorded.path, "report.html")) as page:
            self.assertIn("set_epoch was never called", page.read())

    def test_local_rank_is_passed_as_rank(self):
        recorded = Recorded(ranks(4, 2, "local"))
        train = self.checked(recorded, 4)
        self.assertIn("num_replicas: ranks_per_node, rank: local_rank", train["spec"])
        self.assertIn("ranks 0 and 2 read the same batches, and so do ranks 1 and 3", train["findings"][0])
        audit = shardlens(recorded.path, "audit", "train.yaml")
        self.assertEqual(audit.returncode, 1, audit.stdout)

    def test_unequal_numbers_of_batches(self):
        recorded = Recorded(ranks(2, 2, "uneven"))
        train = recorded.capture()["train"]
        self.assertTrue(train["recorded"])
        self.assertIn("Ranks 0 and 1 differ in sampler.indices", train["reasons"][0])
        self.assertIn("rank 0 5, rank 1 6", " ".join(train["findings"]))

    @unittest.skipUnless(shutil.which("mpirun"), "SKIPPED: there is no mpirun on this machine")
    def test_mpirun_says_the_ranks(self):
        command = ["mpirun", "--oversubscribe", "-n", "2", sys.executable, JOB, "mpi"]
        allow = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        train = self.checked(Recorded(command, allow), 2)
        self.assertIn("num_replicas: world_size, rank: rank", train["spec"])

    def test_a_script_that_starts_its_other_rank_itself(self):
        self.checked(Recorded(alone("started:1"), {"MASTER_PORT": str(free_port())}), 2)

    def test_workers_and_a_loader_for_each_epoch(self):
        self.checked(Recorded(ranks(2, 2, "persistent:2")), 2)
        self.checked(Recorded(ranks(2, 2, "again:2")), 2)


class OtherSamplers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.loaders = watched().capture("-o", "train.yaml")
        # Trainings in the order of KINDS, whose loaders have names with numbers from the second on.
        cls.names = {kind: "train" + ("-%d" % (at + 1) if at else "") for at, kind in enumerate(KINDS.split(","))}

    def proven(self, kind, sampler):
        train = self.loaders[self.names[kind]]
        self.assertTrue(train["proven"], train["message"])
        self.assertEqual(train["sampler"], sampler)
        planned = watched().planned(self.names[kind] + ".yaml")
        self.assertEqual(watched().said(KINDS.split(",").index(kind))["epochs"], [epoch[0] for epoch in planned])
        return train

    def test_known_samplers(self):
        self.proven("generator:2", "torch.RandomSampler")
        self.proven("own_generator", "torch.RandomSampler")
        self.proven("subset", "torch.SubsetRandomSampler")
        self.proven("weighted", "torch.WeightedRandomSampler")
        train = self.proven("batches", "torch.SequentialSampler")
        self.assertIn("batch_size: 10, num_workers: 0, drop_last: true", train["spec"])

    def test_global_generator(self):
        for kind in ("random", "random:2"):
            train = self.loaders[self.names[kind]]
            self.assertTrue(train["recorded"])
            self.assertIn("Every batch is what torch.RandomSampler gives for the seed that it drew", train["explanation"])


class Unharmed(unittest.TestCase):
    def test_loss_and_random_state_are_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, SAID=folder, OMP_NUM_THREADS="1")
            subprocess.run(alone(KINDS), env=environment, check=True)
            for number in range(len(KINDS.split(","))):
                with open(os.path.join(folder, "%d.json" % number)) as file:
                    self.assertEqual(json.load(file), watched().said(number))

    def test_a_killed_job_leaves_what_it_read(self):
        recorded = Recorded(alone("killed"), {"RANK": "0", "WORLD_SIZE": "1", "MASTER_PORT": str(free_port())}, fails=True)
        self.assertEqual(recorded.run.returncode, 4)
        train = recorded.capture()["train"]
        self.assertTrue(train["proven"], train["message"])
        self.assertGreaterEqual(train["batches"], 13)  # the first epoch, which was written at its end

    def test_the_shadowed_sitecustomize_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "sitecustomize.py"), "w") as file:
                file.write("import os\nos.environ['SHADOWED'] = __file__\n")
            code = "import os, sys; print(os.environ['SHADOWED'], sys.modules['sitecustomize'].__file__, 'torch' in sys.modules)"
            done = Recorded([sys.executable, "-c", code], {"PYTHONPATH": folder}).run
            own = os.path.join(folder, "sitecustomize.py")
            self.assertIn("%s %s False" % (own, own), done.stderr)

    def test_a_command_without_torch_is_as_it_was(self):
        code = "import sys; print(sorted(m for m in sys.modules if 'shardlens' not in m)); sys.exit(5)"
        plain = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        recorded = Recorded([sys.executable, "-c", code], fails=True)
        for name in plain.stdout.strip("[]\n").split(", "):
            self.assertIn(name, recorded.run.stderr)
        self.assertEqual(recorded.run.returncode, 4)
        self.assertEqual(recorded.probes(), [])
        none = shardlens(recorded.path, "capture", "job.slrun", check=False)
        self.assertEqual(none.returncode, 2)
        self.assertIn("no DataLoader was observed", none.stderr)

    def test_a_probe_that_cannot_write_is_no_matter_of_the_job(self):
        probe = os.path.join(os.path.dirname(SHARDLENS), "probe")
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, SAID=folder, PYTHONPATH=probe, SHARDLENS_PROBE=os.path.join(folder, "missing"))
            done = subprocess.run(alone("generator"), env=environment, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
