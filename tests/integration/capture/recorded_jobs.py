# SPDX-License-Identifier: Apache-2.0
"""recorded_jobs.py SHARDLENS: samplers that ShardLens does not know, in real torch programs that nobody changed: what they read becomes a
spec, and the rule that gives it is named. Exit status 77 and a line on stdout where torch is missing."""
import json
import subprocess
import sys
import unittest

from capture_jobs import JOB, SKIPPED, Recorded, alone, has_torch, ranks, shardlens


def rows(findings):
    return {finding["code"]: finding for finding in findings}


class UnknownSamplers(unittest.TestCase):
    def reproduced(self, recorded, count, whole=True):
        """The spec that was written, `plan` of it and of the recording are what every rank says that it read."""
        self.train = recorded.capture("-o", "train.yaml")["train"]
        self.assertTrue(self.train["proven"], self.train["message"])
        self.assertTrue(self.train["recorded"])
        self.assertEqual(self.train["sampler"], "recorded.Batches")
        for planned in (recorded.planned("train.yaml"), recorded.planned("job.slrun")):
            for rank in range(count) if whole else ():
                self.assertEqual(recorded.said(rank)["epochs"], [epoch[rank] for epoch in planned])
        return planned

    def audit(self, recorded):
        done = shardlens(recorded.path, "audit", "job.slrun", "--format", "json")
        return done.returncode, json.loads(done.stdout)

    def test_a_distributed_sampler_under_another_name(self):
        recorded = Recorded(ranks(2, 2, "mine:2"))
        self.reproduced(recorded, 2)
        self.assertIn("In pass 0, worker w has the same seed on ranks 0 and 1, base_seed ", " ".join(self.train["findings"]))
        self.assertIn("The loader has no worker_init_fn.", self.train["seeds"])
        said = self.train["search"][0]
        self.assertEqual(
            said,
            "All 312 recorded ids of 3 passes on 2 ranks are those that torch.DistributedSampler with seed: 3 deals, in the same batches.",
        )
        self.assertEqual(self.train["rules"][0]["rule"], "sampler: {type: torch.DistributedSampler, seed: 3}")
        rule = recorded.capture("--rules", "-o", "rule.yaml", "--force")["train"]
        self.assertEqual((rule["sampler"], rule["proven"], rule["recorded"]), ("torch.DistributedSampler", True, False))
        planned = recorded.planned("rule.yaml")
        self.assertEqual([epoch[1] for epoch in planned], recorded.said(1)["epochs"])
        self.assertEqual(shardlens(recorded.path, "diff", "rule.yaml", "train.yaml").returncode, 0)
        findings = rows(self.audit(recorded)[1]["findings"])  # that the last one fills the slices, no recording says
        self.assertIn("1 of 104 items repeats what another rank reads", findings["ranks-share-samples"]["message"])
        self.assertEqual(findings["ranks-share-samples"]["severity"], "info")  # no more repeats than equal shares take
        self.assertNotIn("epochs-repeat", findings)
        self.asked_for_a_step(recorded)

    def asked_for_a_step(self, recorded):
        """The samples of an optimizer step."""
        batches = [batch for epoch in recorded.said(1)["epochs"] for batch in epoch]
        step = len(batches) - 2
        at = json.loads(shardlens(recorded.path, "at", "job.slrun", "--step", str(step), "--format", "json").stdout)
        self.assertEqual((at["numbering"], at["known_by"]), ("optimizer step", "recorded"))
        self.assertEqual([one["samples"] for one in at["ranks"][1]["micro_batches"]], [batches[step]])
        self.assertEqual(at["ranks"][1]["steps"], len(batches))

    def test_its_set_epoch_is_forgotten(self):
        recorded = Recorded(ranks(2, 2, "mine_forgotten"))
        self.reproduced(recorded, 2)
        self.assertIn("torch.DistributedSampler with seed: 3, set_epoch never called deals, in the same batches", self.train["search"][0])
        code, report = self.audit(recorded)
        self.assertIn("epochs-repeat", rows(report["findings"]))

    def test_a_custom_batch_sampler(self):
        recorded = Recorded(ranks(2, 2, "growing"))
        planned = self.reproduced(recorded, 2)
        self.assertEqual([len(batch) for batch in planned[0][1]], [1, 2, 3, 4, 1, 2, 3, 4, 1])
        self.assertIn("__main__.GrowingBatches is not known", self.train["reasons"][0])
        self.assertIn("gives these ids.", self.train["search"][0])
        sample = planned[1][0][2][1]
        found = json.loads(shardlens(recorded.path, "find", "job.slrun", str(sample), "--format", "json").stdout)
        seen = [(epoch["epoch"], one["rank"], one["step"], one["item"]) for epoch in found["epochs"] for one in epoch["seen"]]
        self.assertIn((1, 0, 2, 1), seen)
        film = shardlens(recorded.path, "film", "job.slrun", "-o", "film.html")
        self.assertEqual(film.returncode, 0, film.stderr)
        self.assertEqual(shardlens(recorded.path, "diff", "train.yaml", "job.slrun").returncode, 0)
        exported = shardlens(recorded.path, "export", "train.yaml", "--to", "pytorch")
        self.assertIn("No class of torch deals the batches as they were recorded", exported.stdout)
        resumed = shardlens(recorded.path, "resume", "train.yaml", "--at", "2", check=False)
        self.assertIn("Not predictable", resumed.stdout + resumed.stderr)

    def test_a_sampler_of_the_users_own(self):
        recorded = Recorded(alone("custom"))
        self.reproduced(recorded, 1)
        self.assertIn("__main__.EveryThird is not known", self.train["reasons"][0])
        self.assertEqual(self.train["batches"], 15)

    def test_every_rank_has_the_same_random_sampler(self):
        recorded = Recorded(ranks(2, 2, "random"))
        self.reproduced(recorded, 2)
        self.assertIn("Every batch is what torch.RandomSampler gives for the seed that it drew", self.train["explanation"])
        self.assertIn("ranks 0 and 1 read the same batches: every rank has a RandomSampler and torch seed 7", self.train["findings"][0])
        self.assertEqual(recorded.said(0)["epochs"], recorded.said(1)["epochs"])
        code, report = self.audit(recorded)
        self.assertEqual(code, 1)
        self.assertIn("ranks-identical-order", rows(report["findings"]))

    def test_a_rank_is_killed(self):
        recorded = Recorded(ranks(2, 2, "mine_killed"), fails=True)
        planned = self.reproduced(recorded, 2, whole=False)
        self.assertGreaterEqual(len(planned[0][1]), 7)
        self.assertIn("read every pass to its end", self.train["spec"])
        self.assertIn("torch.DistributedSampler with seed: 3", self.train["search"][0])

    def test_a_stream_that_no_rank_divides(self):
        recorded = Recorded(ranks(2, 2, "iterable"))
        train = recorded.capture()["train"]
        self.assertIsNone(train["spec"])
        self.assertIn("__main__.Stream is iterable", train["problems"][0])
        self.assertIn("ranks 0 and 1 got equal data, batch for batch", " ".join(train["findings"]))
        self.assertIn("Pass 0, by content: 6 batches with 48 samples on ranks 0 and 1: 24 different, all of them on several ranks.", train["notes"])
        done = shardlens(recorded.path, "audit", "job.slrun", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("ranks 0 and 1 got equal data", done.stderr)
        done = shardlens(recorded.path, "plan", "job.slrun", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("__main__.Stream is iterable", done.stderr)

    def test_a_stream_that_no_worker_divides(self):
        train = Recorded(alone("iterable:2")).capture()["train"]
        self.assertIn("each sample that rank 0 got came 2 times", " ".join(train["findings"]))
        self.assertIn("Pass 0, by content: 6 batches with 48 samples on rank 0: 24 different, 24 repeat what the same rank had got.", train["notes"])

    def test_programs_without_a_rank_are_not_ranks(self):
        command = "for i in 1 2; do %s %s custom; done" % (sys.executable, JOB)
        recorded = Recorded(["sh", "-c", command])
        loaders = recorded.capture()
        self.assertEqual(set(loaders), {"train", "train-2", "val", "val-2"})
        self.assertNotIn("started more than once", recorded.captured.stdout)
        self.assertIn("2 processes read such a loader without reporting a rank", loaders["train-2"]["notes"][0])
        self.assertEqual(loaders["train-2"]["batches"], 15)


class Seeds(unittest.TestCase):
    def test_numpy_and_random(self):
        train = Recorded(ranks(2, 2, "mine_seeded")).capture()["train"]
        said = " ".join(train["seeds"])
        self.assertIn("NumPy's global generator when pass 0 began: seed 7 on ranks 0 and 1, nothing drawn.", said)
        self.assertIn("Python's random when pass 0 began: seed 30 on rank 0, 2 32-bit outputs drawn; seed 31 on rank 1", said)
        self.assertIn("NumPy's global generator has the same state on ranks 0 and 1 when pass 0 begins", " ".join(train["findings"]))
        self.assertNotIn("Python's random has the same state", " ".join(train["findings"]))

    def test_states_of_generators_are_the_same_with_the_probe(self):
        code = (
            "import random, numpy, torch; from torch.utils.data import DataLoader\n"
            "torch.manual_seed(1); numpy.random.seed(1); random.seed(1); random.gauss(0, 1)\n"
            "for _ in DataLoader(list(range(9)), shuffle=True): pass\n"
            "print(torch.rand(1).item(), numpy.random.rand(), random.random(), random.gauss(0, 1))"
        )
        plain = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        recorded = Recorded([sys.executable, "-c", code])
        self.assertIn(plain.stdout.strip(), recorded.run.stderr)
        self.assertEqual(recorded.capture()["loader"]["batches"], 9)


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
