# SPDX-License-Identifier: Apache-2.0
"""What loaders, samplers and processes look like from outside, as values for JSON. Nothing here draws a random number or calls code of
the job, except len(dataset)."""
import os
import platform
import sys
import time

from shardlens_probe import datasets, seeds, trouble

_RANK_VARIABLES = (
    "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "GROUP_RANK",
    "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
    "PMI_RANK", "PMI_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NNODES",
    "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT",
    "PL_GLOBAL_SEED",
)  # fmt: skip


_MOST_NESTED = 4  # samplers in samplers
# attributes of samplers
_LISTS = ("indices", "weights", "lengths", "primary_indices", "secondary_indices", "batch_sizes", "choice_weights")

begun_ns = time.time_ns()  # of this process: the probe is loaded when Python begins


def process(torch):
    return {
        "begun_ns": begun_ns,
        "pid": os.getpid(),
        "host": platform.node(),
        "script": sys.argv[0] if sys.argv else "",
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "torchdata": seeds.release("torchdata"),
        "mkl": getattr(torch._C, "_has_mkl", getattr(torch._C, "has_mkl", None)),
        "environment": {name: os.environ[name] for name in _RANK_VARIABLES if name in os.environ},
    }


def place_of_rank():
    """Rank and world size that torch.distributed knows, or None."""
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return {"rank": distributed.get_rank(), "world_size": distributed.get_world_size()}


def generator(torch, given):
    """A torch.Generator: its seed, and whether nothing was drawn from it since it was seeded. Its state is only read."""
    if given is None:
        return None
    seed = given.initial_seed()
    said = {"seed": seed, "device": str(given.device), "is_fresh": None}
    if given.device.type == "cpu":
        fresh = torch.Generator()
        fresh.manual_seed(seed)
        said["is_fresh"] = bool(torch.equal(fresh.get_state(), given.get_state()))
    return said


def _batch_samplers(loader):
    """The loader's batch sampler, and those that it wraps, such as Accelerate's BatchSamplerShard, from outside to inside. With
    batch_size=None, each item of the sampler is loaded as it is: that of a batch sampler is a batch."""
    found = []
    thing = loader.batch_sampler
    if thing is None and hasattr(loader.sampler, "batch_size"):
        thing = loader.sampler
    while thing is not None and len(found) < _MOST_NESTED:
        found.append(thing)
        thing = getattr(thing, "batch_sampler", None)
    return found


def sampler_of_samples(loader):
    """The sampler of single samples, in whatever batch samplers it is."""
    innermost = _batch_samplers(loader)[-1:]
    return getattr(innermost[0], "sampler", loader.sampler) if innermost else loader.sampler


def sampler_with_epoch(loader):
    """What is told the epoch of a pass: the sampler in a batch sampler, or else that batch sampler; otherwise the loader's sampler."""
    for thing in _batch_samplers(loader):
        for told in (getattr(thing, "sampler", None), thing):
            if hasattr(told, "set_epoch"):
                return told
    return loader.sampler


def gives_pairs(loader):
    """Whether an item of its batches is a sample's index with the choice of a transform, as timm's ScheduledBatchSampler gives them."""
    kinds = [type(thing) for thing in (*_batch_samplers(loader), loader.sampler)]
    return any(kind.__name__ == "ScheduledBatchSampler" and kind.__module__.split(".")[0] == "timm" for kind in kinds)


def draws_seed(torch, loader):
    """Whether the order of a pass is made from a seed that its sampler draws from torch's global generator."""
    drawn_from = sampler_of_samples(loader)
    return type(drawn_from) is torch.utils.data.RandomSampler and drawn_from.generator is None


def next_seed(torch):
    """The seed that torch's global generator would give now. It is drawn from a copy."""
    copy = torch.Generator()
    copy.set_state(torch.default_generator.get_state())
    return int(torch.empty((), dtype=torch.int64).random_(generator=copy).item())


def _listed(value):
    """A list of numbers, or None when `value` is none or too long."""
    try:
        if len(value) > datasets.MOST_LISTED:
            return None
        items = value.tolist() if hasattr(value, "tolist") else list(value)
    except Exception as error:
        trouble.let_through(error)
        return None
    plain = all(type(item) in (int, float) for item in items)
    return items if plain else None


def _inside(name, value):
    """The attribute, or the sampler that Lightning's DistributedSamplerWrapper makes a dataset of."""
    return getattr(value, "__dict__", {}).get("_sampler") if name == "dataset" else value


def sampler(torch, thing, depth=0):
    """The class of a sampler with its plain attributes; of a sampler inside of another one likewise."""
    if thing is None:
        return None
    said = {"class": datasets.class_name(thing), "values": {}, "lists": {}, "generators": {}, "samplers": {}}
    for name, value in getattr(thing, "__dict__", {}).items():
        if value is None or type(value) in (bool, int, float, str):
            said["values"][name] = value
        elif isinstance(value, torch.Generator):
            said["generators"][name] = generator(torch, value)
        elif depth < _MOST_NESTED and isinstance(_inside(name, value), torch.utils.data.Sampler):
            said["samplers"][name] = sampler(torch, _inside(name, value), depth + 1)
        elif name in _LISTS:
            said["lists"][name] = _listed(value)
    return said


def loader(torch, thing, sites):
    inner = sampler_of_samples(thing)
    return {
        "site": sites[0],
        "own_site": sites[1],
        "class": datasets.class_name(thing),
        "dataset": datasets.described(torch, thing.dataset),
        "batch_size": thing.batch_size,
        "drop_last": bool(thing.drop_last),
        "num_workers": thing.num_workers,
        "prefetch_factor": getattr(thing, "prefetch_factor", None),
        "worker_init_fn": seeds.function_name(getattr(thing, "worker_init_fn", None)),
        "worker_init_release": seeds.release_of(getattr(thing, "worker_init_fn", None)),
        "persistent_workers": bool(getattr(thing, "persistent_workers", False)),
        "in_order": bool(getattr(thing, "in_order", True)),
        "generator": generator(torch, thing.generator),
        "sampler": sampler(torch, thing.sampler),
        "batch_sampler": sampler(torch, thing.batch_sampler),
        "shares_generator": thing.generator is not None and getattr(inner, "generator", None) is thing.generator,
        "dispatcher": _dispatcher(torch),
    }


def _dispatcher(torch):
    """Accelerate's DataLoaderDispatcher that takes this iterator, whose rank 0 reads for all ranks; None where there is none. Only frames
    of that module are asked for their variables: to ask keeps them alive for as long as the frame."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__") == "accelerate.data_loader":
            taker = frame.f_locals.get("self")
            if type(taker).__name__ == "DataLoaderDispatcher":
                return sampler(torch, taker)
        frame = frame.f_back
    return None


def _is_installed(path):
    """Whether it is of a library or of Python itself, and not of the job."""
    return "/site-packages/" in path or "/dist-packages/" in path or path.startswith((os.path.dirname(os.__file__) + os.sep, "<"))


def sites_of_loop(torch):
    """Where an iterator is taken outside of torch: "folder/train.py:31"; and where the job's own code is by then, which a framework may
    have been called from. Empty when there is no such code."""
    ours = (os.path.dirname(os.path.abspath(__file__)) + os.sep, os.path.dirname(torch.__file__) + os.sep)
    site = ""
    frame = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        here = "%s:%d" % (path, frame.f_lineno)
        if not site and not path.startswith(ours):
            site = here
        if site and not _is_installed(path):
            return site, here
        frame = frame.f_back
    return site, ""
