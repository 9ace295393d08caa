# SPDX-License-Identifier: Apache-2.0
"""Which methods of torch are wrapped. Each wrapper calls the original as it was called, once, and passes on what it returns or raises;
what the probe itself raises is counted and goes no further."""
import atexit
import functools
import sys

from shardlens_probe import trouble
from shardlens_probe.recorder import PASS_OF, Recorder


class _Patches:
    def __init__(self, folder):
        self._folder = folder
        self._recorder = None

    def recorder(self):
        """Made with the first module of torch that has been loaded; torch itself may not be complete by then."""
        if self._recorder is None:
            self._recorder = Recorder(sys.modules["torch"], self._folder)
            atexit.register(self._finish)
        return self._recorder

    def _finish(self):
        try:
            self._recorder.finish()
        except Exception as error:
            trouble.note("end", error)

    def dataloader(self, module):
        base = module._BaseDataLoaderIter
        recorder = self.recorder()
        _wrap_begin(base, recorder)
        _wrap_next_index(base)

    def distributed_sampler(self, module):
        kind = module.DistributedSampler
        original = kind.set_epoch
        calls = self.recorder().set_epochs

        @functools.wraps(original)
        def set_epoch(self, *arguments, **named):
            try:
                calls[self] = calls.get(self, 0) + 1
            except Exception as error:
                trouble.note("set_epoch", error)
            return original(self, *arguments, **named)

        kind.set_epoch = set_epoch

    def autograd(self, module):
        original = module.backward
        recorder = self.recorder()

        @functools.wraps(original)
        def backward(*arguments, **named):
            current = recorder.current
            if current is not None:
                current.backwards += 1
            return original(*arguments, **named)

        module.backward = backward


def _begin(recorder, iterator, loader):
    try:
        vars(iterator)[PASS_OF] = recorder.begin_pass(loader, iterator)
    except Exception as error:
        vars(iterator)[PASS_OF] = None
        trouble.note("begin of a pass", error)


def _wrap_begin(base, recorder):
    """A pass begins in __init__, and in _reset where workers persist: there the iterator of the pass before goes on."""
    original_init = base.__init__
    original_reset = base._reset

    @functools.wraps(original_init)
    def __init__(self, *arguments, **named):
        loader = arguments[0] if arguments else named.get("loader")
        _begin(recorder, self, loader)
        original_init(self, *arguments, **named)

    @functools.wraps(original_reset)
    def _reset(self, *arguments, **named):
        is_first = named.get("first_iter", arguments[1] if len(arguments) > 1 else False)
        if arguments and not is_first:
            _begin(recorder, self, arguments[0])
        return original_reset(self, *arguments, **named)

    base.__init__ = __init__
    base._reset = _reset


def _quietly(method):
    try:
        method()
    except Exception as error:
        trouble.note(method.__name__, error)


def _wrap_next_index(base):
    original = base._next_index

    @functools.wraps(original)
    def _next_index(self):
        observed = getattr(self, PASS_OF, None)
        if observed is None:
            return original(self)
        if not observed.is_started:
            _quietly(observed.start)
        try:
            batch = original(self)
        except StopIteration:
            _quietly(observed.exhausted)
            raise
        try:
            observed.take(batch)
        except Exception as error:
            trouble.note("batch", error)
        return batch

    base._next_index = _next_index


def actions(folder):
    patches = _Patches(folder)
    return {
        "torch.utils.data.dataloader": patches.dataloader,
        "torch.utils.data.distributed": patches.distributed_sampler,
        "torch.autograd": patches.autograd,
    }
