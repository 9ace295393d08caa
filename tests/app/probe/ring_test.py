# SPDX-License-Identifier: Apache-2.0
"""ring_test.py PROBE RINGS: what the probe writes into the ring of a rank, without torch. RINGS is the folder of the module that reads it."""
import ctypes
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

PROBE, RINGS = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
sys.path[:0] = [PROBE, RINGS]
import rings  # noqa: E402
from shardlens_probe.live import _WORLDS, NO_PEER, Live, Reading  # noqa: E402


class Rings(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # the probe's thread may be about to write there
        self.live = Live(self.folder.name)
        self.live.start(1, 3)

    def tearDown(self):
        self.live.close()
        self.folder.cleanup()

    def ring(self):
        return rings.Ring(self.folder.name, 1)

    def kinds(self):
        return [one.kind for one in self.ring().records]

    def batch(self, reading, trains=True):
        self.live.asks(reading)
        self.live.got(reading)
        if trains:
            self.live.backward_begins()
            self.live.backward_ends()

    def steps(self):
        return [(one.kind, one.epoch, one.step) for one in self.ring().of(rings.EPOCH_BEGIN, rings.EPOCH_END, rings.STEP_BEGIN, rings.STEP_END)]

    def test_says_hello_and_good_bye(self):
        ring = self.ring()
        self.assertEqual((ring.rank, ring.world_size, ring.pid), (1, 3, os.getpid()))
        self.assertEqual([(one.kind, one.a, one.b) for one in ring.records], [(rings.HELLO, os.getpid(), 3)])

    def test_the_good_bye_has_the_code_of_the_process(self):
        ends = {"pass": 0, "sys.exit(3)": 3, "sys.exit(-1)": 255, "sys.exit(256)": 0, "raise ValueError": 1, "import os; os._exit(4)": None,
                "raise KeyboardInterrupt": 130, "try: raise KeyboardInterrupt\nexcept KeyboardInterrupt: pass": 0}  # fmt: skip
        for end, code in ends.items():
            with self.subTest(end=end), tempfile.TemporaryDirectory() as folder:
                script = f"import sys; sys.path[:0] = [{PROBE!r}]\nfrom shardlens_probe.live import Live\nLive({folder!r}).start(1, 3)\n{end}\n"
                subprocess.run([sys.executable, "-c", script], stderr=subprocess.DEVNULL, check=False)
                ring = rings.Ring(folder, 1)
                byes = [one.a for one in ring.records if one.kind == rings.BYE]
                self.assertEqual(byes, [] if code is None else [code])
                self.assertEqual([one.b for one in ring.records if one.kind == rings.BYE and one.b], [2] if code == 130 else [])
                self.assertEqual(ring.phase == rings.DONE, code is not None)

    def test_a_step_is_from_one_batch_to_the_next(self):
        reading = Reading(4, True)
        self.batch(reading)
        self.batch(reading)
        self.live.asks(reading)
        self.assertEqual(self.ring().phase, rings.LOAD)
        self.live.exhausted(reading)
        self.assertEqual(self.steps(), [
            (rings.EPOCH_BEGIN, 0, 0), (rings.STEP_BEGIN, 0, 0), (rings.STEP_END, 0, 0), (rings.STEP_BEGIN, 0, 1), (rings.STEP_END, 0, 1),
            (rings.EPOCH_END, 0, 1)])  # fmt: skip
        self.assertEqual(self.ring().of(rings.EPOCH_END)[0].a, 2)
        self.assertEqual([one.b for one in self.ring().of(rings.EPOCH_BEGIN)], [1 + reading.number])
        loads = [(one.kind, one.epoch, one.step) for one in self.ring().records if one.op == rings.LOAD]
        self.assertEqual(loads[:4], [(kind, 0, step) for step in (0, 1) for kind in (rings.PHASE_BEGIN, rings.PHASE_END)])
        self.assertEqual(self.ring().phase, 0)

    def test_a_step_in_which_the_loop_was_left_is_done_if_it_learned(self):
        first, second = Reading(0, True), Reading(1, True)
        self.batch(first)
        self.batch(first, trains=False)  # and was left before it learned from this one
        self.batch(second)
        self.assertEqual(self.steps()[2:], [(rings.STEP_END, 0, 0), (rings.STEP_BEGIN, 0, 1), (rings.EPOCH_BEGIN, 1, 0), (rings.STEP_BEGIN, 1, 0)])
        for end, learns, ends in (("pass", True, 1), ("sys.exit(2)", True, 0), ("pass", False, 0)):
            with self.subTest(end=end, learns=learns), tempfile.TemporaryDirectory() as folder:
                script = f"import sys; sys.path[:0] = [{PROBE!r}]\nfrom shardlens_probe.live import Live, Reading\nlive, one = Live({folder!r}), Reading(0, True)\n"
                script += f"live.start(1, 3); live.asks(one); live.got(one); live.backward_begins(); live.backward_ends({learns})\n{end}\n"
                subprocess.run([sys.executable, "-c", script], stderr=subprocess.DEVNULL, check=False)
                self.assertEqual(len(rings.Ring(folder, 1).of(rings.STEP_END)), ends)

    def test_a_loop_whose_iterator_is_gone_was_left(self):
        over = []
        first, second = Reading(0, True, lambda: bool(over)), Reading(1, True)
        self.batch(first)
        self.batch(first, trains=False)
        over.append(True)
        self.live.asks(second)
        loads = [(one.epoch, one.step) for one in self.ring().records if one.kind == rings.PHASE_BEGIN and one.op == rings.LOAD]
        self.assertEqual(loads, [(0, 0), (0, 1), (1, 0)])
        learned = Reading(2, True, lambda: True)
        self.live.got(second)
        self.batch(learned)
        self.live.asks(Reading(3, True))
        self.assertEqual(self.steps()[-1], (rings.STEP_END, 1, 0))

    def test_what_a_process_does_after_its_last_batch_is_not_told_as_computing(self):
        with tempfile.TemporaryDirectory() as folder:
            script = f"import sys; sys.path[:0] = [{PROBE!r}]\nfrom shardlens_probe.live import Live, Reading\nlive, one = Live({folder!r}), Reading(0, True)\n"
            script += "live.start(1, 3); live.asks(one); live.got(one)\n"
            subprocess.run([sys.executable, "-c", script], check=True)
            ring = rings.Ring(folder, 1)
            self.assertEqual([one.op for one in ring.of(rings.PHASE_END)], [rings.LOAD])
            self.assertEqual([one.a for one in ring.of(rings.BYE)], [0])

    def test_without_a_backward_pass_there_are_no_steps(self):
        looked_at, evaluated, trained = Reading(0, True), Reading(1, False), Reading(2, True)
        self.batch(looked_at, trains=False)
        self.batch(evaluated, trains=False)
        self.live.backward_begins()  # of the loop whose batches can be trained on
        self.live.backward_ends()
        self.assertEqual(self.steps(), [(rings.EPOCH_BEGIN, 0, 0), (rings.STEP_BEGIN, 0, 0)])
        self.batch(evaluated, trains=False)
        self.batch(trained)
        self.batch(trained)
        self.assertEqual(self.steps()[2:], [
            (rings.STEP_END, 0, 0), (rings.EPOCH_BEGIN, 1, 0), (rings.STEP_BEGIN, 1, 0), (rings.STEP_END, 1, 0), (rings.STEP_BEGIN, 1, 1)])  # fmt: skip

    def test_a_validation_within_an_epoch_ends_no_step(self):
        trained, evaluated = Reading(0, True), Reading(1, False)
        self.batch(trained)
        self.batch(evaluated, trains=False)
        self.live.asks(evaluated)
        self.live.exhausted(evaluated)
        self.assertEqual(self.ring().phase, rings.COMPUTE)  # the step goes on
        self.batch(trained)
        self.assertEqual([one[0] for one in self.steps()], [rings.EPOCH_BEGIN, rings.STEP_BEGIN, rings.STEP_END, rings.STEP_BEGIN])

    def test_a_loop_over_two_loaders_ends_its_step_when_either_has_no_batch_left(self):
        first, second = Reading(0, True), Reading(1, True)
        for _ in range(2):
            self.batch(first, trains=False)
            self.batch(second)
        self.live.asks(first)
        self.live.exhausted(first)
        self.live.works()  # in no step
        steps = [(rings.EPOCH_BEGIN, 0, 0), (rings.STEP_BEGIN, 0, 0), (rings.STEP_END, 0, 0), (rings.STEP_BEGIN, 0, 1), (rings.STEP_END, 0, 1)]
        self.assertEqual(self.steps(), steps)
        self.assertEqual(self.ring().phase, 0)
        self.batch(Reading(2, True), trains=False)  # another round of the first
        self.batch(second)
        self.assertEqual(self.steps(), [*steps, (rings.STEP_BEGIN, 0, 2)])

    def test_a_pass_within_a_step_ends_no_step_even_with_gradients(self):
        trained, evaluated = Reading(0, True), Reading(1, True)
        self.batch(trained)
        self.batch(evaluated, trains=False)
        self.live.asks(evaluated)
        self.live.exhausted(evaluated)
        self.assertEqual(self.steps(), [(rings.EPOCH_BEGIN, 0, 0), (rings.STEP_BEGIN, 0, 0)])

    def test_operations_end_the_computing_that_they_interrupt(self):
        reading = Reading(0, True)
        self.live.asks(reading)
        self.live.got(reading)
        handle = self.live.enter(0, rings.BARRIER, NO_PEER, 0, True)
        self.assertEqual((self.ring().phase, self.ring().op), (rings.COLLECTIVE, rings.BARRIER))
        self.live.leave(handle)
        self.assertEqual((self.ring().phase, self.ring().op), (rings.COMPUTE, 0))
        self.assertEqual(self.kinds()[-4:], [rings.PHASE_END, rings.ENTER, rings.LEAVE, rings.PHASE_BEGIN])

    def test_operations_may_overlap(self):
        first = self.live.enter(0, rings.ALL_REDUCE, NO_PEER, 1 << 40, False)
        second = self.live.enter(0, rings.ALL_REDUCE, NO_PEER, 8, False)
        other = self.live.enter(7, rings.ALL_REDUCE, NO_PEER, 8, False)
        self.live.leave(second)
        self.assertEqual(self.ring().op, rings.ALL_REDUCE)
        enters = self.ring().of(rings.ENTER)
        self.assertEqual([(one.group, one.seq) for one in enters], [(0, 0), (0, 1), (7, 0)])
        self.assertEqual(enters[0].a, 1 << 40)
        self.assertEqual(self.ring().of(rings.LEAVE)[0].handle, enters[1].handle)
        self.assertEqual(len({one.handle for one in enters}), 3)
        self.live.leave(first)
        self.live.leave(other)
        self.assertEqual(self.ring().op, 0)

    def test_sends_are_counted_by_peer(self):
        for peer in (0, 2, 2):
            self.live.leave(self.live.enter(0, rings.SEND, peer, 4, True))
        self.live.leave(self.live.enter(0, rings.RECV, 2, 4, True))
        self.assertEqual([(one.op, one.peer, one.seq) for one in self.ring().of(rings.ENTER)],
                         [(rings.SEND, 0, 0), (rings.SEND, 2, 0), (rings.SEND, 2, 1), (rings.RECV, 2, 0)])  # fmt: skip

    def test_the_gradients_of_a_backward_pass_are_waited_for_once_they_are_computed(self):
        reading = Reading(0, True)
        self.live.asks(reading)
        self.live.got(reading)
        self.live.backward_begins()
        self.live.backward_begins()  # a part that is computed anew
        self.live.backward_ends()
        self.live.arrive(0, rings.ALL_REDUCE, 100)
        self.assertEqual(self.ring().op, rings.ALL_REDUCE)
        self.live.backward_ends()
        self.assertEqual((self.ring().phase, self.ring().op), (0, 0))
        self.assertEqual(self.kinds()[-3:], [rings.PHASE_END, rings.ENTER, rings.LEAVE])
        self.live.arrive(0, rings.ALL_REDUCE, 100)  # whoever calls it outside of a backward pass
        self.assertEqual(self.ring().op, 0)

    def test_groups_are_described(self):
        self.live.describe(5, [0, 2, 4, 1], "pipeline of this node")
        ring = self.ring()
        self.assertEqual([(one.group, one.a) for one in ring.of(rings.GROUP)], [(5, 4)])
        self.assertEqual([(one.seq, one.a, one.b) for one in ring.of(rings.MEMBERS)], [(0, 3, 2), (1, 1, 1)])
        name = b"".join(one.a.to_bytes(8, "little") + one.b.to_bytes(8, "little") for one in ring.of(rings.NAME))
        self.assertEqual(name.rstrip(b"\0"), b"pipeline of this node")

    def test_a_rank_that_has_a_ring_gets_no_other(self):
        other = Live(self.folder.name)
        with self.assertRaises(OSError):
            other.start(1, 3)
        self.assertFalse(other.is_open)

    def test_a_child_is_silent(self):
        pid = os.fork()
        if pid == 0:
            is_silent = not self.live.is_mine() and not self.live.is_open
            ctypes.CDLL(None).exit(0 if is_silent else 1)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertEqual(self.kinds(), [rings.HELLO])

    def test_more_than_a_ring_holds_is_counted(self):
        reading = Reading(0, False)
        for _ in range(5000):
            self.batch(reading, trains=False)
        self.assertGreater(self.ring().dropped, 0)
        self.assertEqual(self.ring().phase, rings.COMPUTE)


class Alone(unittest.TestCase):
    """A process that no launcher and no group makes a rank."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(self.folder.cleanup)
        environment = mock.patch.dict(os.environ)
        environment.start()
        self.addCleanup(environment.stop)
        for name in _WORLDS:
            os.environ.pop(name, None)

    def started(self, reading=None):
        live = Live(self.folder.name)
        self.addCleanup(live.close)
        live.start_alone(reading)
        return live

    def test_is_rank_0_of_1_from_the_step_on_in_which_it_learns(self):
        os.environ["WORLD_SIZE"] = "1"
        live = self.started(Reading(4, True, handed=3))
        live.backward_begins()
        live.backward_ends()
        ring = rings.Ring(self.folder.name, 0)
        self.assertEqual((live.place, ring.world_size), ((0, 1), 1))
        self.assertEqual([(one.kind, one.step) for one in ring.records[:3]], [(rings.HELLO, 0), (rings.EPOCH_BEGIN, 2), (rings.STEP_BEGIN, 2)])

    def test_is_no_rank_where_there_may_be_others(self):
        for name in _WORLDS:
            with mock.patch.dict(os.environ, {name: "2"}):
                self.assertFalse(self.started().is_open)
        open(os.path.join(self.folder.name, "rank-0.nccl.ring"), "x").close()
        self.assertFalse(self.started().is_open)
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "rank-0.ring")))

    def test_leaves_the_ring_to_the_process_that_came_first(self):
        script = f"import sys; sys.path[:0] = [{PROBE!r}]\nfrom shardlens_probe.live import Live\nLive({self.folder.name!r}).start_alone(None)\n"
        subprocess.run([sys.executable, "-c", script], check=True)
        live = self.started()
        self.assertFalse(live.is_open)
        self.assertIsNone(live.place)
        self.assertNotEqual(rings.Ring(self.folder.name, 0).pid, os.getpid())
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, "again")))


if __name__ == "__main__":
    unittest.main(verbosity=1)
