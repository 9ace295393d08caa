# SPDX-License-Identifier: Apache-2.0
"""job.py KIND[:WORKERS][,...]: a training script that knows nothing of ShardLens. It writes the indices that it really got, and its last loss, to
the folder $SAID: one file for each rank, or, without ranks, for each of its trainings."""
import json
import os
import random
import subprocess
import sys

import numpy
import torch
import torch.distributed as dist
from torch.utils.data import BatchSampler, DataLoader, Dataset, IterableDataset, RandomSampler, Sampler, SequentialSampler
from torch.utils.data import SubsetRandomSampler, WeightedRandomSampler
from torch.utils.data.distributed import DistributedSampler

EPOCHS = 3


class Numbers(Dataset):
    """Of a length of its own in each training: else loaders of one line would be taken for one loader that is made anew."""

    def __init__(self, number=0):
        self.size = 103 + number

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return index, torch.tensor([index / 103.0])


class Stream(IterableDataset):
    def __iter__(self):
        return iter((index, torch.tensor([index / 103.0])) for index in range(24))


class EveryThird(Sampler):
    def __init__(self, dataset):
        self.dataset = dataset

    def __iter__(self):
        return iter(range(0, len(self.dataset), 3))

    def __len__(self):
        return (len(self.dataset) + 2) // 3


class MyDistributed(Sampler):
    """A team's own DistributedSampler, with the rule of torch's."""

    def __init__(self, dataset, seed):
        self.dataset, self.seed, self.epoch = dataset, seed, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return -(-len(self.dataset) // dist.get_world_size())

    def __iter__(self):
        order = torch.randperm(len(self.dataset), generator=torch.Generator().manual_seed(self.seed + self.epoch)).tolist()
        order += order[: len(self) * dist.get_world_size() - len(order)]
        return iter(order[dist.get_rank() :: dist.get_world_size()])


class GrowingBatches:
    """Batches of 1, 2, 3, 4, 1, 2, ... samples, each rank its own; an epoch begins where the last one ended."""

    def __init__(self, dataset, first):
        self.size, self.first, self.passes = len(dataset), first, 0

    def __iter__(self):
        self.passes += 1
        at = self.first + 7 * self.passes
        for step in range(9):
            yield [(at + k * k) % self.size for k in range(step % 4 + 1)]
            at += 11

    def __len__(self):
        return 9


def loader_of(kind, data, workers):
    def generator():
        return torch.Generator().manual_seed(11)

    more = {"num_workers": workers, "persistent_workers": workers > 0 and kind == "persistent"}
    if kind in ("ddp", "forgotten", "again", "killed", "one_killed", "persistent", "peek", "evaluated", "started"):
        return DataLoader(data, batch_size=8, sampler=DistributedSampler(data, seed=3), **more)
    if kind == "local":
        sampler = DistributedSampler(data, num_replicas=2, rank=int(os.environ["LOCAL_RANK"]))
        return DataLoader(data, batch_size=8, sampler=sampler, **more)
    if kind == "mpi":
        sampler = DistributedSampler(data, int(os.environ["OMPI_COMM_WORLD_SIZE"]), int(os.environ["OMPI_COMM_WORLD_RANK"]))
        return DataLoader(data, batch_size=8, sampler=sampler, **more)
    if kind == "uneven":
        count = 40 + 8 * int(os.environ["RANK"])
        return DataLoader(data, batch_size=8, sampler=SubsetRandomSampler(range(count)), **more)
    if kind == "random":
        return DataLoader(data, batch_size=8, shuffle=True, **more)
    if kind == "generator":
        return DataLoader(data, batch_size=8, shuffle=True, generator=generator(), **more)
    if kind == "own_generator":
        return DataLoader(data, batch_size=8, sampler=RandomSampler(data, generator=generator()), **more)
    if kind == "subset":
        return DataLoader(data, batch_size=4, sampler=SubsetRandomSampler([5, 7, 1, 90, 44, 13], generator=generator()), **more)
    if kind == "weighted":
        weights = [1.0 + index % 5 for index in range(len(data))]
        return DataLoader(data, batch_size=8, sampler=WeightedRandomSampler(weights, 50, generator=generator()), **more)
    if kind == "batches":
        return DataLoader(data, batch_sampler=BatchSampler(SequentialSampler(data), 10, True), **more)
    if kind == "custom":
        return DataLoader(data, batch_size=8, sampler=EveryThird(data), **more)
    if kind.startswith("mine"):
        return DataLoader(data, batch_size=8, sampler=MyDistributed(data, 3), **more)
    if kind == "growing":
        return DataLoader(data, batch_sampler=GrowingBatches(data, 5 * int(os.environ.get("RANK", "0"))), **more)
    if kind == "iterable":
        return DataLoader(Stream(), batch_size=8, **more)
    raise SystemExit("unknown kind " + kind)


def start_other_rank():
    """As Lightning does: the script that was typed becomes rank 0 of two and starts itself again. RANK is not set."""
    if "LOCAL_RANK" in os.environ:
        return None
    os.environ.update(WORLD_SIZE="2", NODE_RANK="0", LOCAL_RANK="0")
    return subprocess.Popen([sys.executable, *sys.argv], env=dict(os.environ, LOCAL_RANK="1"))


def main(kind, workers, number):
    torch.manual_seed(7)
    other = start_other_rank() if kind == "started" else None
    if kind == "mine_seeded":
        numpy.random.seed(7)
        random.seed(30 + int(os.environ["RANK"]))
        random.random()
    rank = int(os.environ.get("RANK", os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("LOCAL_RANK", "0"))))
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    elif kind == "started":
        dist.init_process_group("gloo", rank=rank, world_size=2)
    data = Numbers(number)
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = loader_of(kind, data, workers)
    held_out = DataLoader(data, batch_size=50, sampler=DistributedSampler(data, shuffle=False) if kind == "evaluated" else None)
    said = {"epochs": [], "loss": ""}
    if kind == "peek" and rank == 0:
        next(iter(loader))
    for epoch in range(EPOCHS):
        if kind == "again":
            loader = loader_of(kind, data, workers)
        if kind not in ("forgotten", "mine_forgotten") and hasattr(loader.sampler, "set_epoch"):
            loader.sampler.set_epoch(epoch)
        said["epochs"].append([])
        for indices, x in loader:
            said["epochs"][-1].append(indices.tolist())
            optimizer.zero_grad()
            loss = ((model(x) - x * x) ** 2).mean() + torch.rand(1).sum() * 0
            loss.backward()
            optimizer.step()
            if (kind == "killed" or kind in ("one_killed", "mine_killed") and rank == 1) and epoch == 1 and len(said["epochs"][-1]) == 2:
                os.kill(os.getpid(), 9)
        with torch.no_grad():
            for _, x in loader if kind == "peek" else held_out:
                model(x)
    said["loss"] = loss.item().hex() + " " + torch.rand(1).item().hex()
    with open(os.path.join(os.environ["SAID"], "%d.json" % (rank + number)), "w") as out:
        json.dump(said, out)
    if dist.is_initialized():
        dist.destroy_process_group()
    if other is not None:
        other.wait()


if __name__ == "__main__":
    for number, word in enumerate(sys.argv[1].split(",")):
        kind, _, workers = word.partition(":")
        main(kind, int(workers or 0), number)
