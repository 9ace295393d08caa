# SPDX-License-Identifier: Apache-2.0
"""limit_test.py PROBE: the file of a job that goes on making loaders, or reading one, does not grow without bound. Needs torch."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

PROBE = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, PROBE)
from shardlens_probe import probe_file  # noqa: E402

JOB = """
import sys
from torch.utils.data import DataLoader
print([batch.tolist() for _ in range(int(sys.argv[1])) for batch in DataLoader(range(4), batch_size=2)] == int(sys.argv[1]) * [[0, 1], [2, 3]])
"""

LONG_PASS = """
import time
from torch.utils.data import DataLoader
until = time.monotonic() + 1.5
for number, _ in enumerate(DataLoader(range(10**7), batch_size=2)):
    if time.monotonic() > until:
        break
print(number + 1)
"""


def frames(data):
    at = len(probe_file.MAGIC)
    while at < len(data):
        _, size, kind, _, _ = struct.unpack_from("<4sIIII", data, at)
        yield kind, data[at + 20 : at + 20 + size]
        at += 20 + size


class Limit(unittest.TestCase):
    def ran(self, most, job, *words):
        """What a job prints, and the frames of its file."""
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, PYTHONPATH=PROBE, SHARDLENS_PROBE=folder, SHARDLENS_PROBE_BYTES=str(most))
            environment.pop("SHARDLENS_RINGS", None)
            done = subprocess.run([sys.executable, "-c", job, *words], env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            (name,) = os.listdir(folder)
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
        return done.stdout, list(frames(data))

    def recorded(self, passes, most):
        """The frames of a job that reads so many loaders."""
        said, told = self.ran(most, JOB, str(passes))
        self.assertEqual(said, "True\n")
        return told

    def test_later_loaders_are_left_out_and_that_is_said_once(self):
        told = self.recorded(200, 20000)
        kinds = [kind for kind, _ in told]
        self.assertEqual(kinds.count(probe_file.LIMIT), 1)
        self.assertEqual(kinds[-1], probe_file.END)
        self.assertNotIn(probe_file.TROUBLE, kinds)
        counted = (probe_file.LOADER, probe_file.PASS, probe_file.BATCHES)
        self.assertTrue(set(kinds[kinds.index(probe_file.LIMIT) :]).isdisjoint(counted))
        self.assertTrue(20000 <= sum(len(payload) for kind, payload in told if kind in (*counted, probe_file.NEWS)) < 25000)
        passes = [json.loads(payload)["pass"] for kind, payload in told if kind == probe_file.PASS]
        self.assertTrue(0 < len(passes) < 50)
        self.assertTrue({json.loads(payload)["pass"] for kind, payload in told if kind == probe_file.NEWS} <= set(passes))

    def test_a_pass_that_goes_on_tells_only_its_end(self):
        said, told = self.ran(5000, LONG_PASS)
        kinds = [kind for kind, _ in told]
        self.assertEqual(kinds.count(probe_file.LIMIT), 1)
        later = told[kinds.index(probe_file.LIMIT) + 1 :]
        self.assertEqual([kind for kind, _ in later], [probe_file.NEWS, probe_file.END])
        self.assertEqual(json.loads(later[0][1])["handed"], int(said))

    def test_without_any_room_only_that_is_said(self):
        self.assertEqual([kind for kind, _ in self.recorded(3, 0)], [probe_file.PROCESS, probe_file.LIMIT, probe_file.END])

    def test_what_fits_is_all_there(self):
        kinds = [kind for kind, _ in self.recorded(3, 20000)]
        self.assertEqual((kinds.count(probe_file.PASS), kinds.count(probe_file.LIMIT)), (3, 0))


if __name__ == "__main__":
    try:
        import torch.utils.data  # noqa: F401
    except ImportError:
        print("SKIPPED: there is no torch for " + sys.executable)
        sys.exit(77)
    unittest.main(verbosity=2)
