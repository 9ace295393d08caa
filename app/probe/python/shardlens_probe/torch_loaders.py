# SPDX-License-Identifier: Apache-2.0
"""Which methods of torch are wrapped. Each wrapper calls the original as it was called, once, and passes on what it returns or raises;
what the probe itself raises is counted and goes no further."""
import atexit
import functools
import os
import sys

from shardlens_probe import live as live_module
from shardlens_probe import compiling, describe, stacks, trouble
from shardlens_probe.live import Reading, quietly
from shardlens_probe.recorder import PASS_OF, Recorder


class _Patches:
    def __init__(self, folder, live):
        self._folder = folder
        self._live = live  # None: nobody watches
        self._recorder = None
        self._operations = None
        self._may_be_alone = live is not None  # not known before the first backward pass

    def recorder(self):
        """Made with the first module of torch that has been loaded; torch itself may not be complete by then."""
        if self._recorder is None:
            self._recorder = Recorder(sys.modules["torch"], self._folder, self._join)
            atexit.register(self._finish)
        return self._recorder

    def _join(self):
        """The folder of the start that this process has joined; None where no agent records it."""
        if self._live is None or not os.environ.get("SHARDLENS_AGENT"):
            return None
        return quietly("agent", self._live.join)

    def _finish(self):
        quietly("end", self._recorder.finish)

    def random(self, module):
        """torch's generator as it is before anybody can have seeded it."""
        self.recorder().first_seed = module.default_generator.initial_seed()

    def dataloader(self, module):
        base = module._BaseDataLoaderIter
        recorder = self.recorder()
        _wrap_begin(base, recorder)
        _wrap_next_index(base)
        _wrap_handed(base)
        if self._live is not None:
            _wrap_next(base, sys.modules["torch"], self._live)

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

    def fetch(self, module):
        workers = stacks.Workers(self._live.folder, self._rank)
        for kind in (module._MapDatasetFetcher, module._IterableDatasetFetcher):
            workers.wrap(kind)

    def _rank(self):
        """Of the job; in a worker of a loader, that of the process that made it."""
        if self._live.place is not None:
            return self._live.place[0]
        rank = sys.modules["os"].environ.get("RANK", "")
        return int(rank) if rank.isdecimal() else 0 if live_module.may_be_alone() else None

    def autograd(self, module):
        original = module.backward
        recorder, live = self.recorder(), self._live

        @functools.wraps(original)
        def backward(*arguments, **named):
            if compiling.is_traced(recorder.torch):
                return original(*arguments, **named)
            recorder.backwards += 1
            current = recorder.current
            if current is not None:
                current.backwards += 1
            if self._may_be_alone:
                quietly("rank of the process", self._start_alone)
            if live is None or not live.is_open:
                return original(*arguments, **named)
            quietly("backward", live.backward_begins)
            has_learned = False
            try:
                result = original(*arguments, **named)
                has_learned = True
                return result
            finally:
                quietly("backward", live.backward_ends, has_learned)

        module.backward = backward

    def _start_alone(self):
        """The first backward pass after a loader gave a batch: a process that is in no group by then is a world of its own."""
        newest = self._recorder.newest
        if self._live.place is None and newest is None:
            return
        self._may_be_alone = False
        if self._live.place is None and describe.place_of_rank() is None:
            self._live.start_alone(None if newest.ended else _reading_of(newest, True))

    def optimizer(self, module):
        """torch calls _optimizer_step_code after each step of an optimizer, for its profiler."""
        recorder = self.recorder()
        _tell_calls(module.Optimizer, "__init__", recorder.torch, recorder.optimizer_made)
        _tell_calls(module.Optimizer, "_optimizer_step_code", recorder.torch, recorder.optimizer_stepped)
        _tell_calls(module.Optimizer, "zero_grad", recorder.torch, recorder.optimizer_cleared)

    def module(self, module):
        recorder = self.recorder()
        _tell_calls(module.Module, "zero_grad", recorder.torch, recorder.module_cleared)

    def operations(self, module):
        from shardlens_probe.torch_distributed import Operations

        self.recorder()
        self._operations = Operations(module, self._live)
        self._operations.wrap()

    def helpers(self, module):
        if self._operations is not None:
            self._operations.wrap_helpers(module)

    def parallel(self, module):
        from shardlens_probe.torch_parallel import Parallel

        if self._operations is not None:
            Parallel(sys.modules["torch"], self._live, self._operations.groups).wrap(module.DistributedDataParallel)


