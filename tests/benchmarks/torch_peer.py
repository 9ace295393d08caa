# SPDX-License-Identifier: Apache-2.0
"""The peer of the benchmarks: PyTorch doing the same work, timed inside this process."""

import json
import resource
import sys
import time

BEGAN = time.perf_counter()

import torch  # noqa: E402, "start" times it
from torch.utils.data import DistributedSampler


class Sized:
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size


def nothing():
    pass


def randperm(samples):
    torch.randperm(int(samples), generator=torch.Generator().manual_seed(0))


def sampler(samples, world):
    list(DistributedSampler(Sized(int(samples)), num_replicas=int(world), rank=0))


def find(samples, epochs):
    """Where sample 4711 stands in each epoch's permutation."""
    for epoch in range(int(epochs)):
        order = torch.randperm(int(samples), generator=torch.Generator().manual_seed(epoch))
        (order == 4711).nonzero()


start = BEGAN if sys.argv[1] == "start" else time.perf_counter()
{"nothing": nothing, "start": nothing, "randperm": randperm, "find": find, "sampler": sampler}[sys.argv[1]](*sys.argv[2:])
spent = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": spent, "peak_bytes": peak}))
