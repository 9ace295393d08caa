# SPDX-License-Identifier: Apache-2.0
"""The plugin for pytest, in a real pytest."""
import importlib.util
import os
import subprocess
import sys
import unittest

from common import SPEC, Test, environment


class Plugin(Test):
    def pytest(self, *words):
        words = [sys.executable, "-m", "pytest", "-p", "shardlens.pytest_plugin", "-p", "no:cacheprovider", "-q", *words]
        done = subprocess.run(words, capture_output=True, text=True, env=environment(), cwd=self.folder, timeout=300, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_a_spec_is_a_test(self):
        self.path("pipeline.yaml", SPEC)
        code, said = self.pytest("pipeline.yaml")
        self.assertEqual(code, 0, said)
        self.assertIn("3 passed", said)

    def test_what_is_wrong_is_said(self):
        self.path("pipeline.yaml", SPEC.replace("drop_last: false}\nsampler", "drop_last: true}\nsampler").replace("batch_size: 3", "batch_size: 4"))
        code, said = self.pytest("pipeline.yaml")
        self.assertEqual(code, 1, said)
        self.assertIn("1 failed, 2 passed", said)
        self.assertRegex(said, "samples of 203 reach no rank")

    def test_specs_are_found_when_asked_for(self):
        os.mkdir(self.path("sub"))
        self.path("sub/pipeline.yaml", SPEC)
        self.path("sub/other.yaml", "services: {}\n")
        self.assertIn("no tests ran", self.pytest(".")[1])
        self.assertIn("3 passed", self.pytest("--shardlens", ".")[1])

    def test_the_fixture(self):
        self.path("pipeline.yaml", SPEC)
        self.path(
            "test_it.py",
            "import pytest\n@pytest.mark.shardlens('pipeline.yaml')\ndef test_it(shardlens_plan):\n    assert shardlens_plan.steps(0, rank=1) == 17\n"
            "def test_none(shardlens_plan):\n    pass\n",
        )
        code, said = self.pytest("--strict-markers", "test_it.py")
        self.assertEqual(code, 1, said)
        self.assertIn("1 passed, 1 error", said)
        self.assertIn("shardlens_plan needs a spec", said)


if __name__ == "__main__":
    if importlib.util.find_spec("pytest") is None:
        print("SKIPPED: there is no pytest for", sys.executable)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
