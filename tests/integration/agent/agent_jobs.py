# SPDX-License-Identifier: Apache-2.0
"""agent_jobs.py SHARDLENS RING_RANKS: jobs that ShardLens does not start, recorded by its agents and watched. Their ranks are processes
with rings that are in barriers; a FIFO holds the last one back. Agents, ranks and watchers are killed in between."""
import glob
import os
import shutil
import signal
import socket
import subprocess
import sys
import unittest

from sessions import Session, Sessions, quoted, release, until

SHARDLENS, RING_RANKS = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]


def open_files(pid):
    for path in glob.glob("/proc/%d/fd/*" % pid):
        try:
            yield os.readlink(path)
        except FileNotFoundError:  # closed meanwhile
            pass


class Environment(unittest.TestCase):
    def session(self, **environment):
        session = Session(SHARDLENS, **environment)
        self.addCleanup(session.close)
        return session

    def test_lines_survive_the_shell_and_make_nothing_but_the_folder(self):
        session = self.session()
        self.assertEqual(session.inside["SHARDLENS_PROBE"], session.path)
        self.assertTrue(os.access(session.inside["SHARDLENS_AGENT"], os.X_OK))
        self.assertTrue(all(line.startswith("export ") for line in session.lines.splitlines()))
        self.assertFalse(os.path.exists(session.inside["SHARDLENS_RINGS"]))
        self.assertEqual(os.listdir(session.path), ["awaited"])

    def test_what_the_user_has_set_stays(self):
        session = self.session(PYTHONPATH="/mine and yours", NCCL_PROFILER_PLUGIN="mine")
        self.assertTrue(session.inside["PYTHONPATH"].endswith("/probe:/mine and yours"))
        self.assertEqual(session.inside["NCCL_PROFILER_PLUGIN"], "mine")
        self.assertIn("NCCL_PROFILER_PLUGIN names mine", session.says("env", "--dir", "other").stderr)

    def test_a_probe_whose_path_python_cannot_name_is_said(self):
        session = self.session()
        folder = os.path.join(session.folder, "with:colon")
        os.mkdir(folder)
        for name in ("shardlens", "shardlens-agent"):
            shutil.copy(os.path.join(os.path.dirname(SHARDLENS), name), folder)
        shutil.copytree(os.path.join(os.path.dirname(SHARDLENS), "probe"), os.path.join(folder, "probe"))
        done = subprocess.run([os.path.join(folder, "shardlens"), "env"], env=session.environment, capture_output=True, text=True, check=True)
        self.assertIn("PyTorch has a colon", done.stderr)
        self.assertNotIn("PYTHONPATH", done.stdout)

    def test_once_more_in_the_same_shell(self):
        session = self.session(PYTHONPATH="/mine")
        again = subprocess.run([SHARDLENS, "env", "--dir", "other"], cwd=session.folder, env=session.inside, capture_output=True, text=True, check=True)
        for name in ("PYTHONPATH", "LD_PRELOAD", "ASAN_OPTIONS", "NCCL_PROFILER_PLUGIN"):
            self.assertIn("export %s=%s\n" % (name, session.inside[name]), again.stdout)
        self.assertNotIn("names", again.stderr)

    def test_a_folder_that_holds_something_is_left_alone(self):
        session = self.session()
        self.assertIn("new or an empty folder", session.says("env", "--dir", session.path, code=2).stderr)

    def test_nothing_to_watch(self):
        session = self.session()
        self.assertIn("shardlens env", session.says("watch", code=2).stderr)
        self.assertIn("no recording", session.says("watch", "nowhere", code=2).stderr)
        self.assertIn("no recording", session.says("watch", session.folder, code=2).stderr)

    def test_run_in_such_a_shell_records_by_itself(self):
        session = self.session()
        command = [SHARDLENS, "run", "--run-file", "own.slrun", "--", RING_RANKS, "2", "5"]
        subprocess.run(command, cwd=session.folder, env=session.inside, capture_output=True, check=True)
        self.assertEqual(os.listdir(session.path), ["awaited"])
        self.assertFalse(os.path.exists(session.inside["SHARDLENS_RINGS"]))


