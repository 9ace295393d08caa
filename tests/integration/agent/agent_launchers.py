# SPDX-License-Identifier: Apache-2.0
"""agent_launchers.py SHARDLENS MPI_SOLVER TRAIN: real torchrun and mpirun in a shell with `shardlens env`, recorded by its agents and watched,
with faults in one rank. What a launcher needs and is missing is skipped."""
import glob
import os
import shutil
import signal
import subprocess
import sys
import unittest

from sessions import Sessions, quoted, release, until

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..", "support"))
from torch_jobs import SKIPPED, free_port, has_torch, ranks, torchrun

SHARDLENS, SOLVER, TRAIN = (os.path.abspath(path) for path in sys.argv[1:4])
del sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
FIFO_JOB = os.path.join(HERE, "stuck.py")


def verdict(run, kind):
    found = [one for one in run["verdicts"] if one["kind"] == kind] if run else []
    return found[0] if found else None


@unittest.skipUnless(has_torch(), SKIPPED)
class Torch(Sessions):
    shardlens = SHARDLENS

    def test_training_is_watched_when_it_is_over_and_its_design_has_to_be_obeyed(self):
        first = self.session()
        self.ended(first.start(ranks(2, TRAIN, "none"), BATCHES="4"))
        self.assertIn("Finished after", self.watched(first))
        self.assertEqual([(rank["steps"], rank["state"]) for rank in first.replay()["ranks"]], [(8, "done")] * 2)
        self.assertIn("distributedsampler", first.says("capture", first.path).stdout.lower())
        self.left(first)
        design = os.path.join(first.folder, "design.yaml")
        first.says("capture", first.path, "-o", design)
        second = self.session(design)
        self.ended(second.start(ranks(2, TRAIN, "none"), BATCHES="4"))
        self.assertIn("are as designed", self.watched(second))
        with open(design) as file:
            text = file.read()
        self.assertIn("seed: 3", text)
        with open(design, "w") as file:
            file.write(text.replace("seed: 3", "seed: 4"))
        third = self.session(design)
        for number in (1, 2):
            self.ended(third.start(ranks(2, TRAIN, "none"), BATCHES="4"))
            self.assertIn("mismatch", self.watched(third, code=1, number=number))
        for number in (1, 2):  # ranks that are started again have a recording of their own, and their own loaders
            self.assertEqual([rank["steps"] for rank in third.replay(number)["ranks"]], [8, 8])
            self.assertEqual(len(glob.glob(os.path.join(glob.escape(third.recording(number)), "*.slprobe"))), 2)

    def test_training_that_ends_without_a_word_is_not_called_dead(self):
        session = self.session()
        script = os.path.join(session.folder, "leave.py")
        with open(script, "w") as file:
            file.write("import os, runpy, sys\nsys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')\nos._exit(0)\n")
        self.ended(session.start(ranks(2, script, TRAIN, "none"), BATCHES="4"))
        self.assertIn("Ranks 0, 1 ended without saying how", self.watched(session, code=3))
        self.assertIsNone(verdict(session.replay(), "dead"))

    def test_a_sample_whose_reading_does_not_end_is_seen_live(self):
        session = self.session()
        fifo = session.fifo()
        watcher = session.watch(session.path)
        job = session.start(ranks(2, FIFO_JOB, fifo))

        def stalled():
            found = verdict(session.replay(), "stalled")
            return found and found["rank"] == 1 and "read_the_fifo" in found["message"]

        until(stalled, "a verdict about rank 1 with the line of the script")
        self.assertIsNone(watcher.poll())
        release(fifo)
        self.ended(job)
        self.assertIn("Finished after", self.ended(watcher))

    def test_two_nodes_with_a_file_system_in_common(self):
        if subprocess.run(["unshare", "-u", "true"], capture_output=True).returncode != 0:
            self.skipTest("SKIPPED: no right to give a process another host name (unshare -u)")
        session = self.session()
        base = session.inside["SHARDLENS_RINGS"]
        port = str(free_port())
        jobs = []
        for node, host in enumerate(("node-a", "node-b")):
            words = ["unshare", "-u", "sh", "-c", "hostname %s; exec %s" % (host, quoted([sys.executable, TRAIN, "none"]))]
            jobs.append(session.start(words, SHARDLENS_RINGS=base + host, GLOO_SOCKET_IFNAME="lo", BATCHES="5", RANK=str(node), LOCAL_RANK="0",
                                      WORLD_SIZE="2", LOCAL_WORLD_SIZE="1", MASTER_ADDR="127.0.0.1", MASTER_PORT=port))
        for job in jobs:
            self.ended(job)
        self.watched(session)
        run = session.replay()
        self.assertEqual([(rank["host"], rank["steps"], rank["state"]) for rank in run["ranks"]], [("node-a", 10, "done"), ("node-b", 10, "done")])
        self.assertIn("on ranks 0 and 1 are as torch.", session.says("capture", session.path).stdout)
        self.assertFalse(glob.glob(base + "*"))

    def test_a_rank_that_is_killed(self):
        session = self.session()
        self.ended(session.start(torchrun(2, TRAIN, "killed")), code=1)
        self.watched(session, code=4)
        dead = verdict(session.replay(), "dead")
        self.assertEqual(dead["rank"], 1)
        self.assertIn("in step 3 of epoch 1", dead["message"])
        self.left(session)

    def test_one_process_that_reads_a_loader_and_is_no_rank(self):
        session = self.session()
        code = "from torch.utils.data import DataLoader\nfor batch in DataLoader(list(range(32)), batch_size=2): pass"
        self.ended(session.start([sys.executable, "-c", code]))
        self.watched(session)
        self.assertIn("batch_size", session.says("capture", session.path).stdout)
        self.left(session)

    def test_one_process_that_trains_is_a_rank(self):
        session = self.session()
        self.ended(session.start([sys.executable, FIFO_JOB]))
        self.assertIn("Finished after", self.watched(session))
        self.assertEqual([(rank["steps"], rank["state"]) for rank in session.replay()["ranks"]], [(16, "done")])
        self.left(session)


@unittest.skipUnless(shutil.which("mpirun.openmpi") and os.path.exists(SOLVER), "SKIPPED: there is no mpirun, or no program for it")
class Mpi(Sessions):
    shardlens = SHARDLENS

    def mpirun(self, *words):
        os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        return ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-n", "3", SOLVER, *words]

    def test_a_solver_that_is_fine(self):
        command = self.mpirun("fine", "50")
        session = self.session()
        alone = subprocess.run(command, capture_output=True, text=True, check=True)
        self.assertEqual(self.ended(session.start(command)).splitlines()[-1:], alone.stdout.splitlines()[-1:])
        self.assertIn("3 ranks", self.watched(session))
        self.assertEqual([rank["collectives"] for rank in session.replay()["ranks"]], [200] * 3)
        self.left(session)

    def test_the_job_is_killed_while_its_ranks_wait(self):
        command = self.mpirun("missing", "40")
        session = self.session()
        # What Open MPI leaves where it is killed goes with the folder.
        job = session.start(command, OMPI_MCA_btl_vader_backing_directory=session.folder, TMPDIR=session.folder)
        until(lambda: verdict(session.replay(), "mismatch"), "a verdict about the barrier that was left out")
        os.kill(job.pid, signal.SIGKILL)
        self.watched(session, code=4)
        self.left(session)


if __name__ == "__main__":
    unittest.main(verbosity=2)
