# SPDX-License-Identifier: Apache-2.0
"""Samplers that hand out what a plan says. They draw nothing at random themselves, so that dropout, augmentation and whatever else uses
torch's generators change no order."""
from __future__ import annotations

import importlib.util
import sys
import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional

from .rank import rank_and_world

if TYPE_CHECKING:
    from .plan import Plan, Share

_STATE_VERSION = 1
# A spec with long lists would make every checkpoint large: of such a one only a hash is kept.
_MOST_SPEC_CHARACTERS = 1 << 16
_HASHED = "sha256:"


class _Progress:
    """Where a sampler is. A batch sampler and its `.sampler` share one."""

    def __init__(self, plan: Plan, rank: Optional[int]) -> None:
        self.plan = plan
        self.given_rank = rank
        self.epoch = 0
        self.was_set = False  # by set_epoch()
        self.start = 0  # where the next pass begins; not 0 once after load_state_dict()
        self.handed_out = 0  # of the newest pass
        self.read_whole: Optional[int] = None  # the last epoch that was read to its end

    @property
    def rank(self) -> int:
        if self.given_rank is not None:
            return self.given_rank
        return rank_and_world(self.plan.world_size).rank

    def set_epoch(self, epoch: int) -> None:
        epoch = int(epoch)
        if epoch != self.epoch:
            self.start = 0
            self.handed_out = 0
        self.epoch = epoch
        self.was_set = True

    def state(self, unit: str, position: int, epoch: int) -> Dict[str, Any]:
        return {
            "shardlens": _STATE_VERSION,
            "world_size": self.plan.world_size,
            "spec": _kept(self.plan.order_text),
            "epoch": epoch,
            unit: position,
        }

    def position_of(self, state: Dict[str, Any], unit: str) -> int:
        """Where the state continues, after it was found to be of this plan."""
        if not isinstance(state, dict) or state.get("shardlens") != _STATE_VERSION or unit not in state:
            raise ValueError(f"This is no state of a ShardLens sampler that counts {unit}s: {_short(state)}")
        if state["world_size"] != self.plan.world_size:
            raise ValueError(
                f"This state was saved in a world of {state['world_size']} ranks, and the plan has {self.plan.world_size}: each rank would "
                "read other samples again or never. Continue with as many ranks, or begin the next epoch instead."
            )
        if state["spec"] != _kept(self.plan.order_text):
            raise ValueError(f"This state was saved with another spec{self._differences(state)}. Continue with the spec that it was saved with.")
        return int(state[unit])

    def _differences(self, state: Dict[str, Any]) -> str:
        fields = [] if state["spec"].startswith(_HASHED) else self.plan.differences(state["spec"])
        return f", which differs in {', '.join(fields)}" if fields else ""

    def resume(self, epoch: int, position: int, size: int) -> None:
        """The next pass begins at `position` of the epoch, `size` being its end."""
        is_over = position >= size
        if self.was_set and epoch != self.epoch:
            if is_over:
                return  # the script is in a later epoch already
            raise ValueError(
                f"This state continues in epoch {epoch}, but set_epoch({self.epoch}) was called. Begin the loop at epoch {epoch}: "
                f"for epoch in range({epoch}, ...)."
            )
        self.epoch = epoch
        self.start = self.handed_out = position


class _Pass:
    """One pass over an epoch: an iterator that knows where it is, as StatefulDataLoader asks for."""

    def __init__(self, progress: _Progress, unit: str) -> None:
        self._progress = progress
        self._unit = unit
        self._begin(progress.epoch, progress.start)
        if progress.read_whole == progress.epoch and progress.start == 0 and not progress.was_set and progress.plan.epochs > 1:
            warnings.warn(f"shardlens: epoch {progress.epoch} is read again, because set_epoch() was not called", stacklevel=3)
        progress.start = 0

    def _begin(self, epoch: int, position: int) -> None:
        self._epoch = epoch
        self._share: Share = self._progress.plan.share(epoch, self._progress.rank)
        self._size = self._share.steps if self._unit == "step" else self._share.size
        self._next = position
        self._progress.handed_out = position

    def __iter__(self) -> _Pass:
        return self

    def __next__(self) -> Any:
        if self._next >= self._size:
            self._progress.read_whole = self._epoch
            raise StopIteration
        value = self._value(self._next)
        self._next += 1
        self._progress.handed_out = self._next
        return value

    def _value(self, position: int) -> Any:
        raise NotImplementedError

    def state_dict(self) -> Dict[str, Any]:
        return self._progress.state(self._unit, self._next, self._epoch)

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        position = self._progress.position_of(state, self._unit)
        self._begin(state["epoch"], position)
        self._progress.resume(state["epoch"], position, self._size)
        self._progress.start = 0


class _Batches(_Pass):
    def __init__(self, progress: _Progress) -> None:
        super().__init__(progress, "step")

    def _value(self, position: int) -> List[int]:
        return self._share.batch(position)


