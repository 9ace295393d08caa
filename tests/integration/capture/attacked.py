# SPDX-License-Identifier: Apache-2.0
"""attacked.py CASE: a training program that knows nothing of ShardLens, put together as CASE says (JSON, of attack_pool.py). What its loops really got
goes line by line to a file of each process in the folder $TRUTH: a sample of its datasets is its own id."""
import datetime
import json
import os
import random
import signal
import sys
import zlib

import torch
import torch.distributed as dist
from torch.utils.data import BatchSampler, ConcatDataset, DataLoader, Dataset, IterableDataset, RandomSampler, Sampler, SequentialSampler, Subset
from torch.utils.data import SubsetRandomSampler, WeightedRandomSampler, get_worker_info, random_split
from torch.utils.data.distributed import DistributedSampler

CASE = json.loads(sys.argv[1])


def fork():
    """The ranks, from one process that has loaded torch; this one is none of them."""
    for rank in range(CASE["world"]):
        if os.fork() == 0:
            os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank))
            return
    statuses = [os.wait()[1] for _ in range(CASE["world"])]
    sys.exit(int(any(statuses)))


if "FORKS" in os.environ:
    fork()
START = int(os.environ["START"])  # 0, or 1 of a job that is started again
WORLD, RANK = int(os.environ.get("WORLD_SIZE", "1")), int(os.environ.get("RANK", "0"))
IS_CULPRIT = RANK == CASE["rank"]
said = os.open(os.path.join(os.environ["TRUTH"], "%d-%d.jsonl" % (START, RANK)), os.O_WRONLY | os.O_CREAT | os.O_EXCL)


def say(**facts):
    os.write(said, (json.dumps(facts) + "\n").encode())


def has(fault):
    return CASE["fault"] == fault and IS_CULPRIT


class Numbers(Dataset):
    def __init__(self, first, size):
        self.first, self.size = first, size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if has("sample_raises") and index == CASE["size"] // 2:
            raise ValueError("cannot be read")
        worker = get_worker_info()
        return self.first + index, worker.seed if worker else 0


class Stream(IterableDataset):
    def __iter__(self):
        worker = get_worker_info()
        ids = range(CASE["size"])
        if CASE["rank_split"]:
            ids = ids[RANK::WORLD]
        if worker and CASE["worker_split"]:
            ids = ids[worker.id :: worker.num_workers]
        return iter((index, 0) for index in ids)


