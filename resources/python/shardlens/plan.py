# SPDX-License-Identifier: Apache-2.0
"""Plans: which sample goes to which rank in which step of every epoch."""
from __future__ import annotations

import ctypes
import os
import sys
import warnings
from array import array
from ctypes import byref, c_int32, c_int64, c_uint64
from typing import Any, Iterator, List, Optional, Union

from . import _native
from .rank import rank_and_world
from .sampler import PlannedBatchSampler, PlannedSampler, sampler_class

SpecLike = Union[str, "os.PathLike[str]"]


class Share:
    """What one rank reads in one epoch."""

    def __init__(self, plan: Plan, epoch: int, rank: int) -> None:
        self._handle = _native.handle_of("shardlens_share_close", "shardlens_share_open", plan._handle, epoch, rank)
        self.epoch = epoch
        self.rank = rank
        self.size: int = _native.library().shardlens_share_size(self._handle)  # ids that the sampler yields
        self.steps: int = _native.library().shardlens_share_steps(self._handle)

    @property
    def fingerprint(self) -> str:
        """Equal exactly when every batch is equal; as `shardlens plan` writes it."""
        return f"{_native.library().shardlens_share_fingerprint(self._handle):016x}"

    def batch(self, step: int) -> List[int]:
        """The ids of a batch."""
        first, last = c_int64(), c_int64()
        _native.call("shardlens_share_batch", self._handle, step, byref(first), byref(last))
        return self.ids(first.value, last.value)

    def ids(self, first: int, last: int) -> List[int]:
        """The ids first .. last-1 of the share."""
        room = (c_int64 * (last - first))()
        _native.call("shardlens_share_ids", self._handle, first, last, room)
        return room[:]

    def fill(self, address: int) -> None:
        """Writes all ids to `size` signed 64-bit integers at the address."""
        _native.call("shardlens_share_ids", self._handle, 0, self.size, ctypes.c_void_p(address))