class _Items(_Pass):
    """Ids one by one, fetched from the library in pieces."""

    _PIECE = 4096

    def __init__(self, progress: _Progress) -> None:
        self._piece: List[int] = []
        self._piece_first = 0
        super().__init__(progress, "item")

    def _begin(self, epoch: int, position: int) -> None:
        self._piece = []
        super()._begin(epoch, position)

    def _value(self, position: int) -> int:
        at = position - self._piece_first
        if not 0 <= at < len(self._piece):
            self._piece = self._share.ids(position, min(position + self._PIECE, self._size))
            self._piece_first = position
            at = 0
        return self._piece[at]


class _Sampler:
    """What both samplers have in common."""

    _progress: _Progress
    _unit: str

    def set_epoch(self, epoch: int) -> None:
        """The next pass reads this epoch of the plan. Call it before each pass, as with torch's DistributedSampler."""
        self._progress.set_epoch(epoch)

    @property
    def plan(self) -> Plan:
        """Whose order this is."""
        return self._progress.plan

    @property
    def epoch(self) -> int:
        """The epoch that the next pass reads. To set it is to call set_epoch()."""
        return self._progress.epoch

    @epoch.setter
    def epoch(self, epoch: int) -> None:
        self._progress.set_epoch(epoch)

    @property
    def rank(self) -> int:
        """Whose share this is: as it was given, or as the process is asked now (see rank_and_world)."""
        return self._progress.rank

    @property
    def num_replicas(self) -> int:
        """The ranks of the plan."""
        return self._progress.plan.world_size

    def state_dict(self) -> Dict[str, Any]:
        """Where the newest pass is, counted in what was handed out. A DataLoader with workers asks ahead of the training: there use
        StatefulDataLoader, which knows what was consumed, or state_at()."""
        return self._progress.state(self._unit, self._progress.handed_out, self._progress.epoch)

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """The next pass continues from this state. ValueError where it was saved in another world or with another spec."""
        position = self._progress.position_of(state, self._unit)
        self._progress.resume(state["epoch"], position, self._size(state["epoch"]))

    def _size(self, epoch: int) -> int:
        raise NotImplementedError


class PlannedSampler(_Sampler):
    """Yields the ids of this rank one by one: DataLoader(dataset, sampler=plan.sampler(), batch_size=plan.batch_size,
    drop_last=plan.drop_last). Made by Plan.sampler()."""

    _unit = "item"

    def __init__(self, plan: Plan, rank: Optional[int] = None, progress: Optional[_Progress] = None) -> None:
        self._progress = progress or _Progress(plan, rank)

    def _size(self, epoch: int) -> int:
        return self.plan.samples(epoch, self.rank)

    def __iter__(self) -> Iterator[int]:
        return _Items(self._progress)

    def __len__(self) -> int:
        return self._size(self.epoch)

    def __reduce__(self) -> Any:
        return _made_again, (self.plan, self._progress.given_rank, self.epoch, self._progress.start, "sampler")


class PlannedBatchSampler(_Sampler):
    """Yields the batches of this rank, each a list of ids: DataLoader(dataset, batch_sampler=plan.batch_sampler(),
    num_workers=plan.num_workers). Made by Plan.batch_sampler()."""

    _unit = "step"

    def __init__(self, plan: Plan, rank: Optional[int] = None) -> None:
        self._progress = _Progress(plan, rank)
        # Lightning, Accelerate and transformers call set_epoch() of a batch sampler's sampler.
        self.sampler = sampler_class(import_torch=False)(plan, rank, self._progress)

    def _size(self, epoch: int) -> int:
        return self.plan.steps(epoch, self.rank)

    def state_at(self, step: int) -> Dict[str, Any]:
        """The state of a training that has consumed `step` batches of the present epoch, however many were handed out to workers."""
        return self._progress.state("step", int(step), self.epoch)

    def __iter__(self) -> Iterator[List[int]]:
        return _Batches(self._progress)

    def __len__(self) -> int:
        return self._size(self.epoch)

    def __reduce__(self) -> Any:
        return _made_again, (self.plan, self._progress.given_rank, self.epoch, self._progress.start, "batch_sampler")


def _made_again(plan: Plan, rank: Optional[int], epoch: int, start: int, kind: str) -> Any:
    """A sampler out of a pickle, in a process that was spawned for example."""
    made = PlannedBatchSampler(plan, rank) if kind == "batch_sampler" else sampler_class()(plan, rank)
    made._progress.epoch = epoch
    made._progress.start = start
    return made


def sampler_class(import_torch: bool = True) -> Any:
    """PlannedSampler, as a subclass of torch's DistributedSampler where torch is installed; with `import_torch` False, only where it has
    been imported already."""
    is_there = importlib.util.find_spec("torch") is not None if import_torch else "torch.utils.data" in sys.modules
    if not is_there:
        return PlannedSampler
    from ._torch import PlannedDistributedSampler

    return PlannedDistributedSampler


def _kept(spec: str) -> str:
    """What a state keeps of a spec."""
    if len(spec) <= _MOST_SPEC_CHARACTERS:
        return spec
    import hashlib

    return _HASHED + hashlib.sha256(spec.encode()).hexdigest()


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "..."
