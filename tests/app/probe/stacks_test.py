# SPDX-License-Identifier: Apache-2.0
"""stacks_test.py PROBE: what the thread of the probe tells of code that does not go on. Without torch."""
import builtins
import importlib.util
import itertools
import json
import os
import sys
import tempfile
import threading
import time
import types
import unittest
import weakref
from unittest import mock

sys.path.insert(0, os.path.abspath(sys.argv.pop(1)))
from shardlens_probe import stacks  # noqa: E402

stacks.LOOK_S = 0.01
stacks.QUIET_S = 0.05
PATIENCE_S = 60  # only to end a test that would never end


class Stuck(threading.Thread):
    """In a function of the job until it is let go, then in another one."""

    def __init__(self):
        super().__init__(daemon=True)
        self.gates = [threading.Event(), threading.Event()]
        self.start()

    def run(self):
        self.first_place()
        self.second_place()

    def first_place(self):
        self.gates[0].wait()

    def second_place(self):
        self.gates[1].wait()


class Stacks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # a thread may be about to write there
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = os.path.join(self.folder, "stacks", "5-%d.json" % os.getpid())
        self.news = 1
        self.goes_on = False
        self.stuck = Stuck()
        self.addCleanup(lambda: [gate.set() for gate in self.stuck.gates])
        self.addCleanup(self.end)

    def end(self):
        self.goes_on = self.news = False

    def told(self):
        """The news, of which there are more at each look from where goes_on is set."""
        if self.goes_on:
            self.news += 1
        return self.news

    def watch(self, **named):
        stacks.Watch(self.folder, 5, self.stuck, self.told, **named).start()

    def await_told(self, function):
        """What the file says, once the innermost call of the job's own code is this."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if os.path.exists(self.file):
                with open(self.file) as file:
                    said = json.load(file)
                own = [call for call in said["frames"] if call["own"]]
                if own and own[-1]["function"].split(".")[-1] == function:
                    return said
            time.sleep(0.01)
        self.fail("nothing was told of " + function)

    def test_the_calls_that_have_not_returned(self):
        self.watch()
        said = self.await_told("first_place")
        self.assertEqual(said["pid"], os.getpid())
        own = [call for call in said["frames"] if call["own"]]
        self.assertEqual([call["function"].split(".")[-1] for call in own], ["run", "first_place"])
        self.assertEqual(own[-1]["code"], "self.gates[0].wait()")
        with open(__file__) as script:
            self.assertEqual(script.readlines()[own[-1]["line"] - 1].strip(), own[-1]["code"])
        self.assertEqual(own[-1]["file"], __file__)
        self.assertFalse(said["frames"][-1]["own"])  # wait() of threading
        self.assertEqual(said["frames"][-1]["code"], "")
        self.assertNotIn("worker", said)

    @unittest.skipUnless(hasattr(sys, "_current_exceptions"), "this Python does not tell the exceptions of other threads")
    def test_an_exception_that_is_handled(self):
        gate = threading.Event()
        self.addCleanup(gate.set)

        def handle(error):
            try:
                raise error
            except (ValueError, StopIteration):
                gate.wait()

        for error, text in ((ValueError("no number"), "ValueError: no number"), (StopIteration(), None)):
            gate.clear()
            worker = threading.Thread(target=handle, args=(error,), daemon=True)
            worker.start()
            stacks.Watch(self.folder, 5, worker, self.told).start()
            said = self.await_told("handle").get("exception")
            self.assertEqual(said and said["text"], text)
            if said:
                with open(__file__) as script:
                    self.assertEqual(script.readlines()[said["line"] - 1].strip(), "raise error")
                self.assertEqual(said["file"], __file__)
            gate.set()
            worker.join()
            self.await_over()

    def test_calls_that_follow_are_told_as_well(self):
        self.watch(worker=3)
        first = self.await_told("first_place")
        self.stuck.gates[0].set()
        then = self.await_told("second_place")
        self.assertEqual(then["worker"], 3)
        self.assertGreater(then["time_ns"], first["time_ns"])

    def test_nothing_is_told_while_there_are_news(self):
        """As many looks as are needed to tell in the other tests."""
        looks = [0]

        def news():
            looks[0] += 1
            return looks[0]

        stacks.Watch(self.folder, 5, self.stuck, lambda: self.news and news()).start()
        until = time.monotonic() + PATIENCE_S
        while looks[0] < 100 and time.monotonic() < until:
            time.sleep(0.01)
        self.assertGreaterEqual(looks[0], 100)
        self.assertFalse(os.path.exists(self.file))

    def test_what_is_over_is_withdrawn(self):
        self.watch()
        self.await_told("first_place")
        self.goes_on = True
        said = self.await_over()
        quiet = said["quiet"]
        self.assertEqual(quiet["function"].split(".")[-1], "first_place")
        with open(__file__) as script:
            self.assertEqual(script.readlines()[quiet["line"] - 1].strip(), "self.gates[0].wait()")
        self.assertEqual(quiet["file"], __file__)
        # The first sample may be of a moment at which the thread had not come there yet.
        self.assertIn(quiet["samples"] - quiet["there"], (0, 1))
        self.assertLess(quiet["since_ns"], said["time_ns"])

    def test_samples_are_taken_from_the_first_look_without_news(self):
        """Also those of the time before anything is told; without that, nothing is told of them."""
        look_ns = int(stacks.LOOK_S * 1e9)
        os.makedirs(os.path.dirname(self.file))
        now = 0

        def told():
            nonlocal now
            now += look_ns
            return next(news)

        for looks, samples in ((4, None), (8, 7)):
            now, news = 0, iter([1] * looks + [2, False])
            with mock.patch.object(stacks, "_sleep", lambda _: None), mock.patch.object(stacks, "_clock", lambda: now):
                stacks.Watch(self.folder, 5, self.stuck, told)._look_until_over()
            self.assertEqual(os.path.exists(self.file), samples is not None)
        with open(self.file) as file:
            said = json.load(file)
        self.assertEqual((said["quiet"]["since_ns"], said["quiet"]["samples"], said["time_ns"]), (look_ns, samples, 8 * look_ns))

    def test_the_file_of_a_worker_goes(self):
        self.watch(worker=3)
        self.assertNotIn("quiet", self.await_told("first_place"))
        self.goes_on = True
        until = time.monotonic() + PATIENCE_S
        while os.path.exists(self.file) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertFalse(os.path.exists(self.file))

    def test_samples_are_of_code_that_waits_for_nobody(self):
        def frame(file, line):
            return types.SimpleNamespace(f_code=types.SimpleNamespace(co_filename=file, co_name="work", co_qualname="work"), f_lineno=line)

        def place(*frames, owing=None):
            return stacks.sampled_place(frames, owing, stacks._library_folders())

        torch = "/venv/lib/python3.11/site-packages/torch/"
        own = frame("/home/me/train.py", 57)
        self.assertEqual(place(frame(torch + "nn/linear.py", 3), own), ("/home/me/train.py", 57, "work"))
        self.assertIsNone(place(own, owing=(1, 4711)))
        self.assertIsNone(place(frame(torch + "distributed/distributed_c10d.py", 9), own))
        self.assertIsNone(place(frame(torch + "nn/linear.py", 3)))
        self.assertIsNone(place())

    def test_a_thread_that_has_ended_is_not_told_of(self):
        """Its number may be that of another thread by now."""
        self.watch()
        self.await_told("first_place")
        for gate in self.stuck.gates:
            gate.set()
        self.stuck.join()
        self.await_over()

    def test_objects_of_the_job_are_not_kept(self):
        class Large:
            pass

        kept = []
        gate = threading.Event()

        def hold():
            large = Large()
            kept.append(weakref.ref(large))
            gate.wait()
            del large

        def run():
            hold()
            self.stuck.gates[0].wait()

        self.stuck.gates[0].clear()
        worker = threading.Thread(target=run, daemon=True)
        worker.start()
        stacks.Watch(self.folder, 5, worker, self.told).start()
        self.await_told("hold")
        self.goes_on = True
        self.await_over()
        gate.set()
        until = time.monotonic() + PATIENCE_S
        while kept[0]() is not None and time.monotonic() < until:
            time.sleep(0.01)
        self.assertIsNone(kept[0]())

    def test_a_job_that_replaces_open_does_not_see_it(self):
        seen = []
        original = builtins.open

        def replaced(*arguments, **named):
            seen.append(arguments)
            return original(*arguments, **named)

        builtins.open = replaced
        try:
            self.watch()
            until = time.monotonic() + PATIENCE_S
            while not os.path.exists(self.file) and time.monotonic() < until:
                time.sleep(0.01)
        finally:
            builtins.open = original
        self.assertTrue(os.path.exists(self.file))
        self.assertEqual(seen, [])

    def await_over(self):
        """What the file says, once it has no calls any more."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with open(self.file) as file:
                said = json.load(file)
            if not said["frames"]:
                return said
            time.sleep(0.01)
        self.fail("the calls were not withdrawn")

    def test_the_job_sees_no_other_thread(self):
        before = set(threading.enumerate())
        self.watch()
        self.await_told("first_place")
        self.assertLessEqual(set(threading.enumerate()), before)  # threads of other tests may end meanwhile

    def test_own_code_is_what_is_not_installed(self):
        folders = stacks._library_folders()
        self.assertTrue(stacks.is_own("/home/me/train.py", folders))
        self.assertTrue(stacks.is_own("train.py", folders))
        self.assertTrue(stacks.is_own("<stdin>", folders))
        self.assertFalse(stacks.is_own("<frozen importlib._bootstrap>", folders))
        self.assertFalse(stacks.is_own("/venv/lib/python3.11/site-packages/torch/serialization.py", folders))
        self.assertFalse(stacks.is_own("/usr/lib/python3/dist-packages/torch/serialization.py", folders))
        self.assertFalse(stacks.is_own(importlib.util.find_spec("json").origin, folders))


if __name__ == "__main__":
    unittest.main()
