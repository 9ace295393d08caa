# SPDX-License-Identifier: Apache-2.0
"""nccl_probe_test.py PROBE CALLS RINGS: the NCCL probe as NCCL loads and calls it, by a made-up host, and what is in its rings. RINGS is
the folder of rings.py."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROBE, CALLS = sys.argv[1:3]
sys.path.insert(0, sys.argv[3])
import rings  # noqa: E402

UNKNOWN = 31


def run(case, *words, version=5, folder="", **environment):
    env = {**os.environ, "SHARDLENS_RINGS": folder, **environment}
    for name in ("RANK", "WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"):
        if name not in environment:
            env.pop(name, None)
    return subprocess.run([CALLS, PROBE, str(version), case, *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Case(unittest.TestCase):
    def rings_of(self, case, *words, ranks=2, version=5, code=0, **environment):
        """The rings of so many ranks."""
        with tempfile.TemporaryDirectory() as folder:
            done = run(case, *words, version=version, folder=folder, **environment)
            self.assertEqual((done.returncode, done.stderr), (code, ""))
            return [rings.Ring(folder, rank, "rank-%d.nccl.ring") for rank in range(ranks)]


class NcclProbe(Case):
    def test_it_exports_what_nccl_looks_for_and_needs_nothing_of_it(self):
        defined = run_plain("nm", "-D", "--defined-only", PROBE).split()[2::3]
        self.assertEqual(sorted(defined), ["ncclProfiler_v4", "ncclProfiler_v5"])
        missing = run_plain("nm", "-D", "-u", PROBE).lower()
        self.assertNotIn("nccl", missing)
        self.assertNotIn("cuda", missing)

    def test_without_a_place_for_its_ring_it_asks_for_no_event(self):
        for folder in ("", "/nowhere/at/all"):
            for version in (4, 5):
                done = run("once", version=version, folder=folder)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(json.loads(done.stdout), {"mask": 0})

    def test_it_asks_for_operations_and_channels_of_kernels_only(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(json.loads(run("once", folder=folder).stdout), {"mask": 2 + 4 + 64})

    def test_every_operation_of_every_thread_is_told_once(self):
        for version in (4, 5):
            told = self.rings_of("threads", ranks=4, version=version)
            for ring in told:
                self.assertEqual((ring.world_size, ring.dropped, ring.phase), (4, 0, rings.DONE))
                entered, left = ring.of(rings.ENTER), ring.of(rings.LEAVE)
                self.assertEqual((len(entered), len(left)), (400, 400))
                self.assertEqual({(one.op, one.seq, one.handle) for one in entered}, {(one.op, one.seq, one.handle) for one in left})
                self.assertEqual({(one.op, one.a, one.peer) for one in entered}, {
                    (rings.ALL_REDUCE, 24, rings.NO_PEER), (rings.BROADCAST, 10, 2),
                    (rings.ALL_GATHER, 8, rings.NO_PEER), (rings.REDUCE_SCATTER, 16, rings.NO_PEER)})  # fmt: skip
                for op in (rings.ALL_REDUCE, rings.BROADCAST):
                    self.assertEqual([one.seq for one in entered if one.op == op], list(range(100)))
                times = {one.handle: one.time_ns for one in entered}
                self.assertTrue(all(one.a == one.time_ns - times[one.handle] for one in left))
            self.assertEqual(len({one.group for ring in told for one in ring.of(rings.ENTER)}), 1)

    def test_a_group_is_told_before_its_first_operation(self):
        for ring in self.rings_of("threads", ranks=4):
            kinds = [one.kind for one in ring.records]
            self.assertEqual(kinds[:4], [rings.HELLO, rings.GROUP, rings.MEMBERS, rings.NAME])
            group, members, name = ring.records[1:4]
            self.assertEqual((group.a, members.a, members.seq, members.b), (4, 4, 0, 1))
            self.assertNotEqual(group.group, 0)
            self.assertEqual(rings.text(name), "ranks 0-3")
            self.assertEqual(kinds[-1], rings.BYE)

    def test_a_send_and_its_recv_agree(self):
        zero, one = self.rings_of("pairs")
        sent = [(record.op, record.peer, record.seq, record.a) for record in zero.of(rings.ENTER)]
        got = [(record.op, record.peer, record.seq, record.a) for record in one.of(rings.ENTER)]
        self.assertEqual(sent, [(rings.SEND, 1, 0, 10), (rings.SEND, 1, 1, 12)])
        self.assertEqual(got, [(rings.RECV, 0, 0, 10), (rings.RECV, 0, 1, 12)])
        self.assertEqual(len(zero.of(rings.LEAVE)), 2)
        self.assertEqual(rings.text(zero.of(rings.NAME)[0]), "pipeline")

    def test_an_operation_is_over_with_its_last_channel(self):
        zero, _ = self.rings_of("completion", code=3, ranks=2, *("3",))
        self.assertEqual([one.seq for one in zero.of(rings.ENTER)], [0, 1, 2, 3])
        self.assertEqual([one.seq for one in zero.of(rings.LEAVE)], [1, 2])
        self.assertEqual((zero.op, zero.phase), (rings.ALL_REDUCE, rings.COLLECTIVE))  # where it hangs
        self.assertEqual(zero.of(rings.BYE)[0].a, 3)

    def test_operations_of_one_kernel_are_told_in_the_order_of_the_queue(self):
        zero, _ = self.rings_of("grouped")
        self.assertEqual([one.seq for one in zero.of(rings.ENTER)], [0, 1, 2])
        self.assertEqual([one.seq for one in zero.of(rings.LEAVE)], [2, 1, 0])

    def test_calls_that_should_not_be_do_no_harm(self):
        for version in (4, 5):
            zero, _ = self.rings_of("bad", version=version)
            self.assertEqual([one.op for one in zero.of(rings.ENTER)], [UNKNOWN, rings.ALL_REDUCE])
            self.assertEqual([one.op for one in zero.of(rings.LEAVE)], [UNKNOWN, rings.ALL_REDUCE])

    def test_it_may_be_unloaded_and_loaded_again(self):
        zero, _ = self.rings_of("again", code=5, *("5",))
        self.assertEqual([one.seq for one in zero.of(rings.ENTER)], [0, 0, 0])
        self.assertEqual([one.a for one in zero.of(rings.BYE)], [5])

    def test_a_forked_child_is_silent(self):
        zero, _ = self.rings_of("forks")
        self.assertEqual((len(zero.of(rings.ENTER)), len(zero.of(rings.BYE))), (0, 1))

    def test_what_a_full_ring_does_not_hold_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("full", folder=folder, RANK="0", WORLD_SIZE="2")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            ring = rings.Ring(folder, 0, "rank-%d.nccl.ring")
            self.assertEqual(ring.head, 16384)
            # Two records of each that ran, those that had no place in the queue, hello and bye; the group is not known.
            self.assertEqual(ring.head + ring.dropped, 2 * 12000 + (3000 - 1024) + 2)

    def test_its_rank_is_that_of_the_launcher(self):
        with tempfile.TemporaryDirectory() as folder:
            run("full", folder=folder, OMPI_COMM_WORLD_RANK="5", OMPI_COMM_WORLD_SIZE="8")
            self.assertEqual([name for name in os.listdir(folder) if name.endswith(".ring")], ["rank-5.nccl.ring"])
            self.assertEqual(rings.Ring(folder, 5, "rank-%d.nccl.ring").world_size, 8)


def run_plain(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


unittest.main(argv=sys.argv[:1])
