# SPDX-License-Identifier: Apache-2.0
"""reader_jobs.py SHARDLENS: right torch programs of which not everything can be known: what is said of them is true, and nobody is accused.
Exit status 77 and a line on stdout where torch is missing."""
import json
import os
import sys
import unittest

from capture_jobs import JOB, SKIPPED, Recorded, has_torch, ranks, shardlens

READERS = os.path.join(os.path.dirname(JOB), "readers.py")


def recorded(kind):
    command = ranks(2, 2, kind)
    command[2] = command[2].replace(JOB, READERS)
    return Recorded(command)


def said(job, count=2):
    return [job.said(rank) for rank in range(count)]


class Readers(unittest.TestCase):
    def audit(self, job):
        done = shardlens(job.path, "audit", "job.slrun", "--format", "json", check=False)
        findings = json.loads(done.stdout)["findings"] if done.stdout else []
        return done, {finding["code"]: finding for finding in findings}

    def text(self, loader):
        return json.dumps([loader["findings"], loader["notes"], loader["message"], loader["reasons"]])

    def test_samples_of_an_iterable_dataset_are_not_known(self):
        job = recorded("stream")
        train = job.capture()["train"]
        self.assertNotIn("read the same batches", self.text(train))
        self.assertIn("Which samples a rank reads is not known.", train["problems"][0])
        self.assertEqual(train["batches"], sum(one["batches"] for one in said(job)))
        self.assertIn("more batches were queued and never handed to the loop.", train["message"])

    def test_ranks_with_shards_of_their_own_are_not_accused(self):
        job = recorded("shards")
        train = job.capture()["train"]
        self.assertEqual(train["findings"], [])
        self.assertIn("read datasets that differ in their attribute numbers", self.text(train))
        self.assertIsNone(train["spec"])
        done, _ = self.audit(job)
        self.assertEqual(done.returncode, 2)
        self.assertIn("what its loader train reads several times is not known.", done.stderr)

    def test_ids_in_subsets_are_those_of_the_dataset_below(self):
        job = recorded("subsets")
        train = job.capture("-o", "train.yaml")["train"]
        self.assertTrue(train["proven"])
        self.assertEqual(train["findings"], [])
        for source in ("job.slrun", "train.yaml"):
            for rank in (0, 1):
                planned = [batch for epoch in job.planned(source) for batch in epoch[rank]]
                self.assertEqual(planned, job.said(rank)["samples"])  # a sample of this dataset is its own id
        done, findings = self.audit(job)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("ok-disjoint", findings)

    def test_what_was_queued_is_not_read(self):
        job = recorded("left")
        train = job.capture()["train"]
        self.assertEqual((train["batches"], train["as_planned"]), (12, 12))
        self.assertEqual(sum(one["batches"] for one in said(job)), 12)
        self.assertIn("All 12 batches of epochs 0 and 1 on ranks 0 and 1 are as planned.", train["message"])
        done, findings = self.audit(job)
        self.assertNotIn("ok-coverage", findings)
        self.assertIn("40 of 64 samples reach no rank", findings["samples-left-out"]["message"])

    def test_of_two_loaders_in_one_loop_none_is_a_validation(self):
        job = recorded("pair")
        loaders = job.capture()
        self.assertEqual(set(loaders), {"loader", "train"})
        self.assertEqual(loaders["loader"]["batches"] + loaders["train"]["batches"], sum(one["batches"] for one in said(job)))

    def test_set_epoch_with_one_number(self):
        job = recorded("still")
        self.assertIn("set_epoch was called before each epoch, and always with 0", job.capture()["train"]["findings"][0])
        self.assertIn("set_epoch is never called with another epoch", self.audit(job)[1]["epochs-repeat"]["message"])


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
