# SPDX-License-Identifier: Apache-2.0
"""Recordings of the package, judged by `shardlens verify`; and the assertions."""
import glob
import os
import sys
import time
import unittest

from common import SPEC, Test

import shardlens

RECORD_BYTES = 48  # of core/wire/record.h

# Reads what the plan says, with a fault of the caller's choice.
JOB = '''
import glob, os, sys, time, shardlens

def wait_for_writer(folder):
    """What was recorded before is in the file once it has grown twice."""
    (segment,) = glob.glob(f"{folder}/*-{os.getpid()}.slseg")
    for _ in range(2):
        size = os.path.getsize(segment)
        while os.path.getsize(segment) == size: time.sleep(0.01)

spec, run, fault = sys.argv[1:4]
plan = shardlens.Plan(spec)
sampler = plan.batch_sampler()
with shardlens.Recorder(run, plan) as record:
    for epoch in range(plan.epochs):
        sampler.set_epoch(0 if fault == "no set_epoch" else epoch)
        for step, ids in enumerate(sampler):
            if fault == "raise" and (epoch, step) == (1, 4): raise RuntimeError("the loss is not a number")
            if fault == "leave" and (epoch, step) == (1, 4): os._exit(0)
            if fault == "leave once written" and (epoch, step) == (1, 4): wait_for_writer(record.path); os._exit(0)
            record(epoch, step, ids)
'''


class Records(Test):
    def setUp(self):
        super().setUp()
        self.spec = self.path("pipeline.yaml", SPEC)
        self.run_file = self.path("run.slrun")

    def job(self, faults=("", "", "", ""), codes=(0, 0, 0, 0)):
        for rank, (fault, code) in enumerate(zip(faults, codes)):
            self.python(JOB, self.spec, self.run_file, fault, code_expected=code, RANK=rank, WORLD_SIZE=4)

    def test_a_run_as_planned(self):
        self.job()
        proof = self.verify(self.spec, self.run_file)
        self.assertEqual((proof["result"], proof["checked_batches"], proof["planned_batches"], proof["notes"]), ("match", 204, 204, []))
        self.assertEqual(self.verify(self.run_file)["result"], "match")  # the spec is in the recording
        shardlens.assert_run_matches(self.spec, self.run_file)

    def test_a_rank_that_never_calls_set_epoch(self):
        self.job(faults=("", "", "no set_epoch", ""))
        proof = self.verify(self.spec, self.run_file, code=1)
        self.assertEqual((proof["result"], proof["first_difference"]), ("mismatch", {"rank": 2, "epoch": 1, "step": 0}))
        self.assertIn("set_epoch", proof["explanation"])
        with self.assertRaisesRegex(AssertionError, "(?s)Rank 2, epoch 1, step 0.*Epochs 1 and 2 on rank 2 got the order of epoch 0"):
            shardlens.assert_run_matches(self.spec, self.run_file)

    def test_a_run_that_fails_is_not_accused(self):
        self.job(faults=("", "raise", "", ""), codes=(0, 1, 0, 0))
        self.assertEqual(self.verify(self.spec, self.run_file, code=1)["result"], "incomplete")

    def test_a_rank_that_leaves_without_a_word_is_not_accused(self):
        for fault in ("leave", "leave once written"):
            with self.subTest(fault):
                self.run_file = self.path(f"{fault}.slrun")
                self.job(faults=("", "", "", fault))
                self.assertEqual(self.verify(self.spec, self.run_file, code=1)["result"], "incomplete")

    def test_a_rank_that_was_not_recorded(self):
        for rank in (0, 1, 3):
            self.python(JOB, self.spec, self.run_file, "", RANK=rank, WORLD_SIZE=4)
        proof = self.verify(self.spec, self.run_file, code=1)
        self.assertEqual(proof["result"], "incomplete")
        with self.assertRaisesRegex(AssertionError, "rank 2"):
            shardlens.assert_run_matches(self.spec, self.run_file)

    def test_a_recording_is_not_written_twice(self):
        with shardlens.Recorder(self.run_file, rank=0, world_size=1):
            pass
        with self.assertRaisesRegex(FileExistsError, "already holds a recording of rank 0.*another folder"):
            shardlens.Recorder(self.run_file, rank=0, world_size=1)

    def test_ranks_that_torchrun_starts_again_have_their_own(self):
        os.environ["TORCHELASTIC_RESTART_COUNT"] = "1"
        with shardlens.Recorder(self.run_file, rank=0, world_size=1) as record:
            self.assertEqual(record.path, self.path("run-2.slrun"))

    def test_what_cannot_be_recorded(self):
        with shardlens.Recorder(self.run_file, rank=0, world_size=1) as record:
            self.assertRaisesRegex(TypeError, "flat list of whole numbers", record, 0, 0, [[1, 2]])
            self.assertRaisesRegex(TypeError, "flat list of whole numbers", record, 0, 0, ["a"])
            self.assertRaisesRegex(ValueError, "step -1", record, 0, -1, [1])
        self.assertRaisesRegex(ValueError, "closed", record, 0, 0, [1])
        record.close()
        self.assertRaises(shardlens.RankError, shardlens.Recorder, self.path("other.slrun"), shardlens.Plan(SPEC))

    def test_a_forked_process_leaves_the_recorder_alone(self):
        record = shardlens.Recorder(self.run_file, rank=0, world_size=1)
        child = os.fork()
        if child == 0:
            try:
                record(0, 0, [1])
            except RuntimeError as error:
                record.close()
                os._exit(0 if "not in a worker" in str(error) else 1)
            os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        record(0, 0, [1])
        record.close()

    def test_many_steps_lose_nothing(self):
        spec = self.path("long.yaml", "shardlens: 2\ndataset: {size: 40000}\nworld: {nodes: 1, ranks_per_node: 1}\nloader: {batch_size: 4}\nepochs: 1\n")
        plan = shardlens.Plan(spec)
        with shardlens.Recorder(self.run_file, plan) as record:
            (segment,) = glob.glob(self.path("run.slrun/*.slseg"))
            for step, ids in enumerate(plan.batches(0)):
                record(0, step, ids)
                # Three records a step. A training takes longer for so many than it takes to write them.
                while step % 1000 == 999 and os.path.getsize(segment) < 3 * RECORD_BYTES * step:
                    time.sleep(0.01)
        self.assertEqual(self.verify(spec, self.run_file)["checked_batches"], 10000)