def _tell_calls(kind, name, torch, tell):
    """Each call of this method of an object tells which one it is."""
    original = getattr(kind, name, None)
    if original is None:
        return

    @functools.wraps(original)
    def told(self, *arguments, **named):
        if not compiling.is_traced(torch):
            quietly(name, tell, self)
        return original(self, *arguments, **named)

    setattr(kind, name, told)


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


def _wrap_next_index(base):
    original = base._next_index

    @functools.wraps(original)
    def _next_index(self):
        observed = getattr(self, PASS_OF, None)
        if observed is None:
            return original(self)
        if not observed.is_started:
            quietly("start", observed.start)
        try:
            batch = original(self)
        except StopIteration:
            quietly("exhausted", observed.exhausted)
            raise
        try:
            observed.take(batch)
        except Exception as error:
            trouble.note("batch", error)
        return batch

    base._next_index = _next_index


def _wrap_handed(base):
    """What the loop got, as opposed to what waits for it."""
    original = base.__next__

    @functools.wraps(original)
    def __next__(self):
        observed = getattr(self, PASS_OF, None)
        if observed is None:
            return original(self)
        observed.asking = observed.is_open = True
        taken = observed.taken_by(self)
        try:
            batch = original(self)
        except StopIteration:
            quietly("end of a pass", observed.end)
            raise
        except BaseException:
            quietly("failed batch", observed.fail, observed.taken_by(self) != taken)
            raise
        finally:
            observed.asking = False
        try:
            observed.hand(batch)
        except Exception as error:
            trouble.note("handed batch", error)
        return batch

    base.__next__ = __next__


def _reading_of(observed, learns):
    """The job's loop over a pass, for those who watch."""
    if observed.reading is None:
        observed.reading = Reading(observed.number, learns, observed.over(), observed.handed)
    return observed.reading


def _wrap_next(base, torch, live):
    """The loop waits for its loader as long as this takes."""
    original = base.__next__
    asks, got = live.asks, live.got

    @functools.wraps(original)
    def __next__(self):
        observed = getattr(self, PASS_OF, None) if live.is_open else None
        if observed is None or not live.is_mine():
            return original(self)
        reading = observed.reading
        try:
            if reading is None:
                reading = _reading_of(observed, torch.is_grad_enabled())
            asks(reading)
        except Exception as error:
            trouble.note("loop", error)
        try:
            batch = original(self)
        except StopIteration:
            quietly("loop", live.exhausted, reading)
            raise
        except BaseException:
            quietly("loop", live.failed)
            raise
        try:
            got(reading)
        except Exception as error:
            trouble.note("loop", error)
        return batch

    base.__next__ = __next__


def actions(folder):
    live = live_module.of_process()
    patches = _Patches(folder, live)
    more = {
        "torch.utils.data._utils.fetch": patches.fetch,
        "torch.distributed.distributed_c10d": patches.operations,
        "torch.distributed": patches.helpers,
        "torch.nn.parallel.distributed": patches.parallel,
    }
    return {
        "torch.random": patches.random,
        "torch.utils.data.dataloader": patches.dataloader,
        "torch.utils.data.distributed": patches.distributed_sampler,
        "torch.autograd": patches.autograd,
        "torch.optim.optimizer": patches.optimizer,
        "torch.nn.modules.module": patches.module,
        "torch._dynamo.eval_frame": compiling.skip,
        **(more if live is not None else {}),
    }
