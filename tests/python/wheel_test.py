# SPDX-License-Identifier: Apache-2.0
"""The wheel: made without network, and used from where it was unpacked."""
import glob
import importlib.util
import os
import subprocess
import sys
import unittest
import zipfile

from common import PACKAGE, SPEC, Test, environment

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "scripts", "wheel")


class Wheel(Test):
    def test_it_works_where_it_is_unpacked(self):
        library = os.path.join(PACKAGE, "shardlens", "libshardlens_abi.so")
        done = subprocess.run([SCRIPT, self.path("made"), library], env=environment(), capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        (wheel,) = glob.glob(self.path("made/*.whl"))
        self.assertRegex(os.path.basename(wheel), r"^shardlens-[0-9.]+-py3-none-linux_\w+\.whl$")
        self.assertLess(os.path.getsize(wheel), 8_000_000)
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            archive.extractall(self.path("unpacked"))
        self.assertTrue(any(name.endswith("LICENSE") for name in names), names)
        entry_points = next(name for name in names if name.endswith("entry_points.txt"))
        with open(self.path(f"unpacked/{entry_points}"), encoding="utf-8") as file:
            self.assertIn("shardlens = shardlens.pytest_plugin", file.read())
        code = "import sys, shardlens; print(shardlens.__file__, list(shardlens.Plan(sys.argv[1]).batches(0, 1))[0])"
        there = self.python(code, SPEC, PYTHONPATH=self.path("unpacked"))
        self.assertEqual(there.split(" ", 1)[0], self.path("unpacked/shardlens/__init__.py"))
        self.assertEqual(there.split(" ", 1)[1], self.python(code, SPEC).split(" ", 1)[1])


if __name__ == "__main__":
    for needed in ("setuptools", "wheel"):
        if importlib.util.find_spec(needed) is None:
            print(f"SKIPPED: there is no python3-{needed}")
            sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
