# SPDX-License-Identifier: Apache-2.0
"""reader_jobs.py SHARDLENS: torch programs of which not everything can be known: what is said of them is true, and nobody is accused falsely.
Exit status 77 and a line on stdout where torch is missing."""
import json
import os
import sys
import unittest

from capture_jobs import JOB, SKIPPED, Recorded, has_torch, shardlens, torch_jobs

READERS = os.path.join(os.path.dirname(JOB), "readers.py")


def recorded(kind, fails=False):
    return Recorded(torch_jobs.ranks(2, READERS, kind), fails=fails)


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
        self.assertIn("It is not known which samples a rank reads.", train["problems"][0])
        self.assertEqual(train["batches"], sum(one["batches"] for one in said(job)))
        self.assertNotIn("queued", train["message"])
        self.assertNotIn("equal data", self.text(train))
        self.assertIn("no two alike.", self.text(train))

    def test_a_stream_that_ends_early_on_one_rank_is_named(self):
        job = recorded("uneven", fails=True)
        train = job.capture()["train"]
        self.assertEqual(train["batches"], 5 + 6)
        self.assertIn("rank 0 ended after 5 batches, and rank 1 had 6.", self.text(train))
        self.assertIn("rank 0 ended after 5 batches, and rank 1 had 6.", job.run.stdout)

    def test_shares_of_unequal_length_are_named_when_the_wait_has_timed_out(self):
        job = recorded("cut", fails=True)
        (train,) = job.capture().values()
        self.assertIn("rank 1 ended after 4 batches, and rank 0 had 5.", self.text(train))
        (pass_0,) = job.planned("job.slrun")
        self.assertEqual([len(batches) for batches in pass_0], [5, 4])
        self.assertEqual([sorted(sum(batches, [])) for batches in pass_0], [list(range(rank, 33, 2)) for rank in (0, 1)])
        _, findings = self.audit(job)
        self.assertEqual(findings["run-unequal-batches"]["severity"], "error")
        replayed = json.loads(shardlens(job.path, "replay", "job.slrun", "--format", "json").stdout)
        self.assertEqual((replayed["verdicts"][0]["kind"], replayed["verdicts"][0]["rank"]), ("mismatch", 1))
        self.assertIn(replayed["verdicts"][0]["title"], job.run.stdout)

    def test_a_stream_that_ranks_divide_and_workers_do_not(self):
        job = recorded("copied")
        train = job.capture()["train"]
        self.assertEqual(train["batches"], sum(one["batches"] for one in said(job)))
        self.assertIn("each sample that rank 0 got came 2 times", " ".join(train["findings"]))
        self.assertIn("Pass 0, by content: 32 batches with 128 samples on ranks 0 and 1: 64 different, 64 repeat what the same rank had got.", train["notes"])
        self.assertNotIn("equal data", self.text(train))
        self.assertIsNone(train["spec"])
        done, _ = self.audit(job)
        self.assertEqual(done.returncode, 2)
        self.assertIn("__main__.Share is iterable", done.stderr)

    def test_a_rank_that_waits_for_a_sample_is_named_with_it(self):
        job = recorded("stuck", fails=True)
        (loader,) = job.capture().values()
        # Sample 33 is the first one of step 4 on rank 1, which has drawn it, and so has rank 0, which got its step and waits in the all-reduce.
        self.assertIn("When it last reported, rank 1 had waited for more than a second for step 4 of pass 0 of this loader, samples [33, 35, 37, 39]. Rank 0 had got its.",
                      self.text(loader))
        self.assertEqual(loader["batches"], 5 + 4)
        self.assertEqual(loader["queued"], 1)
        self.assertIn("Rank 1 has been loading in step 4 of epoch 0", job.run.stdout)
        done, findings = self.audit(job)
        self.assertIn("run-stuck-in-loader", findings)
        read = json.loads(done.stdout)["recorded"]["passes"][0]
        self.assertEqual((read["batches"], read["items"], read["samples"], read["left"], read["unfinished"]), (9, 36, 36, [0], [1]))

    def test_a_batch_that_cannot_be_loaded_is_not_read_and_those_after_it_are(self):
        for kind in ("skips", "skips-workers"):
            job = Recorded([sys.executable, READERS, kind])
            (loader,) = job.capture().values()
            said = job.said()
            self.assertEqual((loader["batches"], loader["queued"]), (said["batches"], 0))
            done, _ = self.audit(job)
            read = json.loads(done.stdout)["recorded"]["passes"][0]
            self.assertEqual((read["batches"], read["samples"]), (said["batches"], 60))
            self.assertEqual((read["left"], read["unfinished"]), ([], []))

    def test_two_worlds_at_once_are_two_jobs(self):
        worlds = [torch_jobs.ranks(2, READERS, "still") for _ in range(2)]
        # What srun does that starts torchrun in each of its tasks.
        command = ["sh", "-c", " & ".join("(%s)" % world[2] for world in worlds) + " & wait"]
        job = Recorded(command)
        loaders = job.capture()
        self.assertEqual(len(loaders), 2)
        for loader in loaders.values():
            self.assertIn("Another job with the same ranks ran at the same time.", self.text(loader))
            self.assertIn("The other reads the same batches", self.text(loader))
            self.assertIn("set_epoch was called before each epoch, and always with 0", self.text(loader))
        _, findings = self.audit(job)
        self.assertIn("set_epoch is never called with another epoch", findings["epochs-repeat"]["message"])
        self.assertIn("run-jobs-at-once", findings)
        self.assertNotIn("ok-coverage", findings)

    def test_what_a_process_drew_is_written_before_it_is_killed(self):
        """Without a process group, and so without a ring; it draws nothing more, and does nothing for the probe."""
        job = Recorded([sys.executable, READERS, "killed"], fails=True)
        (loader,) = job.capture().values()
        self.assertEqual((loader["batches"], loader["queued"]), (2, 0))

    def test_ranks_with_shards_of_their_own_are_not_accused(self):
        job = recorded("shards")
        train = job.capture()["train"]
        self.assertEqual(train["findings"], [])
        self.assertIn("read datasets that differ in their attribute numbers", self.text(train))
        self.assertIsNone(train["spec"])
        done, _ = self.audit(job)
        self.assertEqual(done.returncode, 2)
        self.assertIn("it is not known what its loader train reads several times.", done.stderr)

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
        self.assertIn("All 12 batches of epochs 0 and 1 on ranks 0 and 1 are as torch.DistributedSampler (seed 3) computes them.", train["message"])
        done, findings = self.audit(job)
        self.assertNotIn("ok-coverage", findings)
        self.assertIn("40 of 64 samples reach no rank", findings["samples-left-out"]["message"])

    def test_of_two_loaders_in_one_loop_the_one_that_shuffles_trains(self):
        job = recorded("pair")
        loaders = job.capture()
        self.assertEqual(set(loaders), {"train", "loader"})
        self.assertEqual(loaders["train"]["batches"] + loaders["loader"]["batches"], sum(one["batches"] for one in said(job)))


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