class Jobs(Sessions):
    shardlens = SHARDLENS

    def held(self, session, ranks="2", barriers="5", silent="-1", **environment):
        """A job whose last rank waits, recorded from its first moment; and how to let it go on."""
        fifo = session.fifo()
        job = session.start([RING_RANKS, ranks, barriers, silent, fifo], **environment)
        most = int(ranks) * int(barriers) - 1
        until(lambda: session.agents() and sum(rank["collectives"] or 0 for rank in (session.replay() or {"ranks": []})["ranks"]) == most, "all but one")
        return job, fifo

    def test_a_job_is_watched_when_it_is_over(self):
        session = self.session()
        self.ended(session.start([RING_RANKS, "3", "5"]))  # too few barriers to judge who is slow
        said = self.watched(session)
        self.assertRegex(said, "Finished after .*, counted from its first rank on: ")
        self.assertIn("3 ranks", said)
        run = session.replay()
        self.assertEqual([(rank["collectives"], rank["state"]) for rank in run["ranks"]], [(5, "done")] * 3)
        self.assertEqual(run["verdicts"], [])
        self.left(session)

    def test_watching_before_the_job_and_until_its_end(self):
        session = self.session()
        watcher = session.watch(session.path)
        self.assertIn("Waiting for the first rank", watcher.stderr.readline())
        job, fifo = self.held(session)
        self.assertIsNone(watcher.poll())
        release(fifo)
        self.ended(job)
        self.assertIn("Finished after", self.ended(watcher))
        self.left(session)

    def test_the_one_that_goes_on_is_found_without_a_name(self):
        session = self.session()
        lines = session.says("env").stdout
        environment = subprocess.run(["sh", "-c", 'eval "$1"; env -0', "sh", lines], env=session.environment, capture_output=True, text=True).stdout
        inside = dict(one.split("=", 1) for one in environment.split("\0") if one)
        self.assertTrue(inside["SHARDLENS_PROBE"].startswith(session.folder + "/runs/job-"))
        watcher = session.watch()
        self.assertIn(inside["SHARDLENS_PROBE"], watcher.stderr.readline())
        session.inside.update(inside)
        self.ended(session.start([RING_RANKS, "2", "5"]))
        self.assertIn("2 ranks", self.ended(watcher))

    def without_a_name(self, session):
        """`shardlens env` without a folder, and what is set after it."""
        lines = session.says("env").stdout
        environment = subprocess.run(["sh", "-c", 'eval "$1"; env -0', "sh", lines], env=session.environment, capture_output=True, text=True).stdout
        session.inside.update(one.split("=", 1) for one in environment.split("\0") if one)
        return session.inside["SHARDLENS_PROBE"]

    def test_the_newest_is_found_without_a_name_when_it_is_over(self):
        session = self.session()
        self.without_a_name(session)  # never used
        path = self.without_a_name(session)
        self.ended(session.start([RING_RANKS, "2", "5"]))
        self.ended(session.watch(path))
        self.assertIn("The newest recording is " + path, self.ended(session.watch()))

    def test_a_newer_job_is_found_while_an_older_one_is_awaited(self):
        session = self.session()
        stale = self.without_a_name(session)
        watcher = session.watch()
        self.assertIn(stale, watcher.stderr.readline())
        path = self.without_a_name(session)
        self.ended(session.start([RING_RANKS, "2", "5"]))
        self.assertIn("Recorded in " + path, self.ended(watcher))

    def test_processes_without_a_rank_say_how_they_end(self):
        for command, code in (("sys.exit(0)", 0), ("sys.exit(3)", 4), ("os._exit(0)", 3)):
            session = self.session()
            library = os.path.join(os.path.dirname(SHARDLENS), "probe", "shardlens_probe", "ring.so")
            join = "import ctypes, os, sys; library = ctypes.PyDLL(%r); library.shardlens_live_join(); %s" % (library, command)
            self.ended(session.start([sys.executable, "-c", join]), code=3 if code == 4 else 0)
            said = self.watched(session, code=code)
            self.assertIn({0: "Finished", 3: "1 process of the job ended without saying how", 4: "ended with code 3"}[code], said)
            self.left(session)

    def test_a_process_that_counts_its_children_does_not_notice_the_agent(self):
        session = self.session()
        library = os.path.join(os.path.dirname(SHARDLENS), "probe", "shardlens_probe", "ring.so")
        script = ("import ctypes, os, signal\ncount = []\nsignal.signal(signal.SIGCHLD, lambda *_: count.append(1))\n"
                  "library = ctypes.PyDLL(%r)\nlibrary.shardlens_live_join.restype = ctypes.c_char_p\n"
                  "assert library.shardlens_live_join()\n"
                  "try:\n    os.waitpid(-1, 0)\nexcept ChildProcessError:\n    print(len(count), 'children')" % library)
        self.assertEqual(self.ended(session.start([sys.executable, "-c", script])), "0 children\n")
        self.assertIn("Finished", self.watched(session))

    def test_ctrl_c_ends_the_watching_alone(self):
        session = self.session()
        job, fifo = self.held(session)
        watcher = session.watch(session.path)
        self.assertTrue(watcher.stderr.readline())
        watcher.send_signal(signal.SIGINT)
        self.assertIn("the job goes on", self.ended(watcher))
        self.assertIsNone(job.poll())
        release(fifo)
        self.ended(job)
        self.watched(session)

    def test_ctrl_c_before_the_job(self):
        session = self.session()
        watcher = session.watch(session.path)
        self.assertTrue(watcher.stderr.readline())
        watcher.send_signal(signal.SIGINT)
        self.assertIn("has not begun", self.ended(watcher))

    def test_how_a_rank_ended_that_does_not_say_good_bye_is_not_known(self):
        session = self.session()
        self.ended(session.start([RING_RANKS, "2", "5", "1"]))
        said = self.watched(session, code=3)
        self.assertIn("How the job ended is not known", said)
        self.assertIn("Rank 1 ended without saying how", said)
        self.assertNotIn("died", said)

    def test_a_rank_that_others_wait_for_has_died(self):
        session = self.session()
        job, _ = self.held(session)
        rank = next(rank["pid"] for rank in session.replay()["ranks"] if rank["collectives"] == 4)
        os.kill(rank, signal.SIGKILL)
        self.ended(job)
        self.assertIn("Rank 1 died", self.watched(session, code=4))

    def test_ranks_and_their_launcher_are_killed(self):
        session = self.session()
        job, _ = self.held(session)
        os.killpg(job.pid, signal.SIGKILL)
        self.watched(session, code=4)
        self.left(session)

    def test_the_agent_is_killed_and_the_job_does_not_notice(self):
        session = self.session()
        job, fifo = self.held(session)
        (agent,) = session.agents().values()
        os.kill(agent, signal.SIGKILL)
        release(fifo)
        self.ended(job)
        self.assertIn("incomplete", self.watched(session, code=3))
        self.assertEqual([rank["collectives"] for rank in session.replay()["ranks"]], [5, 4])
        # Whoever makes a folder of its own beside it sweeps; any job on this machine may have done so before.
        subprocess.run([SHARDLENS, "run", "--quiet", "--run-file", "own.slrun", "--", "true"], cwd=session.folder, env=session.environment, check=True,
                       capture_output=True)
        self.left(session)

    def test_the_job_does_not_wait_for_an_agent_that_is_stopped(self):
        session = self.session()
        job, fifo = self.held(session)
        (agent,) = session.agents().values()
        os.kill(agent, signal.SIGSTOP)
        release(fifo)
        self.ended(job)
        os.kill(agent, signal.SIGCONT)
        self.watched(session)
        self.assertEqual([rank["collectives"] for rank in session.replay()["ranks"]], [5, 5])
        self.left(session)

    def test_a_second_agent_ends_at_once(self):
        session = self.session()
        job, fifo = self.held(session)
        start = os.path.join(session.inside["SHARDLENS_RINGS"], "1")
        subprocess.run([session.inside["SHARDLENS_AGENT"], start], env=session.inside, check=True)
        release(fifo)
        self.ended(job)
        self.watched(session)
        self.assertEqual(len(glob.glob(os.path.join(glob.escape(session.path), "*.slseg"))), 1)

    def test_the_agent_holds_nothing_of_the_job(self):
        session = self.session()
        job, fifo = self.held(session)
        (agent,) = session.agents().values()
        with open("/proc/%d/environ" % agent) as file:
            names = [one.split("=")[0] for one in file.read().split("\0")]
        for name in ("LD_PRELOAD", "PYTHONPATH", "NCCL_PROFILER_PLUGIN"):
            self.assertNotIn(name, names)
        targets = list(open_files(agent))
        self.assertFalse([target for target in targets if target.startswith("pipe:")], targets)
        self.assertEqual(os.readlink("/proc/%d/cwd" % agent), "/")
        self.assertNotEqual(os.getsid(agent), os.getsid(job.pid))
        release(fifo)
        self.ended(job)
        self.watched(session)

    def test_ranks_that_are_started_again_have_a_recording_of_their_own(self):
        session = self.session()
        for ranks in ("2", "3"):
            self.ended(session.start([RING_RANKS, ranks, "5"]))
        self.assertNotIn("again", self.watched(session, number=2))
        self.assertIn("started ranks again", self.watched(session))
        self.ended(session.start([RING_RANKS, "2", "5"]))
        self.watched(session, number=3)
        said = self.watched(session, number=2)
        self.assertIn("started ranks again", said)
        self.assertIn("-3", said)
        self.assertEqual([len(session.replay(number)["ranks"]) for number in (1, 2, 3)], [2, 3, 2])
        self.left(session)

    def test_two_jobs_at_the_same_time(self):
        session = self.session()
        job, fifo = self.held(session, MASTER_PORT="1")
        self.ended(session.start([RING_RANKS, "3", "5"], MASTER_PORT="2"))
        self.watched(session, number=2)
        self.assertEqual(len(session.replay(2)["ranks"]), 3)
        release(fifo)
        self.ended(job)
        self.watched(session)
        self.assertEqual(len(session.replay()["ranks"]), 2)
        self.left(session)

    def test_a_folder_of_somebody_else_is_not_used(self):
        session = self.session()
        os.mkdir(session.inside["SHARDLENS_RINGS"], 0o755)
        self.addCleanup(os.rmdir, session.inside["SHARDLENS_RINGS"])
        self.ended(session.start([RING_RANKS, "2", "5"]))
        self.assertEqual(os.listdir(session.inside["SHARDLENS_RINGS"]), [])

    def test_without_an_agent_that_starts_the_job_is_alone(self):
        for agent in ("/nowhere/shardlens-agent", "/bin/false"):
            session = self.session()
            self.ended(session.start([RING_RANKS, "2", "5"], SHARDLENS_AGENT=agent))
            self.assertEqual(sorted(os.listdir(session.path)), ["awaited", socket.gethostname() + ".failed"])
            self.assertIn("shardlens-agent could not be started there", self.watched(session, code=3))
            self.left(session)

    def test_watching_ends_when_the_job_cannot_be_recorded(self):
        session = self.session()
        for taken in (os.path.join(session.path, socket.gethostname() + ".agent"), session.recording(2)):
            open(taken, "w").close()
        watcher = session.watch(session.path)
        self.assertIn("Waiting", watcher.stderr.readline())
        self.ended(session.start([RING_RANKS, "2", "5"]))
        self.assertIn("could not be recorded", self.ended(watcher, code=3))
        until(lambda: not os.path.exists(session.inside["SHARDLENS_RINGS"]), "the rings taken away")

    def test_an_agent_that_cannot_record_gives_up(self):
        session = self.session()
        blocked = os.path.join(session.folder, "file")
        open(blocked, "w").close()
        self.ended(session.start([RING_RANKS, "2", "5"], SHARDLENS_PROBE=blocked + "/recording"))
        until(lambda: not os.path.exists(session.inside["SHARDLENS_RINGS"]), "the rings taken away")

    def test_two_hosts_that_share_a_file_system(self):
        if subprocess.run(["unshare", "-u", "true"], capture_output=True).returncode != 0:
            self.skipTest("SKIPPED: no right to give a process another host name (unshare -u)")
        session = self.session()
        base = session.inside["SHARDLENS_RINGS"]
        jobs, fifos = [], []
        for host, ranks in (("node-a", "0 1"), ("node-b", "2 3")):
            fifos.append(session.fifo(host))
            command = quoted([RING_RANKS, "4", "5", "-1", fifos[-1]]) + " " + ranks
            jobs.append(session.start(["unshare", "-u", "sh", "-c", "hostname %s; exec %s" % (host, command)], SHARDLENS_RINGS=base + host, MASTER_PORT="1"))
            until(lambda: host in session.agents(), "an agent on " + host)
        run = until(lambda: (lambda found: found and all(rank["pid"] for rank in found["ranks"]) and found)(session.replay()), "all ranks")
        self.assertEqual([rank["host"] for rank in run["ranks"]], ["node-a", "node-a", "node-b", "node-b"])
        watcher = session.watch(session.path)
        for fifo in fifos:
            release(fifo)
        for job in jobs:
            self.ended(job)
        self.assertIn("4 ranks", self.ended(watcher))
        self.assertEqual([(rank["collectives"], rank["state"]) for rank in session.replay()["ranks"]], [(5, "done")] * 4)
        self.assertFalse(glob.glob(base + "*"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
