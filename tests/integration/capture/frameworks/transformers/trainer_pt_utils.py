# SPDX-License-Identifier: Apache-2.0
"""A stand-in for a class of Transformers, which Debian does not have: its name, its attributes and what it deals."""
import torch
from torch.utils.data.distributed import DistributedSampler


class DistributedLengthGroupedSampler(DistributedSampler):
    def __init__(self, batch_size, lengths, seed=0):
        super().__init__(lengths, seed=seed)
        del self.dataset, self.shuffle
        self.batch_size, self.lengths = batch_size, lengths

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed + self.epoch)
        order = torch.randperm(len(self.lengths), generator=generator).tolist()
        together = max(1, min(len(order) // (4 * self.batch_size), 50)) * self.batch_size
        parts = [sorted(order[at : at + together], key=lambda i: -self.lengths[i]) for at in range(0, len(order), together)]
        longest = max(range(len(parts)), key=lambda k: self.lengths[parts[k][0]])
        parts[0][0], parts[longest][0] = parts[longest][0], parts[0][0]
        order = [index for part in parts for index in part]
        order += order[: self.total_size - len(order)]
        return iter(order[self.rank : self.total_size : self.num_replicas])
