# SPDX-License-Identifier: Apache-2.0
"""ring_jobs.py PROBE: what programs that nobody changed write into their rings, read without the collector. Exit status 77 and a line on
stdout where torch is missing."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import rings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..", "support"))
from torch_jobs import SKIPPED, has_torch, ranks

PROBE = os.path.abspath(sys.argv.pop(1))
HERE = os.path.dirname(os.path.abspath(__file__))


def run(count, *words, probe=PROBE):
    """The rings of a job of so many ranks, and the text of what the probe wrote into files."""
    with tempfile.TemporaryDirectory() as folder:
        told = {"SHARDLENS_RINGS": folder, "SHARDLENS_PROBE": folder, "PYTHONPATH": probe, "SAID": folder}
        environment = dict(os.environ, OMP_NUM_THREADS="1", EPOCHS="1", BATCHES="4", **told)
        subprocess.run(ranks(count, *words), env=environment, timeout=300, check=True)
        files = b"".join(open(name, "rb").read() for name in glob.glob(os.path.join(folder, "*.slprobe")))
        there = [os.path.exists(os.path.join(folder, "rank-%d.ring" % rank)) for rank in range(count)]
        return [rings.Ring(folder, rank) if is_there else None for rank, is_there in enumerate(there)], files


class Rings(unittest.TestCase):
    def test_operations(self):
        told, _ = run(3, os.path.join(HERE, "operations.py"))
        members = {}
        for ring in told:
            for one in ring.of(rings.GROUP):
                members.setdefault(one.group, set()).add(ring.rank)
            for one in ring.of(rings.MEMBERS):
                self.assertIn(ring.rank, [one.seq + place * one.b for place in range(one.a)])
            self.assertEqual(sorted(one.handle for one in ring.of(rings.ENTER)), sorted(one.handle for one in ring.of(rings.LEAVE)))
            self.assertEqual((ring.dropped, ring.op, ring.phase), (0, 0, rings.DONE))
        # Each group has a number that all of its members and no others use, also in the second world.
        self.assertEqual(sorted(map(sorted, members.values())), [[0, 1], [0, 1], [0, 1, 2], [0, 1, 2], [1, 2], [1, 2]])
        members[0] = {0, 1, 2}
        seen = {}
        for ring in told:
            for one in ring.of(rings.ENTER):
                if one.op < rings.SEND:
                    seen.setdefault((one.group, one.op, one.seq), []).append((ring.rank, one.peer, one.a))
        for (group, op, seq), entries in seen.items():
            self.assertEqual({rank for rank, _, _ in entries}, members[group], (group, op, seq))
            self.assertEqual(len({(peer, size) for _, peer, size in entries}), 1, (group, op, seq))
        of_world = {(op, seq) for group, op, seq in seen if group == 0}
        self.assertEqual(of_world, {
            (rings.ALL_REDUCE, 0), (rings.ALL_REDUCE, 1), (rings.ALL_REDUCE, 2), (rings.ALL_REDUCE, 3), (rings.ALL_REDUCE, 4), (rings.BROADCAST, 0),
            (rings.REDUCE, 0), (rings.ALL_GATHER, 0), (rings.ALL_GATHER, 1), (rings.ALL_GATHER, 2), (rings.GATHER, 0), (rings.SCATTER, 0),
            (rings.BARRIER, 0), (rings.BARRIER, 1), (rings.BARRIER, 2), (rings.BARRIER, 3)})  # fmt: skip
        pairs = [(ring.rank, one.op, one.peer, one.seq, one.a) for ring in told for one in ring.of(rings.ENTER) if one.op >= rings.SEND]
        self.assertEqual(pairs, [(0, rings.SEND, 1, 0, 12), (0, rings.SEND, 2, 0, 12), (1, rings.RECV, 0, 0, 12), (2, rings.RECV, 0, 0, 12)])

    def test_works_that_run_beside_end_when_they_are_waited_for(self):
        told, _ = run(2, "-c", "import torch, torch.distributed as d; d.init_process_group('gloo'); works = "
                      "[d.all_reduce(torch.ones(1), async_op=True) for _ in range(2)]; [work.wait() for work in works]; d.destroy_process_group()")  # fmt: skip
        for ring in told:
            marks = [(one.kind, one.seq) for one in ring.of(rings.ENTER, rings.LEAVE)]
            self.assertEqual(marks, [(rings.ENTER, 0), (rings.ENTER, 1), (rings.LEAVE, 0), (rings.LEAVE, 1)])

    def test_gradients_are_waited_for_when_they_are_computed(self):
        told, files = run(2, os.path.join(HERE, "train.py"), "workers")
        self.assertNotIn(b'"first"', files)  # troubles of the probe
        for ring in told:
            steps = [(one.kind, one.step) for one in ring.of(rings.STEP_BEGIN, rings.STEP_END)]
            self.assertEqual(steps, [(kind, step) for step in range(4) for kind in (rings.STEP_BEGIN, rings.STEP_END)])
            self.assertEqual([one.a for one in ring.of(rings.EPOCH_END)], [4])
            reduced = [one for one in ring.of(rings.ENTER) if one.op == rings.ALL_REDUCE]
            self.assertEqual([(one.step, one.seq) for one in reduced[:4]], [(step, step) for step in range(4)])
            self.assertEqual(len({one.a for one in reduced[:4]}), 1)
            self.assertEqual(len(reduced), 5)  # and that of the validation
            for one in reduced[:4]:  # computing ends where waiting begins
                before = [other for other in ring.records if other.time_ns <= one.time_ns and other.kind == rings.PHASE_END]
                self.assertEqual((before[-1].op, before[-1].time_ns), (rings.COMPUTE, one.time_ns))

    def test_a_probe_without_its_library_says_so_in_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            probe = os.path.join(folder, "probe")
            shutil.copytree(PROBE, probe)
            os.remove(os.path.join(probe, "shardlens_probe", "ring.so"))
            told, files = run(1, os.path.join(HERE, "train.py"), "none", probe=probe)
            self.assertEqual(told, [None])
            self.assertIn(b"rank of the process: OSError", files)


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
