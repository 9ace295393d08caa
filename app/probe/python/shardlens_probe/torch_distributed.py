# SPDX-License-Identifier: Apache-2.0
"""The functions of torch.distributed that are wrapped: this rank comes to an operation when it calls one, and leaves when that returns,
or, of one that runs beside it, when wait() of its work does.

Only operations that the host itself waits for are recorded, those on tensors of the processor: what a GPU's stream waits for is not seen
from here. Functions on objects consist of functions on tensors, which are recorded."""
import functools
import inspect
import sys
import threading
import weakref

from shardlens_probe import compiling, trouble
from shardlens_probe.live import NO_PEER, quietly
from shardlens_probe.torch_groups import Groups

BARRIER, ALL_REDUCE, BROADCAST, REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER = range(1, 10)  # core/wire/record.h
SEND, RECV = 32, 33

# Name, operation, the tensor that tells its size, the one rank that it is about.
_FUNCTIONS = (
    ("barrier", BARRIER, None, None),
    ("monitored_barrier", BARRIER, None, None),
    ("all_reduce", ALL_REDUCE, "tensor", None),
    ("all_reduce_coalesced", ALL_REDUCE, "tensors", None),
    ("broadcast", BROADCAST, "tensor", "src"),
    ("reduce", REDUCE, "tensor", "dst"),
    ("all_gather", ALL_GATHER, "tensor", None),
    ("all_gather_into_tensor", ALL_GATHER, "input_tensor", None),
    ("all_gather_coalesced", ALL_GATHER, "input_tensor_list", None),
    ("reduce_scatter", REDUCE_SCATTER, "output", None),
    ("reduce_scatter_tensor", REDUCE_SCATTER, "output", None),
    ("all_to_all", ALL_TO_ALL, "input_tensor_list", None),
    ("all_to_all_single", ALL_TO_ALL, "input", None),
    ("gather", GATHER, "tensor", "dst"),
    ("scatter", SCATTER, "tensor", "src"),
    ("send", SEND, "tensor", "dst"),
    ("isend", SEND, "tensor", "dst"),
    ("recv", RECV, "tensor", "src"),
    ("irecv", RECV, "tensor", "src"),
)
# Those of torch 2 are missing in torch 1, where these names are all that there is.
_OLDER = {"all_gather_into_tensor": "_all_gather_base", "reduce_scatter_tensor": "_reduce_scatter_base"}


class _Depth(threading.local):
    inside = False  # of a recorded function: those that it calls are part of it


class _Argument:
    """Finds an argument of a function by its name, however it was passed."""

    def __init__(self, function, name):
        names = list(inspect.signature(function).parameters)
        self._name = name
        self._place = names.index(name) if name in names else None
        self.is_there = self._place is not None

    def of(self, arguments, named):
        if self._place is not None and self._place < len(arguments):
            return arguments[self._place]
        return named.get(self._name)


