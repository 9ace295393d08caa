# SPDX-License-Identifier: Apache-2.0
"""train.py [SPEC RUN KIND]...: small trainings with DistributedDataParallel that use the package, one after the other. Their models draw random numbers
for dropout, so that a sampler on torch's global generator would leave the plan. KIND is the sampler that the loader gets: batches or items."""
import sys

import torch
import torch.distributed
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

import shardlens


class Numbers(Dataset):
    """Sample i is its own index and some features."""

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return index, torch.full((8,), float(index))


def loader_of(plan, dataset, kind):
    if kind == "items":
        sampler = plan.sampler()
        assert isinstance(sampler, DistributedSampler)  # what Lightning asks before it would put its own sampler in place
        return sampler, DataLoader(dataset, sampler=sampler, batch_size=plan.batch_size, drop_last=plan.drop_last, num_workers=plan.num_workers)
    sampler = plan.batch_sampler()
    return sampler, DataLoader(dataset, batch_sampler=sampler, num_workers=plan.num_workers)


def train(spec, run, kind):
    plan = shardlens.Plan(spec)
    plan.seed_everything()
    assert torch.initial_seed() == plan.seed()
    dataset = Numbers(plan.dataset_size)
    plan.check(dataset)
    sampler, loader = loader_of(plan, dataset, kind)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    with shardlens.Recorder(run, plan) as record:
        for epoch in range(plan.epochs):
            sampler.set_epoch(epoch)
            for step, (ids, features) in enumerate(loader):
                record(epoch, step, ids)
                optimizer.zero_grad()
                model(features).mean().backward()
                optimizer.step()


def main(words):
    torch.distributed.init_process_group("gloo")
    for at in range(0, len(words), 3):
        train(*words[at : at + 3])
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1:])
