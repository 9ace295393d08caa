# SPDX-License-Identifier: Apache-2.0
"""train.py FAULT: a DDP training script that knows nothing of ShardLens, and has one of the faults that such scripts have, or is "compiled". With $SAID it
writes its losses and the state of its random numbers to that folder: one file for each rank."""
import json
import os
import signal
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, Subset
from torch.utils.data.distributed import DistributedSampler

FAULT = sys.argv[1]
EPOCHS = int(os.environ.get("EPOCHS", "2"))
BATCHES = int(os.environ.get("BATCHES", "20"))  # in an epoch of a rank
LATE_S = 0.1  # long against the turns of a busy scheduler
CULPRIT = 1
KEPT = []  # tensors of collectives: one that ends while a thread of gloo still has it makes that thread wait for the interpreter, which waits for the thread


class Numbers(Dataset):
    def __init__(self, size, seconds):
        self.size = size
        self.seconds = seconds
        self.never = None  # the sample whose reading does not end

    def __len__(self):
        return self.size

    def read_for_ever(self):
        while True:
            time.sleep(60)

    def __getitem__(self, index):
        if index == self.never:
            self.read_for_ever()
        if self.seconds > 0:  # even a sleep of no time is a turn of a busy scheduler
            time.sleep(self.seconds)
        return torch.tensor([index / self.size])


def loaders(rank, world_size):
    data = Numbers(4 * BATCHES * world_size, LATE_S / 4 if FAULT == "storage" and rank == CULPRIT else 0)
    if FAULT == "uneven":
        mine = Subset(data, range(rank, 4 * (BATCHES - (rank == CULPRIT)) * world_size, world_size))
        return DataLoader(mine, batch_size=4, shuffle=True), DataLoader(data, batch_size=64)
    workers = 2 if FAULT in ("workers", "worker") else 0
    sampler = DistributedSampler(data, seed=3)
    if FAULT in ("worker", "reading") and rank == CULPRIT:
        data.never = list(sampler)[4 * 3 + 2]  # of step 3
    train = DataLoader(data, batch_size=4, sampler=sampler, num_workers=workers)
    return train, DataLoader(Numbers(32, 0), batch_size=16)


def act(rank, epoch, step):
    """What goes wrong in the middle of the second epoch, on one rank."""
    if rank != CULPRIT or (epoch, step) != (1, 3):
        return
    if FAULT == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if FAULT == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    if FAULT == "other":
        dist.barrier()
    if FAULT == "saving":
        save_for_ever()
    if FAULT == "late":
        augment()


def augment():
    time.sleep(2.6)


def save_for_ever():
    while True:
        time.sleep(60)


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(7)
    model = torch.nn.Sequential(torch.nn.Linear(1, 32), torch.nn.ReLU(), torch.nn.BatchNorm1d(32), torch.nn.Linear(32, 1))
    model = DistributedDataParallel(model)
    predict = torch.compile(model, backend="eager") if FAULT == "compiled" else model  # torch 2
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train, held_out = loaders(rank, world_size)
    said = []
    for epoch in range(EPOCHS):
        if hasattr(train.sampler, "set_epoch"):
            train.sampler.set_epoch(epoch)
        for step, x in enumerate(train):
            act(rank, epoch, step)
            optimizer.zero_grad()
            if FAULT == "slow" and rank == CULPRIT:
                time.sleep(LATE_S)
            loss = ((predict(x) - x * x) ** 2).mean()
            loss.backward()
            optimizer.step()
            said.append(loss.item().hex())
        dist.barrier()
        model.eval()
        with torch.no_grad():
            right = sum(model.module(x).sum() for x in held_out)
        KEPT.append(right)
        dist.all_reduce(right)
        model.train()
        said.append(right.item().hex())
    if "SAID" in os.environ:
        with open(os.path.join(os.environ["SAID"], "%d.json" % rank), "w") as out:
            json.dump(said + [torch.rand(1).item().hex()], out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
