# SPDX-License-Identifier: Apache-2.0
"""packing_test.py PROBE: our library packs batches byte for byte as Python does, and whatever it does not understand is left to Python."""
import os
import random
import subprocess
import sys
import unittest

PROBE = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, PROBE)
from shardlens_probe import packing  # noqa: E402


class Odd:
    """Has a length and no items."""

    def __len__(self):
        return 3


class Whole:
    def __index__(self):
        return 5


class Derived(list):
    pass


class DerivedInt(int):
    pass


def batches():
    draw = random.Random(3)
    yield from ([], [0], [2**30 - 1, 2**30, 2**31 - 1], [2**31], [-1, -(2**31)], [-(2**31) - 1], [2**63 - 1], [2**63], [2**90])
    yield from ([True, False], [1.0], [None], ["a"], [[1]], "text", (1, 2, 3), range(4), 7, None, Odd(), [Whole()], Derived([1, 2]), [DerivedInt(9)])
    yield list(range(5000))
    yield list(range(70000))
    for _ in range(2000):
        most = draw.choice((10, 2**15, 2**30, 2**31, 2**31 + 5, 2**62))
        yield [draw.randrange(most) for _ in range(draw.randrange(300))]


class Packing(unittest.TestCase):
    def test_both_give_the_same_bytes(self):
        native, plain = packing.store(), packing.Store()
        if sys.implementation.name == "cpython" and (3, 8) <= sys.version_info[:2] <= (3, 13):
            self.assertIs(type(native), packing.NativeStore)
        for number, batch in enumerate(batches()):
            native.put(batch)
            plain.put(batch)
            if number % 7 == 0:
                self.assertEqual(native.empty(), plain.empty(), number)
        self.assertEqual(native.empty(), plain.empty())
        self.assertEqual(native.empty(), (0, b""))

    def test_batches_that_wait_are_counted_in_bytes(self):
        store = packing.store()
        waiting = [store.put([1, 2, 3]) for _ in range(3)]
        self.assertTrue(0 < waiting[0] < waiting[1] < waiting[2] <= 3 * 16)

    def test_python_packs_when_it_is_asked_to(self):
        code = "import sys; sys.path.insert(0, %r); from shardlens_probe import packing; print(type(packing.store()).__name__)" % PROBE
        environment = dict(os.environ, SHARDLENS_PROBE_PYTHON="1")
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "Store\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
