# SPDX-License-Identifier: Apache-2.0
"""A stand-in for a class of timm, which Debian does not have: its name, its attributes and what it gives with a constant schedule over all samples."""
import torch
from torch.utils.data import Sampler


class ScheduledBatchSampler(Sampler):
    def __init__(self, sampler, batch_sizes, choice_weights, seed=0, drop_last=True):
        self.sampler, self.batch_sizes, self.seed, self.drop_last, self.epoch = sampler, tuple(batch_sizes), seed, drop_last, 0
        self.choice_weights = torch.tensor(choice_weights, dtype=torch.float64)
        self.choice_weights /= self.choice_weights.sum()
        self.shuffle_schedule, self.choice_schedule, self.schedule_epochs, self.num_batches = True, "constant", None, None
        self.schedule_spread, self.schedule_random_mix = 0.65, 0.1
        self.schedule = list(self._drawn(len(sampler)))

    def _drawn(self, left):
        """Choice and size of each batch."""
        generator = torch.Generator().manual_seed(self.seed)
        while left >= min(self.batch_sizes):
            fitting = [choice for choice, size in enumerate(self.batch_sizes) if size <= left]
            choice = fitting[torch.multinomial(self.choice_weights[fitting], 1, generator=generator).item()]
            yield choice, self.batch_sizes[choice]
            left -= self.batch_sizes[choice]
        if left and not self.drop_last:
            yield torch.multinomial(self.choice_weights, 1, generator=generator).item(), left

    def set_epoch(self, epoch):
        self.epoch = epoch
        self.sampler.set_epoch(epoch)

    def __len__(self):
        return len(self.schedule)

    def __iter__(self):
        indices = iter(self.sampler)
        generator = torch.Generator().manual_seed(self.seed + 2 * self.epoch + 1)
        for place in torch.randperm(len(self.schedule), generator=generator).tolist():
            choice, size = self.schedule[place]
            yield [(next(indices), choice) for _ in range(size)]
