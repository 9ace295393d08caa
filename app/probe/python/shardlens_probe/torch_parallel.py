# SPDX-License-Identifier: Apache-2.0
"""DistributedDataParallel, which averages gradients in C++ while the backward pass runs.

What is recorded is an all_reduce that the rank comes to when all gradients of the backward pass are computed, and that it leaves when the
backward pass returns. That is when it waits: before the first of these two moments it computes, whatever has begun beside that, and it
has handed over its last bucket; the second one comes when the averages are there, so no rank leaves before all have come. The first is a
callback that autograd runs at the end of a backward pass, in front of the one in which the reducer waits. It is asked for when the
gradient of the module's output is computed: only then does this backward pass go through the module. No hook for communication is
registered, and no value is touched."""
import functools
import weakref

from shardlens_probe import compiling, trouble
from shardlens_probe.live import quietly
from shardlens_probe.torch_distributed import ALL_REDUCE, _size

_MOST_OUTPUTS = 64


def _nodes(output, found):
    """The nodes of autograd that made the tensors of an output."""
    if len(found) >= _MOST_OUTPUTS:
        return found
    node = getattr(output, "grad_fn", None)
    if node is not None:
        found.append(node)
    elif isinstance(output, dict):
        for one in output.values():
            _nodes(one, found)
    elif isinstance(output, (list, tuple)):
        for one in output:
            _nodes(one, found)
    return found


class Parallel:
    def __init__(self, torch, live, groups):
        self._torch = torch
        self._live = live
        self._groups = groups
        self._facts = weakref.WeakKeyDictionary()  # module -> (number of its group, bytes of its gradients); None: not recorded

    def wrap(self, kind):
        original = kind.forward
        live, torch = self._live, self._torch

        @functools.wraps(original)
        def forward(self_, *arguments, **named):
            if compiling.is_traced(torch) or not live.is_open:
                return original(self_, *arguments, **named)
            quietly("forward", live.works)
            output = original(self_, *arguments, **named)
            try:
                # As the reducer was prepared, a moment ago.
                if self_.require_backward_grad_sync and torch.is_grad_enabled():
                    self._watch(self_, output)
            except Exception as error:
                trouble.note("DistributedDataParallel", error)
            return output

        kind.forward = forward

    def _watch(self, module, output):
        if module not in self._facts:
            self._facts[module] = self._facts_of(module)
        facts = self._facts[module]
        # Ranks that ran out of inputs, and join, answer in other functions: their operations are not the others' ones.
        if facts is None or getattr(getattr(module, "_join_config", None), "enable", False):
            return
        left = [1]  # the reducer averages once
        engine = self._torch.autograd.Variable._execution_engine

        def arrives():
            quietly("arrival", self._live.arrive, facts[0], ALL_REDUCE, facts[1])

        def passes_output(*_):
            try:
                if not compiling.is_traced(self._torch) and left:
                    left.clear()
                    engine.queue_callback(arrives)
            except Exception as error:
                trouble.note("backward", error)

        for node in _nodes(output, []):
            node.register_hook(passes_output)

    def _facts_of(self, module):
        number = self._groups.number(module.process_group)
        size = _size([one for one in module.parameters() if one.requires_grad])
        return None if number is None or size is None else (number, size)
