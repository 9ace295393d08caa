# SPDX-License-Identifier: Apache-2.0
"""prepared.py KIND[:WORKERS][,...]: a training script whose loaders Accelerate, the Trainer of Transformers or timm would make. It writes the indices that
its loops really got to the folder $SAID: one file for each rank of the first training, then of the next."""
import json
import os
import sys

import numpy
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset, Sampler, WeightedRandomSampler
from torch.utils.data.distributed import DistributedSampler

from job import Numbers, Stream

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "frameworks"))
from accelerate.data_loader import prepare_data_loader
from timm.data.scheduled_sampler import ScheduledBatchSampler
from transformers.trainer_pt_utils import DistributedLengthGroupedSampler

KINDS = {
    "plain": {},
    "split": {"split_batches": True},
    "uneven": {"even_batches": False},
    "seedable": {"use_seedable_sampler": True},
    "data_seed": {"use_seedable_sampler": True, "data_seed": 5},
    "dispatched": {"dispatch_batches": True},
}


class TwoStreamBatchSampler(Sampler):
    """A project's copy of mean-teacher's class."""

    def __init__(self, primary_indices, secondary_indices, batch_size, secondary_batch_size):
        self.primary_indices, self.secondary_indices = primary_indices, secondary_indices
        self.secondary_batch_size = secondary_batch_size
        self.primary_batch_size = batch_size - secondary_batch_size

    def _endless(self):
        while True:
            yield from numpy.random.permutation(self.secondary_indices)

    def _batches(self, first, second):
        for _ in range(len(self)):
            yield [int(next(first)) for _ in range(self.primary_batch_size)] + [int(next(second)) for _ in range(self.secondary_batch_size)]

    def __iter__(self):
        return self._batches(iter(numpy.random.permutation(self.primary_indices)), self._endless())

    def __len__(self):
        return len(self.primary_indices) // self.primary_batch_size


class Transformed(Dataset):
    """Gets an index with the choice of a transform."""

    def __init__(self, data):
        self.data = data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, pair):
        index, choice = pair
        return self.data[index] if choice in (0, 1) else None


def loader_of(kind, data, workers):
    if kind == "ordered":
        return prepare_data_loader(DataLoader(data, batch_size=8, num_workers=workers))
    if kind == "weighted":
        weights = [1.0 + index % 5 for index in range(len(data))]
        return prepare_data_loader(DataLoader(data, batch_size=8, sampler=WeightedRandomSampler(weights, 50), num_workers=workers))
    if kind == "twice":  # a DistributedSampler that prepare() divides again
        return prepare_data_loader(DataLoader(data, batch_size=8, sampler=DistributedSampler(data, seed=3), num_workers=workers))
    if kind == "stream":
        return prepare_data_loader(DataLoader(Stream(), batch_size=8), split_batches=True, dispatch_batches=True)
    if kind == "two_streams":
        batches = TwoStreamBatchSampler(list(range(20)), list(range(20, 103)), 6, 4)
        return DataLoader(data, batch_sampler=batches, num_workers=workers)
    if kind == "grouped":
        lengths = [(17 * index) % 41 for index in range(len(data))]
        return DataLoader(data, batch_size=8, sampler=DistributedLengthGroupedSampler(8, lengths, seed=3), num_workers=workers)
    if kind == "scheduled":
        batches = ScheduledBatchSampler(DistributedSampler(data, seed=3), (6, 4), (1, 3), seed=5, drop_last=False)
        return DataLoader(Transformed(data), batch_sampler=batches, num_workers=workers)
    return prepare_data_loader(DataLoader(data, batch_size=8, shuffle=True, num_workers=workers), **KINDS[kind])


def train(kind, workers, data):
    """The batches of each epoch."""
    torch.manual_seed(7)
    numpy.random.seed(7)
    model = torch.nn.Linear(1, 1)
    loader = loader_of(kind, data, workers)
    epochs = []
    for epoch in range(3):
        if kind == "grouped":
            loader.sampler.set_epoch(epoch)
        if kind == "scheduled":
            loader.batch_sampler.set_epoch(epoch)
        epochs.append([])
        for indices, x in loader:
            epochs[-1].append(indices.tolist())
            model(x).mean().backward()
    return epochs


dist.init_process_group("gloo")
for number, word in enumerate(sys.argv[1].split(",")):
    name, _, count = word.partition(":")
    said = {"epochs": train(name, int(count or 0), Numbers(number))}
    with open(os.path.join(os.environ["SAID"], "%d.json" % (number * dist.get_world_size() + dist.get_rank())), "w") as out:
        json.dump(said, out)
dist.destroy_process_group()