class Plan:
    """The plan of a spec.

    `spec` is the path of a spec file, or its text: a str with a line break is a text. ValueError with the sentences of ShardLens where
    something is wrong with it, OSError where the file cannot be read. Plans can be pickled, and may be used by several threads at once.
    """

    def __init__(self, spec: SpecLike) -> None:
        if isinstance(spec, str) and "\n" in spec:
            self._open("shardlens_plan_parse", spec.encode(), b"")
        else:
            self._open("shardlens_plan_read", os.fsencode(spec))

    def _open(self, function: str, *arguments: bytes) -> None:
        for argument in arguments:
            if b"\0" in argument:
                raise ValueError("A spec is a text: this one holds a zero byte.")
        self._handle = _native.handle_of("shardlens_plan_close", function, *arguments)
        self._share: Optional[Share] = None
        self._text: Optional[str] = None
        self._order_text: Optional[str] = None
        self.world_size: int = _native.library().shardlens_plan_world_size(self._handle)
        self.epochs: int = _native.library().shardlens_plan_epochs(self._handle)

    def __repr__(self) -> str:
        return f"<shardlens.Plan {self.name!r}: {self.dataset_size} samples, {self.world_size} ranks, {self.sampler_type}>"

    def __reduce__(self) -> Any:
        return Plan, (self.text,)

    # ---- the spec ----

    @property
    def text(self) -> str:
        """The spec as a short canonical text, which gives the same plan again."""
        if self._text is None:
            self._text = _native.text_of("shardlens_plan_text", self._handle)
        return self._text

    def value(self, path: str) -> str:
        """A field of the spec as a text: plan.value("sampler.seed") is "0"."""
        return _native.text_of("shardlens_plan_value", self._handle, path.encode())

    def differences(self, text: str) -> List[str]:
        """The fields in which the spec `text` differs, as far as the order depends on them. More or fewer epochs change no order."""
        paths = _native.text_of("shardlens_plan_differences", self._handle, text.encode()).splitlines()
        return [path for path in paths if path != "epochs"]

    @property
    def order_text(self) -> str:
        """The text of the spec without what changes no order: name, epochs and run."""
        if self._order_text is None:
            self._order_text = _native.text_of("shardlens_plan_order_text", self._handle)
        return self._order_text

    @property
    def name(self) -> str:
        """The spec's name."""
        return self.value("name")

    @property
    def sampler_type(self) -> str:
        """The sampler as `<framework>.<class>`: "torch.DistributedSampler"."""
        return self.value("sampler.type")

    @property
    def dataset_size(self) -> int:
        """Samples."""
        return int(self.value("dataset.size"))

    @property
    def batch_size(self) -> int:
        """loader.batch_size, for each rank."""
        return int(self.value("loader.batch_size"))

    @property
    def num_workers(self) -> int:
        """loader.num_workers, for each rank."""
        return int(self.value("loader.num_workers"))

    @property
    def drop_last(self) -> bool:
        """loader.drop_last: whether a last short batch is left out."""
        return self.value("loader.drop_last") == "true"

    # ---- what a rank reads ----

    def share(self, epoch: int, rank: Optional[int] = None) -> Share:
        """What a rank, by default this one, reads in the epoch. The newest share is kept."""
        rank = self._rank(rank)
        kept = self._share
        if kept is None or (kept.epoch, kept.rank) != (epoch, rank):
            self._share = kept = Share(self, epoch, rank)
        return kept

    def batches(self, epoch: int, rank: Optional[int] = None) -> Iterator[List[int]]:
        """The batches of a rank, by default this one, in the epoch."""
        share = self.share(epoch, rank)
        return (share.batch(step) for step in range(share.steps))

    def steps(self, epoch: int, rank: Optional[int] = None) -> int:
        """How many batches a rank, by default this one, has in the epoch."""
        return self._shape(epoch, self._rank(rank))[0]

    def samples(self, epoch: int, rank: Optional[int] = None) -> int:
        """How many ids the sampler of a rank, by default this one, yields in the epoch."""
        return self._shape(epoch, self._rank(rank))[1]

    def fingerprint(self, epoch: int, rank: Optional[int] = None) -> str:
        """Equal exactly when every batch is equal; as `shardlens plan` writes it."""
        return self.share(epoch, rank).fingerprint

    def indices(self, epoch: int, rank: Optional[int] = None, out: Any = None) -> Any:
        """The ids that the sampler of a rank, by default this one, yields in the epoch, one after the other: in `out`, a torch tensor or a
        NumPy array of as many 64-bit integers; or else in a new NumPy array where NumPy was imported, and in an array("q") where not."""
        share = self.share(epoch, rank)
        if out is None:
            numpy = sys.modules.get("numpy")
            out = numpy.empty(share.size, dtype=numpy.int64) if numpy is not None else array("q", bytes(8 * share.size))
        share.fill(_address(out, share.size))
        return out

    def _rank(self, rank: Optional[int]) -> int:
        return rank_and_world(self.world_size).rank if rank is None else int(rank)

    def _shape(self, epoch: int, rank: int) -> List[int]:
        steps, samples = c_int64(), c_int64()
        _native.call("shardlens_plan_shape", self._handle, epoch, rank, byref(steps), byref(samples))
        return [steps.value, samples.value]

    # ---- for a training script ----

    def sampler(self, *, rank: Optional[int] = None) -> PlannedSampler:
        """A sampler for DataLoader(dataset, sampler=..., batch_size=plan.batch_size, drop_last=plan.drop_last). Where torch is installed it is
        a DistributedSampler. ValueError for samplers that make batches themselves: take batch_sampler(). Which rank this is is asked when the
        sampler is read, unless `rank` says it."""
        if not self._loader_cuts_batches():
            raise ValueError(
                f"{self.sampler_type} makes its batches itself, so a DataLoader must not cut others: "
                "use DataLoader(dataset, batch_sampler=plan.batch_sampler(), num_workers=plan.num_workers)."
            )
        made: PlannedSampler = sampler_class()(self, rank)
        return made

    def batch_sampler(self, *, rank: Optional[int] = None) -> PlannedBatchSampler:
        """A batch sampler for DataLoader(dataset, batch_sampler=..., num_workers=plan.num_workers), for every sampler of ShardLens. Which
        rank this is is asked when it is read, unless `rank` says it."""
        return PlannedBatchSampler(self, rank)

    def _loader_cuts_batches(self) -> bool:
        cuts = c_int32()
        _native.call("shardlens_plan_loader_cuts_batches", self._handle, byref(cuts))
        return cuts.value != 0

    def seed(self, epoch: int = 0, rank: Optional[int] = None) -> Optional[int]:
        """What a rank, by default this one, hands to torch.manual_seed() by seeds.rule; None where the spec says that the script never
        seeds."""
        seed = c_uint64()
        try:
            _native.call("shardlens_plan_seed", self._handle, epoch, self._rank(rank), byref(seed))
        except _native.NotPredictable:
            return None
        return seed.value

    @property
    def seeds_each_epoch(self) -> bool:
        """Whether the spec's rule seeds again at the start of each epoch: then call seed_everything(epoch) there."""
        return bool(_native.library().shardlens_plan_seeds_each_epoch(self._handle))

    def seed_everything(self, epoch: int = 0, rank: Optional[int] = None) -> Optional[int]:
        """Seeds Python's random, NumPy and torch as the spec says. Call it before the model is made. Gives the seed, or None where the spec
        says that the script never seeds."""
        from .seeds import seed_everything

        return seed_everything(self, epoch, rank)

    def check(self, dataset: Any = None) -> None:
        """Raises where this job is not the planned one: ValueError for a dataset of another size, WorldError for another world, RankError where
        nothing says which rank this is. Warns of another torch than the spec's: its own samplers may draw another order, this plan's do not."""
        rank_and_world(self.world_size)
        if dataset is not None and len(dataset) != self.dataset_size:
            raise ValueError(f"The plan is for {self.dataset_size} samples, and this dataset has {len(dataset)}. Change dataset.size in the spec.")
        torch = sys.modules.get("torch")
        planned = self.value("framework.torch")
        if torch is not None and torch.__version__.split(".")[:2] != planned.split(".")[:2]:
            warnings.warn(f"shardlens: the spec is for torch {planned}, and this is torch {torch.__version__}", stacklevel=2)


def plan_of(spec: Union[Plan, SpecLike]) -> Plan:
    """The plan itself, or that of a spec."""
    return spec if isinstance(spec, Plan) else Plan(spec)


def _address(out: Any, size: int) -> int:
    """Where the numbers of a tensor or an array are, after it was found to have room for exactly `size` of 64 bits."""
    if hasattr(out, "data_ptr"):  # a torch tensor
        fits = str(out.dtype) == "torch.int64" and str(out.device) == "cpu" and out.is_contiguous() and out.numel() == size
        address = out.data_ptr()
    else:
        view = memoryview(out)
        fits = view.format in ("q", "l") and view.itemsize == 8 and view.contiguous and not view.readonly and view.nbytes == 8 * size
        address = ctypes.addressof(ctypes.c_char.from_buffer(view.cast("B"))) if fits and size > 0 else 0
    if not fits:
        raise ValueError(f"`out` must hold {size} signed 64-bit integers without gaps, in memory that can be written.")
    return int(address)
