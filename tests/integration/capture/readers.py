# SPDX-License-Identifier: Apache-2.0
"""readers.py KIND: a right program that reads its data in a way of its own. Each rank writes how many batches its loops got, and which
samples, to the folder $SAID."""
import json
import os
import sys

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset, IterableDataset, Subset, get_worker_info
from torch.utils.data.distributed import DistributedSampler

SIZE = 64


class Numbers(Dataset):
    def __init__(self, first=0, size=SIZE):
        self.numbers = torch.arange(float(first), float(first + size))

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, index):
        return self.numbers[index]


class Stream(IterableDataset):
    """Each worker of each rank has its own samples."""

    def __iter__(self):
        worker = get_worker_info()
        at, of = (worker.id, worker.num_workers) if worker else (0, 1)
        return iter(range(dist.get_rank() * of + at, SIZE, dist.get_world_size() * of))


def loaders_of(kind, rank, world):
    if kind == "stream":
        return [DataLoader(Stream(), batch_size=4, num_workers=2)]
    if kind == "shards":
        return [DataLoader(Numbers(100 * rank, SIZE // world), batch_size=4, shuffle=True)]
    if kind == "subsets":
        backwards = Subset(Numbers(), list(range(SIZE - 1, -1, -1)))
        return [DataLoader(Subset(backwards, range(rank, SIZE, world)), batch_size=4)]
    data = Numbers()
    sampler = DistributedSampler(data, world, rank, seed=3)
    first = DataLoader(data, batch_size=4, sampler=sampler, num_workers=2 if kind == "left" else 0)
    return [first, DataLoader(Numbers(0, 40), batch_size=2)] if kind == "pair" else [first]


def main(kind):
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    dist.init_process_group("gloo")
    torch.manual_seed(7)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))
    loaders = loaders_of(kind, rank, world)
    batches, samples = 0, []
    for epoch in range(2):
        if hasattr(loaders[0].sampler, "set_epoch"):
            loaders[0].sampler.set_epoch(0 if kind == "still" else epoch)
        for step, parts in enumerate(zip(*loaders)):
            model(parts[0].float()[:, None]).sum().backward()
            batches += len(parts)
            samples.append([int(number) for number in parts[0]])
            if kind == "left" and step == 2:
                break
    with open(os.path.join(os.environ["SAID"], "%d.json" % rank), "w") as out:
        json.dump({"batches": batches, "samples": samples}, out)


main(sys.argv[1])
