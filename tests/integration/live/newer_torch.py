# SPDX-License-Identifier: Apache-2.0
"""newer_torch.py SHARDLENS: some of live_jobs.py under torch 2.6, whose ranks run in a root of Debian 13 (resources/scripts/newer-torch).
That torch has no torchrun, so the ranks are started one by one. Exit status 77 and the reason where there is no such root."""
import os
import shutil
import subprocess
import sys
import unittest

from live_jobs import HERE, SHARDLENS, TRAIN, Job
from torch_jobs import free_port

NEWER = os.path.join(HERE, "..", "..", "..", "resources", "scripts", "newer-torch")
# Inside of the root, the folder of the job is the working folder, and /dev/shm with the rings is the same.
RANKS = """
export USE_LIBUV=0 OMP_NUM_THREADS=1 WORLD_SIZE=%d MASTER_ADDR=127.0.0.1 MASTER_PORT=$3 SAID=$PWD/$2 PYTHONPATH=$PWD/probe
[ -n "${SHARDLENS_RINGS:-}" ] || unset PYTHONPATH
[ -z "${SHARDLENS_RINGS:-}" ] || export SHARDLENS_PROBE=$PWD/probed  # the recording is outside of the root
mkdir -p "$SAID" probed
for rank in $(seq 0 %d); do RANK=$rank LOCAL_RANK=$rank python3 train.py "$1" & done
wait
"""


class NewerJob(Job):
    def command(self, fault, ranks):
        shutil.copytree(os.path.join(os.path.dirname(SHARDLENS), "probe"), os.path.join(self.path, "probe"))
        shutil.copy(TRAIN, self.path)
        os.chmod(self.path, 0o755)
        with open(os.path.join(self.path, "ranks.sh"), "w") as file:
            file.write(RANKS % (ranks, ranks - 1))
        return ["--", *self.ranks(fault, "watched")]

    def ranks(self, fault, said):
        return [NEWER, self.path, "bash", "ranks.sh", fault, said, str(free_port())]

    def said(self, folder, rank):
        with open(os.path.join(self.path, folder, "%d.json" % rank)) as file:
            return file.read()


class Newer(unittest.TestCase):
    def job(self, *arguments, **environment):
        job = NewerJob(*arguments, **environment)
        self.addCleanup(job.close)
        return job

    def test_nothing_is_wrong(self):
        self.assertEqual(self.checked("none"), self.checked("compiled"))  # the compiler hides no operation

    def checked(self, kind):
        """How many operations each rank of a healthy job had."""
        job = self.job(kind, 2)
        self.assertEqual(job.wait(), 0, job.printed())
        ranks = job.replay()["ranks"]
        for rank in ranks:
            self.assertEqual((rank["steps"], rank["state"], rank["epoch"]), (40, "done", 1))
            self.assertGreater(rank["collectives"], 40)
            self.assertGreater(rank["load_s"], 0)
            self.assertGreater(rank["compute_s"], 0)
        subprocess.run(job.ranks(kind, "alone"), check=True, capture_output=True)
        for rank in (0, 1):
            self.assertEqual(job.said("watched", rank), job.said("alone", rank))
        return [rank["collectives"] for rank in ranks]

    def test_slow_storage_on_one_rank(self):
        job = self.job("storage", 2, BATCHES="30")
        self.assertEqual(job.wait(), 0, job.printed())
        found = job.verdict("straggler", job.replay())
        self.assertIsNotNone(found, job.replay())
        self.assertEqual(found["ranks"], [1])
        self.assertIn("loading a batch", found["message"])

    def test_another_collective(self):
        job = self.job("other", 3)
        job.await_verdict("mismatch", 1, "in barrier")
        job.end()
        self.assertIsNotNone(job.verdict("mismatch", job.replay()))


if __name__ == "__main__":
    there = subprocess.run([NEWER, ".", "true"], capture_output=True, text=True)
    if there.returncode == 77:
        print(there.stderr.strip())
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
