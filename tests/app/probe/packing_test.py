# SPDX-License-Identifier: Apache-2.0
"""packing_test.py PROBE: our library packs batches byte for byte as Python does, and whatever it does not understand is left to Python."""
import os
import random
import struct
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from unittest import mock

PROBE = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, PROBE)
from shardlens_probe import live, packing, probe_file, recorder, torch_loaders, trouble  # noqa: E402


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


def unpacked(data):
    """The batches of these bytes; those of wide numbers too."""
    at = 0
    while at < len(data):
        (head,) = struct.unpack_from("<I", data, at)
        count, code = head & ((1 << 30) - 1), "q" if head >> 30 else "i"
        at += 4
        yield list(struct.unpack_from("<%d%s" % (count, code), data, at))
        at += count * struct.calcsize(code)


class Packing(unittest.TestCase):
    def check_two_threads(self, store):
        """One thread adds while this one empties: nothing is lost, repeated or counted wrongly."""
        most = 30000
        is_over = threading.Event()

        def add():
            try:
                for i in range(most):
                    store.put([i, i + 1, i + 2] if i % 100 else [i, 2**40])
            finally:
                is_over.set()

        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            adding = threading.Thread(target=add)
            adding.start()
            told = 0
            is_last = False
            while not is_last:
                is_last = is_over.is_set()
                first, count, data = store.empty()
                batches = list(unpacked(data))
                self.assertEqual((first, count), (told, len(batches)))
                self.assertEqual([batch[0] for batch in batches], list(range(told, told + count)))
                told += count
        finally:
            sys.setswitchinterval(before)
            adding.join()
        self.assertEqual(told, most)

    def test_one_thread_adds_while_another_empties(self):
        self.check_two_threads(packing.store())

    def test_the_same_where_python_packs(self):
        self.check_two_threads(packing.Store())

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
        self.assertEqual(native.empty()[1:], (0, b""))

    def test_batches_that_wait_are_counted_in_bytes(self):
        store = packing.store()
        waiting = [store.put([1, 2, 3]) for _ in range(3)]
        self.assertTrue(0 < waiting[0] < waiting[1] < waiting[2] <= 3 * 16)

    def test_pairs_are_told_by_their_first_and_anything_else_as_it_is(self):
        self.assertEqual(packing.indices_of_pairs([(7, 0), (2**40, 0)]), [7, 2**40])
        for batch in ([7, 8], [(7, 0), 8], [(7, 0, 1)], (7, 0), None):
            self.assertIs(packing.indices_of_pairs(batch), batch)

    def test_python_packs_when_it_is_asked_to(self):
        code = "import sys; sys.path.insert(0, %r); from shardlens_probe import packing; print(type(packing.store()).__name__)" % PROBE
        environment = dict(os.environ, SHARDLENS_PROBE_PYTHON="1")
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "Store\n")


class Silent(Exception):
    def __str__(self):
        raise ValueError("no words")


class FailsOpen(unittest.TestCase):
    def test_an_exception_that_cannot_say_what_it_is_goes_no_further(self):
        def fail():
            raise Silent

        with mock.patch.multiple(trouble, count=0, first=""):
            self.assertIsNone(live.quietly("here", fail))
            self.assertEqual((trouble.count, trouble.first), (1, "here: Silent: "))

    def test_after_an_error_of_the_disk_nothing_is_written_and_no_other_file_has_its_number(self):
        with tempfile.TemporaryDirectory() as folder:
            out = probe_file.ProbeFile(folder, "host", 1)
            fd = out._fd
            self.addCleanup(os.close, fd)
            with mock.patch.object(probe_file.os, "write", side_effect=OSError):
                out.write(b"lost")
            with open(os.path.join(folder, "own"), "w") as own:
                self.assertNotEqual(own.fileno(), fd)
            out.write(b"too late")
            self.assertEqual(os.fstat(fd).st_size, len(probe_file.MAGIC))


class Told:
    """A recorder that keeps what a pass says, and holds up whoever speaks first until it is let go."""

    is_full, backwards = False, 0

    def __init__(self):
        self.said, self.speaks, self.goes_on = [], threading.Event(), threading.Event()

    def has_room(self):
        return not self.is_full

    def news(self, message):
        if not self.speaks.is_set():
            self.speaks.set()
            self.goes_on.wait()
        self.said.append(message)


class News(unittest.TestCase):
    def test_the_last_news_of_a_pass_is_the_newest_whichever_thread_was_held_up(self):
        told = Told()
        read = recorder.Pass(told, 0, told, False, None)
        late = threading.Thread(target=read.tell)
        late.start()
        told.speaks.wait()
        read.backwards = 4
        newer = threading.Thread(target=read.tell)
        newer.start()
        newer.join(0.5)  # it waits for the first, or has spoken in front of it
        told.goes_on.set()
        late.join()
        newer.join()
        self.assertEqual([news["backwards"] for news in told.said], [0, 4])

    def test_a_full_file_is_told_that_a_pass_is_no_longer_quiet_and_how_it_ends(self):
        told = Told()
        told.speaks.set()
        read = recorder.Pass(told, 0, told, False, None)
        read._quiet = True
        read.tell()
        told.is_full = True

        def hand(count):
            for _ in range(count):
                read.handed += 1
                read.tell()

        hand(3)
        read._exhausted = True
        hand(2)
        read.end()
        hand(2)
        read._quiet = False
        read.tell(True)
        self.assertEqual([(news["handed"], news["quiet"]) for news in told.said], [(0, True), (1, False), (4, False), (5, False), (7, False)])


