# SPDX-License-Identifier: Apache-2.0
"""design_jobs.py SHARDLENS: `run design.yaml -- COMMAND` and `verify RUN` with real torch programs that nobody changed: those that obey
the design and those with a fault. Exit status 77 and a line on stdout where torch is missing."""
import json
import os
import sys
import unittest

from capture_jobs import JOB, SKIPPED, Recorded, has_torch, ranks, shardlens, torch_jobs

FOLDS = os.path.join(os.path.dirname(JOB), "folds.py")


def design(ranks_of_world, per_node=None, size=103, seed=3):
    per_node = per_node or ranks_of_world
    return """shardlens: 2
name: design
dataset: {size: %d}
world: {nodes: %d, ranks_per_node: %d}
loader: {batch_size: 8}
sampler: {type: torch.DistributedSampler, shuffle: true, seed: %d}
framework: {torch: "1.13"}
epochs: 3
""" % (size, ranks_of_world // per_node, per_node, seed)


class Obeyed(Recorded):
    """A program that ran with a design."""

    def __init__(self, spec, command, fails=False):
        self.spec = spec
        super().__init__(command, fails=fails)

    def arguments(self):
        with open(os.path.join(self.path, "design.yaml"), "w") as file:
            file.write(self.spec)
        return ["design.yaml"]

    def compared(self):
        """The batches of each rank that were as designed, and that were not, as was known while the job ran."""
        ranks = json.loads(shardlens(self.path, "replay", "job.slrun", "--format", "json").stdout)["ranks"]
        return [(rank["matched"], rank["mismatched"]) for rank in ranks]

    def verify(self, *arguments):
        done = shardlens(self.path, "verify", *(arguments or ["job.slrun"]), "--format", "json")
        return done.returncode, json.loads(done.stdout)


class Designs(unittest.TestCase):
    def test_obeys(self):
        job = Obeyed(design(2), ranks(2, 2, "ddp:2"))
        self.assertEqual(job.run.returncode, 0, job.run.stdout)
        self.assertIn("match: All 42 batches of epochs 0 to 2 on ranks 0 and 1 are as designed.", job.run.stdout)
        self.assertIn("loader train (job.py:", job.run.stdout)
        self.assertEqual(job.compared(), [(21, 0), (21, 0)])
        code, proof = job.verify()
        self.assertEqual((code, proof["result"], proof["checked_batches"]), (0, "match", 42))
        self.assertEqual(proof["loader"]["name"], "train")
        shardlens(job.path, "replay", "job.slrun", "--pack", "job.pack")
        self.assertEqual(job.verify("job.pack")[1], proof)
        self.assertEqual(job.verify("design.yaml", "job.pack")[1], proof)
        folder, packed = [json.loads(shardlens(job.path, "capture", run, "--format", "json").stdout) for run in ("job.slrun", "job.pack")]
        self.assertEqual(folder, packed)
        plan = json.loads(shardlens(job.path, "plan", "job.slrun", "--format", "json").stdout)
        self.assertEqual([epoch["ranks"][1]["batches"] for epoch in plan["epochs"]], job.said(1)["epochs"])
        self.assertEqual(shardlens(job.path, "diff", "design.yaml", "job.pack").returncode, 0)
        code, proof = job.verify("job.slrun", "--loader", "val")
        self.assertEqual((code, proof["result"], proof["loader"]["name"]), (1, "mismatch", "val"))

    def test_an_evaluation_that_is_divided_too(self):
        job = Obeyed(design(4), ranks(4, 4, "evaluated:2"))
        self.assertEqual(job.run.returncode, 0, job.run.stdout)
        self.assertIn("match: All 48 batches of epochs 0 to 2 on ranks 0 to 3 are as designed.", job.run.stdout)
        val = job.capture()["val"]
        self.assertEqual((val["sampler"], val["proven"], val["batches"], val["findings"]), ("torch.DistributedSampler", True, 12, []))
        self.assertIn("shuffle: false", val["spec"])
        done = shardlens(job.path, "audit", "job.slrun", "--format", "json")
        findings = {finding["code"]: finding["severity"] for finding in json.loads(done.stdout)["findings"]}
        self.assertNotIn("error", findings.values())
        self.assertEqual(findings["padding-repeats"], "info")

    def test_a_look_at_the_first_batch_and_an_evaluation_are_no_epochs(self):
        job = Obeyed(design(2), ranks(2, 2, "peek"))
        self.assertEqual(job.run.returncode, 0, job.run.stdout)
        self.assertIn("match: All 42 batches of epochs 0 to 2 on ranks 0 and 1 are as designed.", job.run.stdout)
        self.assertIn("more often than others (rank 0: 1). Those looks are not counted as passes.", job.run.stdout)
        self.assertIn("Not compared: 6 further passes over epochs that the job reads", job.run.stdout)

    def test_set_epoch_is_forgotten(self):
        job = Obeyed(design(2), ranks(2, 2, "forgotten"))
        self.assertEqual(job.run.returncode, 1, job.run.stdout)
        self.assertIn("Epochs 1 and 2 got the order of epoch 0. The order stays until set_epoch is called with another number.", job.run.stdout)
        self.assertEqual(job.compared(), [(7, 14), (7, 14)])
        self.assertIn("First difference: rank 0, epoch 1, step 0: the job read [", job.run.stdout)

    def test_one_of_several_trainings_in_one_function_is_the_designed_one(self):
        for arguments in (["5,3,6"], ["5,3", "turns"]):
            with self.subTest(arguments=arguments):
                job = Obeyed(design(2), torch_jobs.ranks(2, FOLDS, *arguments))
                self.assertEqual(job.run.returncode, 0, job.run.stdout)
                self.assertIn("match: All 42 batches of epochs 0 to 2 on ranks 0 and 1 are as designed.", job.run.stdout)
                self.assertIn("Not compared: train", job.run.stdout)
                self.assertEqual(job.compared(), [(21, 0), (21, 0)])
        job = Obeyed(design(2), torch_jobs.ranks(2, FOLDS, "5,6"))
        self.assertNotEqual(job.run.returncode, 0, job.run.stdout)
        self.assertEqual([rank[0] for rank in job.compared()], [0, 0])

    def test_local_rank_is_passed_as_rank(self):
        job = Obeyed(design(4, 2, seed=0), ranks(4, 2, "local"))
        self.assertEqual(job.run.returncode, 1, job.run.stdout)
        self.assertIn("sampler.rank is local_rank, not rank", job.run.stdout)

    def test_every_rank_has_the_same_random_sampler(self):
        job = Obeyed(design(2), ranks(2, 2, "random"))
        self.assertEqual(job.run.returncode, 1, job.run.stdout)
        self.assertIn("sampler.type is torch.RandomSampler, not torch.DistributedSampler", job.run.stdout)
        # No spec foretells the order: what was recorded is the plan.
        done = shardlens(job.path, "plan", "job.slrun", "--format", "json")
        plan = json.loads(done.stdout)
        self.assertIn("as it was recorded", done.stderr)
        self.assertEqual([epoch["ranks"][0]["batches"] for epoch in plan["epochs"]], job.said(0)["epochs"])
        self.assertEqual(shardlens(job.path, "audit", "job.slrun", check=False).returncode, 1)

    def test_another_world_size_and_another_dataset(self):
        job = Obeyed(design(4), ranks(2, 2, "ddp"))
        self.assertEqual(job.run.returncode, 1, job.run.stdout)
        self.assertIn("The run has a world of 2 ranks, the plan of 4 ranks.", job.run.stdout)
        with open(os.path.join(job.path, "longer.yaml"), "w") as file:
            file.write(design(2, size=104))
        code, proof = job.verify("longer.yaml", "job.slrun")
        self.assertEqual((code, proof["result"]), (1, "mismatch"))
        self.assertEqual(proof["spec_differs_in"], ["dataset.size is 103, not 104"])

    def test_killed_and_unobserved_ranks_are_not_guilty(self):
        # The shell ends well, whatever happened to the ranks.
        job = Obeyed(design(2), ["sh", "-c", "(%s); true" % ranks(2, 2, "one_killed")[2]])
        self.assertEqual(job.run.returncode, 1, job.run.stdout)
        self.assertIn("rank 1 did not say that it ended", job.run.stdout)
        self.assertEqual(job.verify()[1]["result"], "incomplete")
        environment = "WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=%d" % torch_jobs.free_port()
        start = "for r in 0 1; do RANK=$r LOCAL_RANK=$r %s %s $([ $r = 1 ] && echo -E) %s ddp & done; wait"
        job = Obeyed(design(2), ["sh", "-c", start % (environment, sys.executable, JOB)])
        self.assertEqual(job.verify()[1]["result"], "incomplete")
        self.assertIn("rank 1 was not measured", job.run.stdout)

    def test_nothing_was_observed(self):
        job = Obeyed(design(2), [sys.executable, "-c", "print('no torch here')"])
        self.assertEqual(job.run.returncode, 1)
        self.assertIn("incomplete: 42 of 42 planned batches were not reported", job.run.stdout)
        self.assertIn("no DataLoader was observed", job.run.stdout)


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
