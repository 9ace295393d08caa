# SPDX-License-Identifier: Apache-2.0
"""faulty.py CASE: a DDP training script that knows nothing of ShardLens, and in which one rank has one fault from one step on. CASE is the
JSON that fault_pool.py draws. The moment of the fault goes into the file `fault` of the working folder: CLOCK_MONOTONIC, in nanoseconds."""
import json
import os
import signal
import sys
import time
import traceback

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, Subset, get_worker_info
from torch.utils.data.distributed import DistributedSampler

CASE = json.loads(sys.argv[1])
KIND = CASE["kind"]
BATCH, BATCHES = 4, 40  # samples of a batch, batches of an epoch and rank
EVERY = 4  # steps after which the ranks talk to each other, beside their gradients
LOAD_S, COMPUTE_S = 0.005, 0.02
KEPT = []  # tensors of collectives: one that ends while a thread of gloo still has it makes that thread wait for the interpreter, which waits for the thread


def begin_fault():
    if not os.path.exists("fault"):
        with open("fault.new", "w") as file:
            file.write(str(time.monotonic_ns()))
        os.replace("fault.new", "fault")


def delay(burns):
    begin_fault()
    end = time.perf_counter() + CASE["delay_s"]
    if not burns:
        time.sleep(CASE["delay_s"])
    while time.perf_counter() < end:
        pass


class Numbers(Dataset):
    def __init__(self, size, is_slow):
        self.size = size
        self.is_slow = is_slow
        self.read = 0  # by this process

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        self.read += 1
        worker = get_worker_info()
        is_here = worker is None or worker.id == 1
        first = CASE["step"] * BATCH // (1 if worker is None else worker.num_workers)
        if self.is_slow and is_here and self.read > first and self.read % BATCH == 0:
            delay(False)
        time.sleep(LOAD_S / BATCH)
        return torch.tensor([index / self.size])


def loader_of(rank, world_size):
    is_culprit = rank == CASE["rank"]
    data = Numbers(BATCH * BATCHES * world_size, KIND in ("slow_load", "slow_worker") and is_culprit)
    if KIND == "uneven":
        left_out = BATCH * world_size * (BATCHES - CASE["step"]) if is_culprit else 0
        return DataLoader(Subset(data, range(rank, len(data) - left_out, world_size)), batch_size=BATCH, shuffle=True)
    workers = CASE["workers"]
    return DataLoader(data, batch_size=BATCH, sampler=DistributedSampler(data, seed=3), num_workers=workers, persistent_workers=workers > 0)


def call(operation, loss, size=1):
    value = loss.detach().repeat(size)
    KEPT.append(value)
    if operation == "barrier":
        dist.barrier()
    elif operation == "all_reduce":
        dist.all_reduce(value)
    elif operation == "broadcast":
        dist.broadcast(value, 0)
    elif operation == "all_gather":
        parts = [torch.zeros_like(value) for _ in range(dist.get_world_size())]
        KEPT.extend(parts)
        dist.all_gather(parts, value)


def talk(loss, is_faulty):
    """What such scripts do now and then: log a mean, wait for each other, tell a decision."""
    operations = list(CASE["operations"])
    if is_faulty:
        begin_fault()
    if is_faulty and KIND == "order":
        operations.reverse()
    for number, operation in enumerate(operations):
        is_here = is_faulty and number == 0
        if is_here and KIND == "missing":
            continue
        call(operation, loss, CASE["sizes"][is_here and KIND == "size"])


def act(loss):
    """What goes wrong once, on one rank."""
    begin_fault()
    if KIND == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif KIND == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif KIND == "extra":
        call(CASE["extra"], loss)
    elif KIND == "raised":
        raise ValueError("the loss is not a number")
    elif KIND == "stuck":
        wait_for_ever()


def wait_for_ever():
    count = 0
    while True:
        count += 1
        if CASE["sleeps"]:
            time.sleep(1)


def train(rank, world_size):
    torch.manual_seed(7)
    middle = torch.nn.BatchNorm1d(32) if CASE["norm"] else torch.nn.ReLU()  # buffers are broadcast in each step
    model = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(1, 32), middle, torch.nn.Linear(32, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = loader_of(rank, world_size)
    done = 0
    loss = torch.zeros(())
    for epoch in range(CASE["epochs"]):
        if KIND != "uneven":
            loader.sampler.set_epoch(epoch)
        for x in loader:
            is_it = rank == CASE["rank"] and done == CASE["step"]
            is_once = is_it and KIND in ("killed", "stopped", "extra", "raised", "stuck")
            if is_once and CASE["place"] == "before":
                act(loss)
            time.sleep(COMPUTE_S)
            if KIND in ("slow_compute", "slow_line") and rank == CASE["rank"] and done >= CASE["step"]:
                delay(CASE["burns"])
            optimizer.zero_grad()
            loss = ((model(x) - x * x) ** 2).mean()
            loss.backward()
            optimizer.step()
            if is_once and CASE["place"] == "after":
                act(loss)
            if done % EVERY == EVERY - 1:
                talk(loss, is_it and KIND in ("missing", "size", "order"))
            done += 1
        if KIND == "uneven" and rank == CASE["rank"]:
            begin_fault()
        call(CASE["after_epoch"], loss)


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    try:
        train(rank, world_size)
    except ValueError as error:
        traceback.print_exc()
        if CASE["handler"] == "barrier":
            dist.barrier()
        elif CASE["handler"] == "monitored_barrier":
            dist.monitored_barrier()
        elif CASE["handler"] == "all_gather_object":
            dist.all_gather_object([None] * world_size, repr(error))
        raise
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