class Operations:
    """What is wrapped in torch.distributed.distributed_c10d, and the works that have not ended."""

    def __init__(self, c10d, live):
        self._live = live
        self._c10d = c10d
        self._torch = sys.modules["torch"]
        self.groups = Groups(c10d, live)
        self._depth = _Depth()
        self._works = {}  # id of a work -> (weak reference to it, what Live.enter() gave)

    def wrap(self):
        c10d = self._c10d
        for name, op, tensor, peer in _FUNCTIONS:
            original = getattr(c10d, name, None) or getattr(c10d, _OLDER.get(name, ""), None)
            if original is not None:
                quietly("wrap of " + name, self._wrap_function, original, op, tensor, peer)
        self._wrap_work(c10d.Work)
        self._wrap_begin()
        self._wrap_end()

    def _wrap_function(self, original, op, tensor, peer):
        wrapper = self._wrapper(original, op, tensor, peer)
        for name, value in list(vars(self._c10d).items()):
            if value is original:
                setattr(self._c10d, name, wrapper)

    def _wrapper(self, original, op, tensor, peer):
        of_tensor, of_group = _Argument(original, tensor), _Argument(original, "group")
        of_peer, of_group_peer = _Argument(original, peer), _Argument(original, "group_" + peer if peer else None)
        of_async = _Argument(original, "async_op")
        is_always_async = original.__name__ in ("isend", "irecv")
        live, depth, torch = self._live, self._depth, self._torch

        @functools.wraps(original)
        def collective(*arguments, **named):
            if compiling.is_traced(torch) or not live.is_open or depth.inside:
                return original(*arguments, **named)
            is_async = is_always_async or bool(of_async.of(arguments, named))
            handle = 0
            try:
                size = _size(of_tensor.of(arguments, named)) if tensor else 0
                group = of_group.of(arguments, named)
                number = self.groups.number(group) if size is not None else None
                if number is not None:
                    one = self._peer(group, of_peer.of(arguments, named), of_group_peer.of(arguments, named)) if peer else NO_PEER
                    handle = live.enter(number, op, one, size, not is_async)
            except Exception as error:
                trouble.note(original.__name__, error)
            depth.inside = True
            is_open = False
            try:
                result = original(*arguments, **named)
                is_open = is_async and handle != 0 and quietly("async work", self._keep, result, handle)
                return result
            finally:
                depth.inside = False
                if handle and not is_open:
                    live.leave(handle)

        return collective

    def _peer(self, group, in_world, in_group):
        """The rank of the world that an operation is about."""
        if in_world is not None:
            return in_world
        if in_group is None:
            return NO_PEER
        return in_group if group is None else self.groups.ranks(group)[in_group]

    def _keep(self, work, handle):
        """Whether this work ends the operation: by wait(), or when nobody has it any longer."""
        if work is None or not isinstance(work, self._c10d.Work):
            return False
        key = id(work)

        def drop(_reference):
            if self._works.pop(key, None) is not None:
                self._live.leave(handle)

        self._works[key] = (weakref.ref(work, drop), handle)
        return True

    def _wrap_work(self, kind):
        original = kind.wait
        works, live, torch = self._works, self._live, self._torch

        @functools.wraps(original)
        def wait(self, *arguments, **named):
            kept = None if compiling.is_traced(torch) or not works else works.get(id(self))
            if kept is None or not live.is_open:
                return original(self, *arguments, **named)
            computes = live.wait()
            try:
                return original(self, *arguments, **named)
            finally:
                works.pop(id(self), None)
                live.leave((kept[1] & ~1) | computes)

        kind.wait = wait

    def _wrap_begin(self):
        original = self._c10d.init_process_group
        of = {name: _Argument(original, name) for name in ("backend", "init_method", "world_size", "rank", "store")}

        @functools.wraps(original)
        def init_process_group(*arguments, **named):
            # A rank that is known beforehand is shown while it waits for the others.
            quietly("rank of the process", self._start_early, {name: one.of(arguments, named) for name, one in of.items()})
            result = original(*arguments, **named)
            quietly("rank of the process", self._start)
            return result

        self._c10d.init_process_group = init_process_group

    def _start_early(self, given):
        rank, world_size = given["rank"], given["world_size"]
        if str(given["backend"] or "").lower() == "mpi" or self._live.is_open:
            return
        if rank is None or world_size is None or rank < 0 or world_size <= 0:
            environment = sys.modules["os"].environ
            is_env = given["store"] is None and given["init_method"] in (None, "env://") and rank in (None, -1) and world_size in (None, -1)
            if not is_env or "RANK" not in environment or "WORLD_SIZE" not in environment:
                return
            rank, world_size = int(environment["RANK"]), int(environment["WORLD_SIZE"])
        self._live.start(rank, world_size)

    def _start(self):
        place = (self._c10d.get_rank(), self._c10d.get_world_size())
        if self._live.is_open and self._live.place != place:  # it joined another world
            self._live.close()
        elif not self._live.is_open and self._live.place is None:
            self._live.start(*place)

    def _wrap_end(self):
        original = self._c10d.destroy_process_group
        of_group = _Argument(original, "group")

        @functools.wraps(original)
        def destroy_process_group(*arguments, **named):
            quietly("end of a group", self.groups.forget, of_group.of(arguments, named))
            return original(*arguments, **named)

        self._c10d.destroy_process_group = destroy_process_group

    def wrap_helpers(self, distributed):
        """Two functions in C++ that all members call, for the shapes of parameters and for what they begin with."""
        for name, op, has_root in (("_verify_params_across_processes", ALL_GATHER, False), ("_broadcast_coalesced", BROADCAST, True)):
            original = getattr(distributed, name, None)
            if original is not None:
                setattr(distributed, name, self._helper(original, op, has_root))

    def _helper(self, original, op, has_root):
        live = self._live

        @functools.wraps(original)
        def helper(process_group, tensors, *arguments, **named):
            handle = 0
            if live.is_open and not self._depth.inside:
                handle = quietly(original.__name__, self._enter_helper, process_group, tensors, op, arguments if has_root else ()) or 0
            try:
                return original(process_group, tensors, *arguments, **named)
            finally:
                if handle:
                    live.leave(handle)

        return helper

    def _enter_helper(self, group, tensors, op, more):
        size = _size(tensors)
        number = self.groups.number(group) if size is not None else None
        if number is None:
            return 0
        root = NO_PEER
        if op == BROADCAST:  # the size of a buffer, and the root's rank in the group, 0 where it is not given
            in_group = more[1] if len(more) > 1 else 0
            root = in_group if number == 0 else self.groups.ranks(group)[in_group]
        return self._live.enter(number, op, root, size, True)


def _size(tensor):
    """Bytes of a tensor, or of several; None when the processor does not wait for it."""
    if isinstance(tensor, (list, tuple)):
        sizes = [_size(one) for one in tensor]
        return None if None in sizes else sum(sizes)
    return tensor.numel() * tensor.element_size() if tensor.is_cpu else None
