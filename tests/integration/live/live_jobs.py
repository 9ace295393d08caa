# SPDX-License-Identifier: Apache-2.0
"""live_jobs.py SHARDLENS: what `run -- COMMAND` says of DDP programs that nobody changed, while they run and afterwards in replay. Each
program has its fault. Exit status 77 and a line on stdout where torch is missing."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..", "support"))
from torch_jobs import SKIPPED, has_torch, ranks, torchrun

SHARDLENS = os.path.abspath(sys.argv.pop(1))
HERE = os.path.dirname(os.path.abspath(__file__))
TRAIN = os.path.join(HERE, "train.py")
ALONE = os.path.join(HERE, "alone.py")
PATIENCE_S = 300  # only to end a test that would never end; nothing is measured by it
signal.signal(signal.SIGINT, signal.default_int_handler)  # or jobs, too, would ignore it where these tests are started in the background


class Job:
    """One program under `shardlens run`, in a folder of its own."""

    def __init__(self, fault, count, design=None, **environment):
        self.folder = tempfile.TemporaryDirectory()
        self.path = self.folder.name
        self.output = open(os.path.join(self.path, "output"), "a+")  # the job writes at its end, wherever it is read
        self.environment = dict(os.environ, SAID=self.path, OMP_NUM_THREADS="1", **environment)
        if design is not None:
            with open(os.path.join(self.path, "design.yaml"), "w") as file:
                file.write(design)
        designs = [] if design is None else ["design.yaml"]
        command = [SHARDLENS, "run", *designs, "--run-file", "job.slrun", *self.command(fault, count)]
        self.process = subprocess.Popen(command, cwd=self.path, env=self.environment, stdout=self.output, stderr=subprocess.STDOUT)

    def command(self, fault, count):
        return ["--", *torchrun(count, TRAIN, fault)]

    def replay(self):
        """What the recording says by now; None while there is none."""
        command = [SHARDLENS, "replay", "job.slrun", "--format", "json"]
        done = subprocess.run(command, cwd=self.path, capture_output=True, text=True, timeout=PATIENCE_S)
        return json.loads(done.stdout) if done.returncode == 0 and done.stdout else None

    def verdict(self, kind, recorded):
        found = [one for one in recorded["verdicts"] if one["kind"] == kind] if recorded else []
        return found[0] if found else None

    def until(self, happens, what):
        """What happens() gives once that is something, while the job runs or when it has ended."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            is_over = self.process.poll() is not None
            found = happens()
            if found:
                return found
            if is_over:
                break
            time.sleep(0.2)
        raise AssertionError("never %s: %s\n%s" % (what, self.replay(), self.printed()))

    def await_verdict(self, kind, rank, pattern=""):
        """The first such verdict about this rank, with a message like this."""

        def found():
            one = self.verdict(kind, self.replay())
            return one if one is not None and one["rank"] == rank and re.search(pattern, one["message"]) else None

        return self.until(found, "a verdict %s about rank %d like %r" % (kind, rank, pattern))

    def compared(self):
        """The batches of each rank that were as designed, and that were not, by now."""
        return [(rank["matched"], rank["mismatched"]) for rank in self.replay()["ranks"]]

    def printed(self):
        self.output.seek(0)
        return self.output.read()

    def wait(self):
        return self.process.wait(PATIENCE_S)

    def end(self):
        """Ctrl+C."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.wait()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.output.close()
        self.folder.cleanup()


class Plain(Job):
    """Ranks without a torchrun above them, forked by a process that has imported torch."""

    def command(self, fault, count):
        return ["--", *ranks(count, TRAIN, fault)]


class Launched(Job):
    """The same script, which a launcher of ours starts on every rank."""

    def command(self, fault, count):
        return ["--launcher", "torchrun", "--", sys.executable, TRAIN, fault]


class Alone(Job):
    """A script of one process, which has no rank of its own accord."""

    def command(self, fault, count):
        return ["--", sys.executable, ALONE, fault]


DESIGN = """shardlens: 2
dataset: {size: 160}
world: {nodes: 1, ranks_per_node: 2}
loader: {batch_size: 4}
sampler: {type: torch.DistributedSampler, seed: %d}
framework: {torch: '1.13'}
epochs: 2
"""


class Live(unittest.TestCase):
    def job(self, *arguments, kind=Plain, **environment):
        job = kind(*arguments, **environment)
        self.addCleanup(job.close)
        return job

    def replayed(self, job, kind):
        """The verdict after the end."""
        found = job.verdict(kind, job.replay())
        self.assertIsNotNone(found, job.replay())
        return found

    def test_nothing_is_wrong(self):
        job = self.job("none", 2, kind=Job)
        self.assertEqual(job.wait(), 0, job.printed())
        run = job.replay()
        self.assertEqual([one["rank"] for one in run["ranks"]], [0, 1])
        for rank in run["ranks"]:
            self.assertEqual((rank["steps"], rank["state"], rank["epoch"]), (40, "done", 1))
            self.assertGreater(rank["collectives"], 40)
            for time_of in ("load_s", "compute_s", "transfer_s"):
                self.assertGreater(rank[time_of], 0, time_of)
        self.assertGreater(sum(rank["wait_s"] for rank in run["ranks"]), 0)
        # On a busy host a rank may really be slow.
        self.assertEqual([one for one in run["verdicts"] if one["kind"] not in ("wandering", "paused", "straggler")], [])
        self.assert_same_alone(job)
        self.assertTrue(os.listdir(os.environ["SHARDLENS_RUNS"]))  # the note of this run, which is not below HOME

    def assert_same_alone(self, job):
        """Losses and random numbers are those of the job that nobody watches."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(ranks(2, TRAIN, "none"), env=dict(job.environment, SAID=folder), check=True, capture_output=True)
            for rank in ("0.json", "1.json"):
                with open(os.path.join(folder, rank)) as alone, open(os.path.join(job.path, rank)) as watched:
                    self.assertEqual(alone.read(), watched.read())

    def test_a_slow_rank(self):
        job = self.job("slow", 4, BATCHES="30")  # fewer steps do not tell it from a busy scheduler
        self.assertEqual(job.wait(), 0, job.printed())
        found = self.replayed(job, "straggler")
        self.assertEqual((found["rank"], found["ranks"]), (1, [1]))
        self.assertIn("computing a step", found["message"])
        self.assertIn(found["title"], job.printed())

    def test_a_wait_names_the_line(self):
        job = self.job("late", 4)  # with 2, rank 0 would sit in the broadcast of the buffers, and a root counts as sending
        self.assertEqual(job.wait(), 0, job.printed())
        named = [one for one in job.replay()["verdicts"] if one["line"] is not None]
        self.assertEqual([(one["kind"], one["rank"]) for one in named], [("paused", 1)], job.replay())
        line, message = named[0]["line"], named[0]["message"]
        self.assertEqual((line["file"], line["function"]), (TRAIN, "augment"))
        with open(TRAIN) as script:
            self.assertEqual(script.readlines()[line["line"] - 1].strip(), "time.sleep(2.6)")
        self.assertRegex(message, r"In \d+ of \d+ samples of its code, .* rank 1 was in augment\(\) at train\.py:%d\." % line["line"])
        self.assertIn(message, job.printed())

    def test_slow_storage_on_one_rank(self):
        job = self.job("storage", 4, BATCHES="30")
        self.assertEqual(job.wait(), 0, job.printed())
        found = self.replayed(job, "straggler")
        self.assertEqual((found["rank"], found["ranks"]), (1, [1]))
        self.assertIn("loading a batch", found["message"])

    def test_unequal_shards(self):
        job = self.job("uneven", 2)
        found = job.await_verdict("mismatch", 1, "Rank 1 ran out at step 19 of epoch 0: rank 0 waits for it in ")
        # Who reads the output of a job that goes on, as in a log of Slurm, is told.
        job.until(lambda: found["title"] in job.printed(), "printed")
        job.end()
        self.assertEqual(self.replayed(job, "mismatch")["message"], found["message"])

    def test_another_collective(self):
        job = self.job("other", 3)
        barrier = "rank 1 (is )?in barrier"  # the verdict comes as soon as the first of the others waits, and then names all of them
        found = job.await_verdict("mismatch", 1, barrier)
        self.assertIn("same order", found["next"])
        job.end()
        last = self.replayed(job, "mismatch")
        self.assertEqual(last["rank"], 1)
        self.assertRegex(last["message"], barrier)
        self.assertIn(last["message"], job.printed())

    def test_a_process_that_dies(self):
        job = self.job("killed", 2, kind=Job)
        self.assertEqual(job.wait(), 4, job.printed())
        dead = [one for one in job.replay()["verdicts"] if one["kind"] == "dead"]
        self.assertEqual(dead[0]["rank"], 1, dead)
        self.assertIn("in step 3 of epoch 1", dead[0]["message"])

    def test_a_process_that_is_stopped(self):
        job = self.job("stopped", 2)
        job.await_verdict("stalled", 1, "stopped by a signal.*Rank 0 waits for it in ")
        job.end()
        self.assertEqual(self.replayed(job, "stalled")["rank"], 1)

    def stuck(self, job, function, message):
        """The verdict about rank 1, which is in this function; and its own calls and those of its worker."""
        found = job.await_verdict("stalled", 1, message)
        self.assertRegex(found["next"], r"^Look at train\.py:\d+, where ")
        job.end()
        self.assertRegex(self.replayed(job, "stalled")["message"], message)
        stacks = job.replay()["ranks"][1]["stacks"]
        own = [call for call in stacks[-1]["frames"] if call["own"]]
        self.assertEqual(own[-1]["function"].split(".")[-1], function)
        self.assertEqual(own[-1]["code"], "time.sleep(60)")
        with open(TRAIN) as script:
            self.assertEqual(script.readlines()[own[-1]["line"] - 1].strip(), "time.sleep(60)")
        return stacks

    def compared(self, job, *counts):
        """So many batches of each rank are as designed, and so many are not, while the job goes on: of 40, rank 0 has begun 24 when rank 1 does
        not come back."""
        job.until(lambda: job.compared() == [counts, counts], "%s of each rank" % (counts,))
        self.assertIsNone(job.process.poll(), job.printed())

    def test_code_that_does_not_return(self):
        job = self.job("saving", 2, design=DESIGN % 3)
        job.await_verdict("stalled", 1)
        self.compared(job, 24, 0)
        stacks = self.stuck(job, "save_for_ever", r" Rank 1 is in save_for_ever\(\) at train\.py:\d+\.$")
        self.assertEqual([call["function"] for call in stacks[0]["frames"]], ["<module>", "main", "act", "save_for_ever"])
        self.assertEqual(len(stacks), 1)

    def test_batches_are_held_against_a_design_while_the_job_goes_on(self):
        job = self.job("saving", 2, design=DESIGN % 4)
        found = job.await_verdict("mismatch", 0, "48 batches of ranks 0 and 1")
        self.assertIn("step 0 of epoch 0 of rank 0", found["message"])
        self.compared(job, 0, 24)
        job.end()

    def test_a_script_that_a_launcher_starts_is_watched(self):
        job = self.job("none", 2, design=DESIGN % 3, kind=Launched)
        self.assertEqual(job.wait(), 0, job.printed())
        for rank in job.replay()["ranks"]:
            self.assertEqual((rank["steps"], rank["state"], rank["matched"], rank["mismatched"]), (40, "done", 40, 0))

    def test_one_process_that_waits_for_its_data(self):
        job = self.job("starved", 1, kind=Alone)
        self.assertEqual(job.wait(), 0, job.printed())
        run = job.replay()
        (rank,) = run["ranks"]
        self.assertEqual((rank["steps"], rank["state"], rank["epoch"], rank["wait_s"]), (40, "done", 1, 0))
        self.assertGreater(rank["load_s"], rank["compute_s"])
        self.assertGreater(rank["compute_s"], 0)
        self.assertEqual([one["title"] for one in run["verdicts"]], ["The rank waits for its data"])
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ALONE, "starved"], env=dict(job.environment, SAID=folder), check=True, capture_output=True)
            with open(os.path.join(folder, "0.json")) as alone, open(os.path.join(job.path, "0.json")) as watched:
                self.assertEqual(alone.read(), watched.read())

    def test_one_process_with_a_worker_that_does_not_return(self):
        job = self.job("worker", 1, kind=Alone)
        message = r"Its loader worker 1, which has the batch that it waits for, reads sample 14 in \S*read_for_ever\(\) at alone\.py:\d+\.$"
        found = job.await_verdict("stalled", 0, message)
        self.assertTrue(found["message"].startswith("Rank 0 has been loading in step 3 of epoch 0 for "), found)
        job.end()
        self.assertRegex(self.replayed(job, "stalled")["message"], message)

    def test_one_process_that_makes_a_group_of_its_own_keeps_its_ring(self):
        job = self.job("joins", 1, kind=Alone)
        self.assertEqual(job.wait(), 0, job.printed())
        run = job.replay()
        (rank,) = run["ranks"]
        self.assertEqual((rank["steps"], rank["state"], rank["collectives"]), (40, "done", 37))
        self.assertEqual(run["verdicts"], [])

    def test_a_sample_whose_reading_does_not_end(self):
        job = self.job("reading", 2)
        stacks = self.stuck(job, "read_for_ever", r" Rank 1 reads sample \d+ in \S*read_for_ever\(\) at train\.py:\d+\.$")
        self.assertEqual(len(stacks), 1)

    def test_a_worker_that_does_not_return(self):
        job = self.job("worker", 2)
        message = r" Rank 1 is in main\(\) at train\.py:\d+\. Its loader worker 1, which has the batch that it waits for, reads sample \d+ in "
        stacks = self.stuck(job, "read_for_ever", message)
        self.assertEqual([stack["worker"] for stack in stacks], [None, 1])
        self.assertEqual(stacks[0]["owed_by"], 1)
        self.assertEqual(stacks[1]["frames"][0]["function"], "_worker_loop")
        self.assertNotEqual(stacks[0]["pid"], stacks[1]["pid"])
        said = job.replay()["verdicts"][0]["message"]
        self.assertIn("reads sample %d in" % stacks[1]["sample"], said)
        # Of the order of epoch 0 in two ranks, as torch gives it: torch.randperm(160, generator=torch.Generator().manual_seed(3))[1::2][4 * 3 + 2]
        self.assertEqual(stacks[1]["sample"], 53)


if __name__ == "__main__":
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)
    unittest.main(verbosity=2, warnings="ignore")
