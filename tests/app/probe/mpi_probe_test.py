# SPDX-License-Identifier: Apache-2.0
"""mpi_probe_test.py PROBE CALLS: the MPI probe below a program with a made-up MPI library, and in programs without MPI."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROBE, CALLS = sys.argv[1:3]


def run(command, **environment):
    env = {**os.environ, "ASAN_OPTIONS": "verify_asan_link_order=0", **environment}
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class MpiProbe(unittest.TestCase):
    def test_it_needs_no_symbol_of_mpi(self):
        names = run(["nm", "-D", "-u", PROBE])
        self.assertEqual(names.returncode, 0, names.stderr)
        self.assertEqual([line for line in names.stdout.splitlines() if "mpi" in line.lower()], [])

    def test_it_gives_no_names_but_those_of_mpi(self):
        names = run(["nm", "-D", "--defined-only", PROBE]).stdout.split()[2::3]
        self.assertIn("MPI_Barrier", names)
        self.assertIn("mpi_barrier_", names)
        self.assertEqual([name for name in names if not name.lower().startswith("mpi_")], [])

    def test_other_programs_do_what_they_did(self):
        self.assertEqual(run(["ls", "/"], LD_PRELOAD=PROBE).stdout, run(["ls", "/"]).stdout)
        with tempfile.TemporaryDirectory() as folder:
            done = run(["sh", "-c", "echo $((6 * 7))"], LD_PRELOAD=PROBE, SHARDLENS_RINGS=folder)
            self.assertEqual((done.stdout, done.stderr), ("42\n", ""))
            self.assertEqual(os.listdir(folder), [])

    def test_each_call_is_two_records_and_there_is_no_thread(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run([CALLS, "20000"], LD_PRELOAD=PROBE, SHARDLENS_RINGS=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            said = json.loads(done.stdout)
            self.assertEqual(said["records"], 2 * said["calls"] + 1)  # and the hello
            self.assertEqual((said["dropped"], said["threads"]), (0, 1))
            self.assertEqual(os.listdir(folder), ["rank-0.ring"])

    def test_without_a_place_for_its_ring_it_does_nothing(self):
        for folder in ("/nowhere/at/all", ""):
            done = run([CALLS, "20000"], LD_PRELOAD=PROBE, SHARDLENS_RINGS=folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(json.loads(done.stdout)["records"], 0)


unittest.main(argv=sys.argv[:1])
