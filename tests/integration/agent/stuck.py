# SPDX-License-Identifier: Apache-2.0
"""stuck.py [FIFO]: a training of a few steps. As ranks of a job, rank 1 reads one of its samples from a FIFO into which nobody writes."""
import os
import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Numbers(Dataset):
    never = None

    def __len__(self):
        return 32

    def read_the_fifo(self):
        with open(sys.argv[1]) as file:
            file.read()

    def __getitem__(self, index):
        if index == self.never:
            self.read_the_fifo()
        return torch.tensor([index / 32])


def train(model, data, sampler):
    for x in DataLoader(data, batch_size=2, sampler=sampler):
        ((model(x) - x) ** 2).mean().backward()


data = Numbers()
model = torch.nn.Linear(1, 1)
if "RANK" in os.environ:
    dist.init_process_group("gloo")
    sampler = DistributedSampler(data)
    if dist.get_rank() == 1:
        data.never = list(sampler)[5]
    train(DistributedDataParallel(model), data, sampler)
    dist.destroy_process_group()
else:
    train(model, data, None)
