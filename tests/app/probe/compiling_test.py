# SPDX-License-Identifier: Apache-2.0
"""compiling_test.py PROBE: what torch.compile sees of the probe, told by what stands for torch."""
import os
import sys
import types
import unittest
from unittest import mock

PROBE = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, PROBE)
from shardlens_probe import compiling, torch_distributed, torch_loaders, torch_parallel  # noqa: E402


def torch_that(traces):
    return types.SimpleNamespace(compiler=types.SimpleNamespace(is_compiling=lambda: traces), is_grad_enabled=lambda: True, autograd=mock.MagicMock())


class Module:
    require_backward_grad_sync = True

    def forward(self, x):
        return types.SimpleNamespace(grad_fn=types.SimpleNamespace(register_hook=x.append))


class Work:
    def wait(self):
        return "waited"


def barrier(group=None):
    return Work()


def c10d():
    ends = dict.fromkeys(("init_process_group", "destroy_process_group"), lambda: None)
    return types.SimpleNamespace(Work=type("Work", (Work,), {"wait": Work.wait}), barrier=barrier, **ends)


def watched(torch):
    """What stands for a ring, and the hooks in the output of a module in DistributedDataParallel."""
    live, hooks = mock.MagicMock(is_open=True), []
    kind = type("Kind", (Module,), {"process_group": None, "parameters": lambda self: ()})
    torch_parallel.Parallel(torch, live, types.SimpleNamespace(number=lambda group: 0)).wrap(kind)
    kind().forward(hooks)
    return live, hooks


class Compiling(unittest.TestCase):
    def setUp(self):
        is_loaded = mock.patch.object(compiling, "_is_loaded", True)
        is_loaded.start()
        self.addCleanup(is_loaded.stop)

    def test_torch_says_whether_it_traces(self):
        for torch in (types.SimpleNamespace(), types.SimpleNamespace(compiler=types.SimpleNamespace()), torch_that(False)):
            self.assertFalse(compiling.is_traced(torch))
        self.assertTrue(compiling.is_traced(torch_that(True)))

    def test_a_module_is_watched_where_it_is_not_traced(self):
        for traces in (False, True):
            live, hooks = watched(torch_that(traces))
            self.assertEqual((len(hooks), len(live.method_calls)), (0, 0) if traces else (1, 1))

    def test_the_hook_of_a_compiled_backward_pass_does_nothing(self):
        torch = torch_that(False)
        hooks = watched(torch)[1]
        queue = torch.autograd.Variable._execution_engine.queue_callback
        torch.compiler.is_compiling = lambda: True
        hooks[0]()
        queue.assert_not_called()
        torch.compiler.is_compiling = lambda: False
        hooks[0]()
        queue.assert_called_once()

    def test_operations_are_recorded_where_they_are_not_traced(self):
        for traces in (False, True):
            with mock.patch.dict(sys.modules, torch=torch_that(traces)):
                live, module = mock.MagicMock(is_open=True), c10d()
                live.enter.return_value = 2
                operations = torch_distributed.Operations(module, live)
                operations.wrap()
                module.barrier()
                work = module.Work()
                operations._works[id(work)] = (None, 2)
                self.assertEqual(work.wait(), "waited")
            called = [name for name, _, _ in live.method_calls]
            self.assertEqual(called, [] if traces else ["enter", "leave", "wait", "leave"])

    def test_backward_passes_are_counted_where_they_are_not_traced(self):
        for traces in (False, True):
            patches = torch_loaders._Patches(None, None)
            patches._recorder = types.SimpleNamespace(torch=torch_that(traces), backwards=0, current=None)
            module = types.SimpleNamespace(backward=lambda loss: -loss)
            patches.autograd(module)
            self.assertEqual(module.backward(3), -3)
            self.assertEqual(patches._recorder.backwards, 0 if traces else 1)

    def test_the_compiler_skips_all_of_the_probe_and_nothing_else(self):
        skipped = []
        compiling._is_loaded = False
        self.assertFalse(compiling.is_traced(torch_that(True)))
        torch_loaders.actions("")["torch._dynamo.eval_frame"](types.SimpleNamespace(skip_code=skipped.append))
        names = {code.co_name for code in skipped}
        self.assertLessEqual({"quietly", "is_traced", "forward", "collective", "wait", "backward", "__next__", "take", "passes_output", "<lambda>"}, names)
        self.assertEqual({os.path.dirname(code.co_filename) for code in skipped}, {os.path.join(PROBE, "shardlens_probe")})
        self.assertTrue(compiling.is_traced(torch_that(True)))
        compiling.skip(types.SimpleNamespace())  # a torch that has no such function


if __name__ == "__main__":
    unittest.main(verbosity=2)
