# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share. Each is started as TEST.py SHARDLENS PACKAGE [WRITE_SPECS], with the program, the folder that holds
the package, and the program that writes specs."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SHARDLENS, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
WRITE_SPECS = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else ""
del sys.argv[1:]
sys.path.insert(0, PACKAGE)
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from torch_jobs import SKIPPED, has_torch  # noqa: E402

LAUNCHER_VARIABLES = (
    "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK",
    "PMI_SIZE", "TORCHELASTIC_RESTART_COUNT",
)

SPEC = """shardlens: 2
name: four-ranks
dataset: {size: 203}
world: {nodes: 1, ranks_per_node: 4}
loader: {batch_size: 3, num_workers: 2, drop_last: false}
sampler: {type: torch.DistributedSampler, shuffle: true, seed: 7, drop_last: false, set_epoch: true}
seeds: {base: 5, rule: base+rank}
epochs: 3
"""


def environment(**more):
    """The environment without what a launcher of this test would say, with the package."""
    kept = {name: value for name, value in os.environ.items() if name not in LAUNCHER_VARIABLES}
    return {**kept, "PYTHONPATH": PACKAGE, "PYTHONDONTWRITEBYTECODE": "1", **{name: str(value) for name, value in more.items()}}


def need_torch():
    """Ends a test program where there is no torch, so that ctest says that it was skipped, and why."""
    if not has_torch():
        print(SKIPPED)
        sys.exit(77)


def planned(spec):
    """What `shardlens plan` says: {(epoch, rank): (batches, fingerprint)}."""
    done = subprocess.run([SHARDLENS, "plan", spec, "--format", "json"], capture_output=True, text=True, check=True, timeout=300)
    answer = json.loads(done.stdout)
    return {(epoch["epoch"], rank["rank"]): (rank["batches"], rank["fingerprint"]) for epoch in answer["epochs"] for rank in epoch["ranks"]}


class Test(unittest.TestCase):
    """A test with a folder of its own, and without a launcher around it."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="shardlens-python-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in LAUNCHER_VARIABLES:
            if name in os.environ:
                self.addCleanup(os.environ.__setitem__, name, os.environ.pop(name))
            else:
                self.addCleanup(os.environ.pop, name, None)

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def python(self, code, *words, code_expected=0, **variables):
        """Runs Python code in a process of its own and gives what it prints."""
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, env=environment(**variables), timeout=300, check=False)
        self.assertEqual(done.returncode, code_expected, done.stdout + done.stderr)
        return done.stdout

    def verify(self, *words, code=0):
        """What `shardlens verify` says."""
        done = subprocess.run([SHARDLENS, "verify", *words, "--format", "json"], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)
