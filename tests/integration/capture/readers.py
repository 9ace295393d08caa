# SPDX-License-Identifier: Apache-2.0
"""readers.py KIND: a program that reads its data in a way of its own, mostly a right one. Each rank writes how many batches its loops got, and which
samples, to the folder $SAID."""
import datetime
import glob
import json
import os
import re
import signal
import sys
import time

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset, IterableDataset, Subset, get_worker_info
from torch.utils.data.distributed import DistributedSampler

SIZE = 64
GAVE_UP = os.path.join(os.environ["SAID"], "gave-up")


def meet_another_job(rank):
    """Returns while a job with another port reads, too."""
    open(os.path.join(os.environ["SAID"], "reads-%s-%d" % (os.environ["MASTER_PORT"], rank)), "w").close()
    while len({name.split("-")[1] for name in os.listdir(os.environ["SAID"]) if name.startswith("reads-")}) < 2:
        time.sleep(0.01)


def until_told(handed):
    """Until the file of this process says that its loop got so many batches; the loop itself does nothing for that."""
    (path,) = glob.glob(os.path.join(glob.escape(os.environ["SHARDLENS_PROBE"]), "*-%d.slprobe" % os.getpid()))
    end = time.monotonic() + 60
    while time.monotonic() < end and not re.search(rb'"handed": ?%d\b' % handed, open(path, "rb").read()):
        time.sleep(0.01)


class Numbers(Dataset):
    def __init__(self, first=0, size=SIZE):
        self.numbers = torch.arange(float(first), float(first + size))

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, index):
        return self.numbers[index]


class Stuck(Numbers):
    """On rank 1 one sample never comes, until rank 0 has given up and the launcher kills this one, too."""

    def __getitem__(self, index):
        if index == 33 and dist.get_rank() == 1:
            while not os.path.exists(GAVE_UP):
                time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__getitem__(index)


class Uneven(IterableDataset):
    def __iter__(self):
        return iter(range(100 * dist.get_rank(), 100 * dist.get_rank() + (20 if dist.get_rank() == 0 else 40)))


class Stream(IterableDataset):
    """Each worker of each rank has its own samples."""

    def __iter__(self):
        worker = get_worker_info()
        at, of = (worker.id, worker.num_workers) if worker else (0, 1)
        return iter(range(dist.get_rank() * of + at, SIZE, dist.get_world_size() * of))


class Share(IterableDataset):
    """Of a rank; each of its workers reads all of it."""

    def __iter__(self):
        return iter(range(dist.get_rank(), SIZE, dist.get_world_size()))


def killed():
    """One process without ranks that is killed while it holds two batches."""
    batches = iter(DataLoader(Numbers(), batch_size=4))
    next(batches), next(batches)
    until_told(2)
    os.kill(os.getpid(), signal.SIGKILL)


class Broken(Numbers):
    """One sample cannot be read."""

    def __getitem__(self, index):
        if index == 9:
            raise ValueError("sample 9")
        return super().__getitem__(index)


def skipping(workers):
    """One process without ranks that goes on after a batch that cannot be loaded."""
    batches, got = iter(DataLoader(Broken(), batch_size=4, num_workers=workers)), []
    while True:
        try:
            got.append([int(number) for number in next(batches)])
        except StopIteration:
            break
        except ValueError:
            pass
    with open(os.path.join(os.environ["SAID"], "0.json"), "w") as out:
        json.dump({"batches": len(got), "samples": got}, out)


def loaders_of(kind, rank, world):
    if kind == "uneven":
        return [DataLoader(Uneven(), batch_size=4)]
    if kind == "stuck":
        data = Stuck()
        return [DataLoader(data, batch_size=4, sampler=DistributedSampler(data, world, rank, shuffle=False))]
    if kind == "stream":
        return [DataLoader(Stream(), batch_size=4, num_workers=2)]
    if kind == "copied":
        return [DataLoader(Share(), batch_size=4, num_workers=2)]
    if kind == "cut":
        return [DataLoader(Subset(Numbers(0, 33), range(rank, 33, world)), batch_size=4, shuffle=True)]
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
    # Ranks meet however late one of them is; the limit is for what they wait for later.
    meeting = dist.TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), world, rank == 0)
    limit = datetime.timedelta(seconds=4 if kind in ("stuck", "cut") else 1800)
    dist.init_process_group("gloo", store=meeting, rank=rank, world_size=world, timeout=limit)
    torch.manual_seed(7)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))
    loaders = loaders_of(kind, rank, world)
    batches, samples = 0, []
    for epoch in range(1 if kind == "uneven" else 2):
        if hasattr(loaders[0].sampler, "set_epoch"):
            loaders[0].sampler.set_epoch(0 if kind == "still" else epoch)
        for step, parts in enumerate(zip(*loaders)):
            if kind == "still" and epoch == 0 and step == 0:
                meet_another_job(rank)
            if kind == "uneven" and step == 5:
                until_told(6)
                os._exit(1)  # as a launcher ends the ranks that wait for rank 0
            model(parts[0].float()[:, None]).sum().backward()
            batches += len(parts)
            samples.append([int(number) for number in parts[0]])
            if kind == "left" and step == 2:
                break
        if kind == "cut":
            dist.barrier()
    with open(os.path.join(os.environ["SAID"], "%d.json" % rank), "w") as out:
        json.dump({"batches": batches, "samples": samples}, out)
    dist.destroy_process_group()


try:
    if sys.argv[1] == "killed":
        killed()
    if sys.argv[1].startswith("skips"):
        skipping(2 if sys.argv[1] == "skips-workers" else 0)
        sys.exit(0)
    main(sys.argv[1])
except RuntimeError:  # of a collective whose time is over
    open(GAVE_UP, "w").close()
    raise
