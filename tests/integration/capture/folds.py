# SPDX-License-Identifier: Apache-2.0
"""folds.py SEEDS [turns]: a training with each of these seeds in one function, one after the other or, with `turns`, epoch by epoch."""
import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def train(model, loader, sampler, epoch):
    sampler.set_epoch(epoch)
    for (numbers,) in loader:
        model(numbers).sum().backward()


dist.init_process_group("gloo")
model = DistributedDataParallel(torch.nn.Linear(1, 1))
data = TensorDataset(torch.arange(103.0)[:, None])
trainings = []
for seed in sys.argv[1].split(","):
    sampler = DistributedSampler(data, seed=int(seed))
    trainings.append((DataLoader(data, batch_size=8, sampler=sampler), sampler))
order = [(fold, epoch) for fold in range(len(trainings)) for epoch in range(3)]
if sys.argv[2:] == ["turns"]:
    order.sort(key=lambda one: one[1])
for fold, epoch in order:
    train(model, *trainings[fold], epoch)
dist.barrier()
dist.destroy_process_group()