class Shards(Sampler):
    """A sampler of the team's own."""

    def __init__(self, data, rank, seed):
        self.data, self.rank, self.seed, self.epoch = data, rank, seed, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        ids = list(range(len(self.data)))
        if CASE["own_shuffles"]:
            random.Random(self.seed + self.epoch).shuffle(ids)
        each = -(-len(ids) // WORLD)
        ids = ids[self.rank :: WORLD] if CASE["own_strides"] else ids[self.rank * each : (self.rank + 1) * each]
        if has("reads_twice"):
            ids = ids[: CASE["batch"]] + ids
        if has("skips_samples"):
            ids = ids[CASE["batch"] :]
        return iter(ids)

    def __len__(self):
        return len(list(iter(self)))


def generator():
    if CASE["generator"] == "none":
        return None
    return torch.Generator().manual_seed(11 + (100 if has("other_seed") else 0) + (RANK if CASE["generator"] == "per_rank" else 0))


def dataset(epoch=0):
    size = CASE["size"] + (1 if has("longer") else 0)
    if CASE["data"] == "stream":
        return Stream()
    if CASE["data"] == "concat":
        return ConcatDataset([Numbers(0, size // 3), Numbers(size // 3, size - size // 3)])
    if CASE["data"] == "subset":
        return Subset(Numbers(0, size), list(range(0, size, 2)))
    if CASE["data"] == "epoch_subset":
        return Subset(Numbers(0, size), list(range(epoch % 2, size, 2)))
    if CASE["data"] == "rank_subset":
        return Subset(Numbers(0, size), list(range(RANK, size, WORLD)))
    if CASE["data"] == "split":
        return random_split(Numbers(0, size), [size - size // 4, size // 4], torch.Generator().manual_seed(5 + (1 if has("other_seed") else 0)))[0]
    return Numbers(0, size)


def sampler_of(data):
    kind = CASE["sampler"]
    rank = 0 if CASE["fault"] == "same_shard" and RANK == 1 else RANK
    seed = CASE["seed"] + (1 if has("other_seed") else 0)
    if kind == "distributed":
        return DistributedSampler(data, WORLD, rank, shuffle=CASE["shuffles"], seed=seed, drop_last=CASE["sampler_drops"])
    if kind == "own":
        return Shards(data, rank, seed)
    if kind == "random":
        return RandomSampler(data, generator=generator())
    if kind == "weighted":
        return WeightedRandomSampler([1.0 + index % 5 for index in range(len(data))], max(1, len(data) // CASE["divisor"]), generator=generator())
    if kind == "indices":
        return SubsetRandomSampler(list(range(rank if CASE["divides"] else 0, len(data), WORLD if CASE["divides"] else 1)), generator=generator())
    return SequentialSampler(data)


def loader_of(data):
    more = {"num_workers": CASE["workers"], "persistent_workers": CASE["workers"] > 0 and CASE["persistent"]}
    if CASE["data"] == "stream":
        return DataLoader(data, batch_size=CASE["batch"], drop_last=CASE["drop_last"], **more)
    if CASE["sampler"] == "shuffle":
        return DataLoader(data, batch_size=CASE["batch"], drop_last=CASE["drop_last"], shuffle=True, generator=generator(), **more)
    sampler = sampler_of(data)
    if CASE["batch_sampler"]:
        return DataLoader(data, batch_sampler=BatchSampler(sampler, CASE["batch"], CASE["drop_last"]), **more)
    return DataLoader(data, batch_size=CASE["batch"], drop_last=CASE["drop_last"], sampler=sampler, **more)


first_loops = {}  # of each loader, by its identity


def begin(name, loader, calls=0):
    first_loops.setdefault(id(loader), (name, loader))  # which is kept, so that no other one has its identity
    data = loader.dataset
    is_stream = isinstance(data, IterableDataset)
    sampler = None if is_stream else loader.batch_sampler.sampler
    numpy = sys.modules.get("numpy")
    states = {"Python's random": random.getstate(), "NumPy's global generator": numpy and numpy.random.get_state()}
    below = [int(index) for index in data.indices] if isinstance(data, Subset) else None
    say(pass_of=name, first=first_loops[id(loader)][0], told=getattr(sampler, "epoch", None), calls=calls, size=None if is_stream else len(data), below=below,
        torch_seed=torch.initial_seed(), states={kind: zlib.crc32(repr(state).encode()) for kind, state in states.items()})  # fmt: skip


def got(ids, seeds):
    say(batch=ids.tolist(), workers=sorted(set(seeds.tolist())))


def look(loader):
    """Takes one batch and leaves."""
    begin("look", loader)
    ids, seeds = next(iter(loader))  # look
    got(ids, seeds)
    say(left="look")


def clear(optimizer):
    optimizer.zero_grad()
    say(cleared=1)


def train(model, optimizer, loader, epoch, calls, held_out):
    begin("train", loader, calls)
    last, taken = epoch == CASE["first"] + CASE["epochs"] - 1, 0
    if CASE["clears"] == "epoch":
        clear(optimizer)
    for ids, seeds in loader:  # training
        got(ids, seeds)
        if taken == CASE["at"] and last:
            die()
        if CASE["fault"] == "dies_last" and IS_CULPRIT and last and taken == len(loader) - 1:
            os.kill(os.getpid(), signal.SIGKILL)
        if CASE["clears"] == "top" and taken % CASE["accumulates"] == 0:
            clear(optimizer)
        taken += 1
        breaks = taken == CASE["breaks"] and CASE["break_epoch"] in (-1, epoch - CASE["first"]) and (CASE["break_all"] or IS_CULPRIT)
        if breaks and CASE["breaks_before"] and taken > 1:  # after one batch without a backward pass it would be a look
            say(left="break")
            return
        if has("skips_batch") and taken == 2 or epoch == CASE["first"] and taken <= CASE["forwards"]:
            continue
        for _ in range(CASE["backwards"]):
            model(ids.float()[:, None]).sum().backward()
            say(backward=1)
        if CASE["meets"]:
            dist.all_reduce(torch.zeros(1))
        if taken % CASE["accumulates"] == 0:
            optimizer.step()
            say(step=1)
            if CASE["clears"] == "step":
                clear(optimizer)
        if CASE["validates"] == "inside" and taken % 2 == 0:
            validate(model, held_out)
            say(again=1)
        if breaks:
            say(left="break")
            return
    say(end=1)


def die():
    if has("exits"):
        os._exit(3)
    if has("killed"):
        os.kill(os.getpid(), signal.SIGKILL)
    if has("raises"):
        raise RuntimeError("a fault of the loop")


def validate(model, loader):
    begin("val", loader)
    with torch.no_grad():
        for ids, seeds in loader:  # validation
            got(ids, seeds)
            model(ids.float()[:, None])
    say(end=1)


def mutate(sampler):
    if isinstance(getattr(sampler, "indices", None), list):
        sampler.indices.pop()
    elif hasattr(sampler, "seed"):
        sampler.seed += 10


def told(sampler, epoch):
    """How often set_epoch was called now."""
    if not hasattr(sampler, "set_epoch") or CASE["set_epoch"] == "forgotten" or has("forgets_set_epoch"):
        return 0
    sampler.set_epoch({"called": epoch, "constant": 2, "ahead": epoch + 3, "double": 2 * epoch}[CASE["set_epoch"]])
    return 1


def main():
    say(process=os.getpid())
    if CASE["torch_seed"] != "none":
        torch.manual_seed(7 + (RANK if CASE["torch_seed"] == "per_rank" else 0))
    if CASE["python_seed"] is not None:
        random.seed(CASE["python_seed"] + (RANK if CASE["torch_seed"] == "per_rank" else 0))
    if CASE["gloo"]:
        dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
    data = dataset()
    kept = Numbers(0, CASE["held_out"])
    held_out = DataLoader(kept, batch_size=5, sampler=DistributedSampler(kept, WORLD, RANK, shuffle=False) if CASE["held_out_divided"] else None)
    loader = loader_of(data)
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-9)
    if CASE["looks"] and (CASE["looks"] == "all" or IS_CULPRIT):
        look(loader)
    calls = 0
    for epoch in range(CASE["first"], CASE["first"] + CASE["epochs"]):
        if (CASE["again"] or CASE["data"] == "epoch_subset") and epoch > CASE["first"]:
            loader, calls = loader_of(dataset(epoch)), 0
        sampler = loader.batch_sampler.sampler if loader.batch_sampler is not None else None
        if CASE["validates"] == "before":
            validate(model, held_out)
        calls += told(sampler, epoch)
        if CASE["fault"] == "mutated" and epoch == CASE["first"] + 1 and (IS_CULPRIT or CASE["mutates_all"]):
            mutate(sampler)
        if CASE["fault"] == "grows" and epoch == CASE["first"] + 1 and isinstance(data, Numbers):
            data.size += 3
        train(model, optimizer, loader, epoch, calls, held_out)
        if CASE["validates"] in ("after", "on_train"):
            validate(model, held_out if CASE["validates"] == "after" else loader)
    say(bye=1)


CASE["first"] = START * CASE["resumes_at"]
try:
    main()
except Exception:
    say(raised=1)
    raise
