# SPDX-License-Identifier: Apache-2.0
"""signals_test.py PROBE: an exception that a signal handler of the job raises while the probe's code runs reaches the job."""
import functools
import os
import signal
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

PROBE = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, PROBE)
from shardlens_probe import datasets, describe, hook, live, packing, probe_file, recorder, seeds, trouble  # noqa: E402


def interrupt(*_):
    signal.raise_signal(signal.SIGUSR1)


def time_out(signum, frame):
    raise TimeoutError


class Handler:
    def method(self, signum, frame, more=None):
        time_out(signum, frame)

    __call__ = method


class Interrupting:
    __len__ = __iter__ = tolist = interrupt
    indices = weights = ()


class Interrupted(Exception):
    __str__ = interrupt


class Broken:
    def __len__(self):
        time_out(signal.SIGUSR1, None)  # as no handler


def write():
    with tempfile.TemporaryDirectory() as folder:
        out = probe_file.ProbeFile(folder, "host", 1)
        fd = out._fd
        try:
            with mock.patch.object(probe_file.os, "write", interrupt):
                out.write(b"more")
        finally:
            assert out._fd == fd  # it goes on to record
            out.close()


def find(name, path, target):
    interrupt()


def load():
    loader = types.SimpleNamespace(exec_module=lambda module: None)
    hook._act_after(loader, interrupt)
    loader.exec_module(types.SimpleNamespace(__name__="loaded"))


def states():
    with mock.patch.object(seeds, "_random", interrupt):
        seeds.states()


def look_for():
    with mock.patch.object(sys, "meta_path", [types.SimpleNamespace(find_spec=find)]):
        hook.AfterLoad({"looked_for": None}).find_spec("looked_for")


PLACES = {
    "a call": lambda: live.quietly("here", interrupt),
    "a call in a call": lambda: live.quietly("here", live.quietly, "there", interrupt),
    "the text of an exception": lambda: trouble.note("here", Interrupted()),
    "a batch": lambda: packing.Store().put(Interrupting()),
    "a batch of something else": lambda: packing._packed(Interrupting()),
    "a write": write,
    "the length of a dataset": lambda: datasets._length(Interrupting()),
    "a list of a sampler": lambda: describe._listed(Interrupting()),
    "a generator": states,
    "an import": look_for,
    "a module that was loaded": load,
}


class Signals(unittest.TestCase):
    def setUp(self):
        self.handle(time_out)
        fresh = mock.patch.multiple(trouble, count=0, first="")
        fresh.start()
        self.addCleanup(fresh.stop)

    def handle(self, handler):
        self.addCleanup(signal.signal, signal.SIGUSR1, signal.signal(signal.SIGUSR1, handler))

    def test_its_exception_reaches_the_job_from_wherever_the_probe_is(self):
        for name, place in PLACES.items():
            with self.subTest(name):
                self.assertRaises(TimeoutError, place)

    def test_whatever_kind_of_handler_it_is(self):
        def wrapped(*arguments):
            time_out(*arguments)

        def removed(number, interrupted):
            signal.signal(number, signal.SIG_DFL)
            time_out(number, interrupted)

        def named(signum, frame):
            signum = signal.Signals(signum)
            raise TimeoutError(signum.name)

        def more(self, signum, frame):
            time_out(signum, frame)

        partials = functools.partial(time_out), functools.partial(more, None)
        for handler in (wrapped, removed, named, Handler(), Handler().method, *partials, lambda *_: time_out(*_)):
            with self.subTest(handler):
                self.handle(handler)
                self.assertRaises(TimeoutError, live.quietly, "here", interrupt)
        self.assertEqual(trouble.count, 0)

    def test_a_handler_that_raises_nothing_changes_nothing(self):
        self.handle(lambda *_: None)
        self.assertEqual(live.quietly("here", lambda: (interrupt(), 7)[1]), 7)

    def test_a_full_file_says_so_although_a_handler_raised_meanwhile(self):
        full = mock.Mock(_left=0, _has_said_limit=False, add=mock.Mock(side_effect=interrupt))
        self.assertRaises(TimeoutError, recorder.Recorder.has_room, full)
        full.add = mock.Mock()
        for _ in range(2):
            self.assertFalse(recorder.Recorder.has_room(full))
        full.add.assert_called_once_with(probe_file.LIMIT, {})

    def test_other_exceptions_of_the_job_s_code_stay_in_the_probe(self):
        self.assertIsNone(datasets._length(Broken()))
        self.assertIsNone(live.quietly("here", time_out, signal.SIGUSR1, sys._getframe()))
        self.assertEqual((trouble.count, trouble.first), (1, "here: TimeoutError: "))


JOB = """
import signal, sys
import torch
from torch.utils.data import DataLoader, Dataset

def time_out(signum, frame):
    raise TimeoutError
signal.signal(signal.SIGUSR1, time_out)

def interrupt(place):
    if wanted == place and "shardlens_probe" in sys._getframe(2).f_code.co_filename:
        signal.raise_signal(signal.SIGUSR1)

class Numbers(Dataset):
    def __len__(self):
        interrupt("dataset")
        return 4
    def __getitem__(self, index):
        return index

class Batch(list):
    def __len__(self):
        interrupt("batch")
        return super().__len__()

loader = DataLoader(Numbers(), batch_sampler=[Batch([0, 1]), Batch([2, 3])])
for wanted in ("dataset", "batch", "nothing"):
    try:
        print([batch.tolist() for batch in loader])
    except TimeoutError:
        print("timed out in a", wanted)
"""


class Job(unittest.TestCase):
    def test_a_job_sees_its_exception_and_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, PYTHONPATH=PROBE, SHARDLENS_PROBE=folder)
            environment.pop("SHARDLENS_RINGS", None)
            done = subprocess.run([sys.executable, "-c", JOB], env=environment, capture_output=True, text=True)
            if "No module named 'torch'" in done.stderr:
                self.skipTest("there is no torch for " + sys.executable)
            self.assertEqual(done.stdout, "timed out in a dataset\ntimed out in a batch\n[[0, 1], [2, 3]]\n", done.stderr)
            (name,) = os.listdir(folder)
            with open(os.path.join(folder, name), "rb") as file:
                written = file.read()
            self.assertEqual(written.count(b'"loader":'), 3)  # it was described once, and read in two passes that were told
            self.assertNotIn(b'"first":', written)  # no trouble


if __name__ == "__main__":
    unittest.main(verbosity=2)
