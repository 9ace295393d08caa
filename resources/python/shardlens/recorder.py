# SPDX-License-Identifier: Apache-2.0
"""Records what the ranks of a job consume, for `shardlens verify` and assert_run_matches()."""
from __future__ import annotations

import os
import shlex
import sys
import uuid
import weakref
from array import array
from typing import Any, Iterable, Optional, Type, Union

from . import _native
from .plan import Plan
from .rank import rank_and_world

_UNCLOSED = b"The program ended without closing its recorder."


class Recorder:
    """Writes the batches that this rank consumes into the recording `path`, a folder that all ranks of the job share. Each rank has a file of
    its own in it, so that ranks never wait for each other.

        with shardlens.Recorder("run.slrun", plan) as record:
            ...
            record(epoch, step, ids)

    A call computes a fingerprint of the ids and puts it into memory; a thread of the library writes to the disk. With `plan` the recording
    holds the spec, so that `shardlens verify run.slrun` needs no other file. FileExistsError where the folder holds the recording of an earlier
    job. When torchrun starts the ranks again, they record into run-2.slrun, run-3.slrun and so on.
    """

    def __init__(self, path: Union[str, os.PathLike[str]], plan: Optional[Plan] = None, *, rank: Optional[int] = None,
                 world_size: Optional[int] = None) -> None:
        if rank is None or world_size is None:
            asked = rank_and_world(world_size if plan is None else plan.world_size)
            rank, world_size = asked.rank if rank is None else rank, asked.world_size
        self.path = _path_of_start(os.fspath(path))
        self.rank = int(rank)
        job = _join_job(self.path, self.rank)
        command = shlex.join(sys.argv) if sys.argv else ""
        handle = _native.address_of("shardlens_recorder_open", os.fsencode(self.path), job.encode(), command.encode("utf-8", "replace"),
                                    self.rank, int(world_size), None if plan is None else plan._handle)
        self._handle: Any = handle
        self._process = os.getpid()
        # At the end of the program, if it was not closed before.
        self._finalizer = weakref.finalize(self, _close_unclosed, handle, self._process)

    def __call__(self, epoch: int, step: int, ids: Iterable[int]) -> None:
        """This rank consumed these samples in this step. `ids` is a list, a tensor or an array of whole numbers, in the order of the batch."""
        if self._handle is None:
            raise ValueError("This recorder is closed.")
        if os.getpid() != self._process:
            raise RuntimeError("A recorder records in the process that made it: call it in the training loop, not in a worker of the DataLoader.")
        numbers = _numbers(ids)
        address, count = numbers.buffer_info()
        _native.call("shardlens_recorder_batch", self._handle, int(epoch), int(step), address, count)

    def close(self, failure: str = "") -> None:
        """The job of this rank is over, or has failed for this reason. Returns when the operating system has everything; OSError where the
        disk refused something."""
        if self._handle is None or os.getpid() != self._process:
            return
        handle, self._handle = self._handle, None
        self._finalizer.detach()
        _native.call("shardlens_recorder_close", handle, failure.encode("utf-8", "replace"))

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Any) -> None:
        ended_well = kind is None or (isinstance(error, SystemExit) and not error.code)
        self.close("" if ended_well else f"{kind.__name__}: {error}" if kind is not None else "")


def _close_unclosed(handle: Any, process: int) -> None:
    if os.getpid() == process:  # a forked worker has the object, but not the thread that writes
        _native.library().shardlens_recorder_close(handle, _UNCLOSED)


def _numbers(ids: Any) -> array[int]:
    values = ids.tolist() if hasattr(ids, "tolist") else list(ids)
    try:
        return array("q", values)
    except TypeError:
        raise TypeError("The ids of a batch are a flat list of whole numbers: let the dataset return the index of each sample.") from None


def _path_of_start(path: str) -> str:
    """torchrun starts all ranks again when one fails: each start has a recording of its own."""
    restarts = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    if not restarts.isdigit() or int(restarts) == 0:
        return path
    stem, extension = os.path.splitext(path)
    return f"{stem}-{int(restarts) + 1}{extension}"


def _join_job(folder: str, rank: int) -> str:
    """Makes the folder, or joins the ranks that made it, and gives the name that all ranks have for their job. The first rank that comes gives
    it; a link appears whole or not at all, also on a network's file system."""
    os.makedirs(folder, exist_ok=True)
    name = os.path.join(folder, "job")
    own = os.path.join(folder, f".job-{rank}-{uuid.uuid4().hex}")
    with open(own, "w", encoding="ascii") as file:
        file.write(f"python-{uuid.uuid4().hex}")
    try:
        os.link(own, name)
    except FileExistsError:
        pass
    finally:
        os.unlink(own)
    with open(name, encoding="ascii") as file:
        job = file.read()
    try:
        os.close(os.open(os.path.join(folder, f"rank-{rank}.started"), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
    except FileExistsError:
        raise FileExistsError(
            f"{folder} already holds a recording of rank {rank}. Record into another folder, or remove this one."
        ) from None
    return job