class Stepping(recorder.Recorder):
    """Keeps the steps and discards that its passes write."""

    def __init__(self):
        super().__init__(types.SimpleNamespace(), None, None)
        self.written = {probe_file.STEPS: {}, probe_file.DISCARDS: {}}

    def add(self, kind, message):
        pass

    batches = add

    def steps(self, kind, payload):
        number, first, count = struct.unpack_from("<III", payload)
        known = self.written[kind].setdefault(number, [])
        assert first == len(known)
        known += struct.iter_unpack("<II", payload[12:])
        assert len(known) == first + count


class Optimizer:
    def __init__(self, *parameters):
        self.param_groups = [{"params": list(parameters)}]

    def zero_grad(self):
        pass


class Module:
    def __init__(self, *parameters):
        self.parameters = lambda: iter(parameters)


class Steps(unittest.TestCase):
    def setUp(self):
        self.told = Stepping()
        self.iterators = [Odd(), Odd()]
        self.passes = [recorder.Pass(self.told, number, one, False, None) for number, one in enumerate(self.iterators)]
        for iterator, one in zip(self.iterators, self.passes):
            setattr(iterator, recorder.PASS_OF, one)
        self.told._passes = self.passes
        self.optimizer = Optimizer(1)

    def step(self, optimizer=None):
        self.told.optimizer_stepped(optimizer or self.optimizer)

    def train(self, number):
        self.passes[0].hand([number])
        self.told.backwards += 1

    def written(self, kind=probe_file.STEPS):
        for one in self.passes:
            one.write()
        return self.told.written[kind]

    def test_a_step_says_how_many_batches_and_backward_passes_came_before(self):
        self.step()  # before any batch
        for number in range(4):
            self.passes[0].hand([number])
            self.told.backwards += 1
            if number % 2:
                self.step()
                self.passes[0].write()
        self.assertEqual(self.written(), {0: [(2, 2), (4, 4)]})

    def test_a_pass_that_ended_has_the_step_behind_its_end_and_none_of_later_passes(self):
        self.passes[0].hand([0])
        self.passes[0].end()
        self.told.backwards += 1
        self.step()
        self.passes[1].hand([1])
        self.told.backwards += 1
        self.step()
        self.assertEqual(self.written(), {0: [(1, 1)], 1: [(1, 1)]})

    def test_a_pass_whose_loop_was_left_has_the_step_behind_it_and_none_of_later_passes(self):
        self.train(0)
        del self.iterators[0]
        self.step()
        self.passes[1].hand([1])
        self.step()
        self.assertEqual(self.written(), {0: [(1, 1)], 1: [(1, 0)]})

    def test_gradients_that_are_cleared_without_a_step_are_discarded(self):
        for number in range(4):
            self.train(number)
            if number != 2:
                self.step()
            self.told.optimizer_cleared(self.optimizer)
            self.told.optimizer_cleared(self.optimizer)
        self.assertEqual(self.written(probe_file.DISCARDS), {0: [(3, 3)]})
        self.assertEqual(self.written(), {0: [(1, 1), (2, 2), (4, 4)]})

    def test_the_first_batch_of_all_may_be_discarded(self):
        self.train(0)
        self.told.optimizer_cleared(self.optimizer)
        self.assertEqual(self.written(probe_file.DISCARDS), {0: [(1, 1)]})

    def test_what_one_of_two_optimizers_keeps_is_not_discarded(self):
        other = Optimizer(2)
        self.told.optimizer_cleared(other)
        self.told.optimizer_cleared(self.optimizer)
        self.train(0)
        self.told.optimizer_cleared(other)
        self.train(1)
        self.step()
        self.train(2)
        self.told.optimizer_cleared(other)
        self.told.optimizer_cleared(self.optimizer)
        self.assertEqual(self.written(probe_file.DISCARDS), {0: [(3, 3)]})

    def test_a_module_clears_what_its_optimizer_has(self):
        self.step()
        self.train(0)
        self.told.module_cleared(Module(2))
        self.assertEqual(self.written(probe_file.DISCARDS), {})
        self.told.module_cleared(Module(1, 2))
        self.assertEqual(self.written(probe_file.DISCARDS), {0: [(1, 1)]})

    def test_a_module_without_parameters_of_an_optimizer_discards_nothing(self):
        self.train(0)
        self.told.module_cleared(Module(2))  # while no optimizer is known
        for number in range(1, 4):
            self.told.optimizer_made(self.optimizer)
            self.train(number)
            self.told.module_cleared(Module(2))
        self.step()
        self.assertEqual(self.written(probe_file.DISCARDS), {})
        self.assertEqual(self.written(), {0: [(4, 4)]})

    def test_an_optimizer_keeps_gradients_from_its_making_on(self):
        patches = torch_loaders._Patches(None, None)
        patches._recorder = self.told
        made = type("Made", (Optimizer,), {})
        patches.optimizer(types.SimpleNamespace(Optimizer=made))
        first, second = made(1), made(2)
        self.train(0)
        second.zero_grad()
        self.train(1)
        self.step(first)
        self.assertEqual(self.written(probe_file.DISCARDS), {})
        self.assertEqual(self.written(), {0: [(2, 2)]})

    def test_an_optimizer_clears_what_one_that_it_wraps_has(self):
        inner, outer = Optimizer(1), Optimizer(1, 2)
        self.told.optimizer_made(inner)
        self.train(0)
        self.told.optimizer_cleared(outer)
        self.assertEqual(self.written(probe_file.DISCARDS), {0: [(1, 1)]})


if __name__ == "__main__":
    unittest.main(verbosity=2)