class Assertions(Test):
    def fails(self, check, spec, pattern, **more):
        with self.assertRaisesRegex(AssertionError, pattern):
            check(spec, **more)

    def test_a_sound_plan(self):
        for check in (shardlens.assert_no_overlap, shardlens.assert_covers, shardlens.assert_equal_steps):
            check(SPEC)
            check(shardlens.Plan(SPEC), epochs=1)

    def test_overlap(self):
        everybody = SPEC.replace("{type: torch.DistributedSampler, shuffle: true, seed: 7, drop_last: false, set_epoch: true}", "{type: torch.SequentialSampler}")
        self.fails(shardlens.assert_no_overlap, everybody, r"four-ranks: epoch 0: ranks 0 and 1 read the same 203 samples \(0, 1, 2,")
        # 203 samples on 4 ranks: one is repeated so that the ranks have equally many
        self.fails(shardlens.assert_no_overlap, SPEC, "ranks . and . read the same 1 sample", padding=True)

    def test_coverage(self):
        cut = SPEC.replace("batch_size: 3, num_workers: 2, drop_last: false", "batch_size: 4, num_workers: 0, drop_last: true")
        self.fails(shardlens.assert_covers, cut, "epoch 0: 1. samples of 203 reach no rank")

    def test_steps(self):
        uneven = SPEC.replace("type: torch.DistributedSampler, shuffle: true, seed: 7, drop_last: false, set_epoch: true", "type: lightning.UnrepeatedDistributedSampler")
        self.fails(shardlens.assert_equal_steps, uneven.replace("batch_size: 3", "batch_size: 2").replace("203", "202"), "epoch 0: .*step")

    def test_an_epoch_that_is_not_planned(self):
        self.assertRaisesRegex(ValueError, "epochs 0 to 2", shardlens.assert_covers, SPEC, epochs=4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
