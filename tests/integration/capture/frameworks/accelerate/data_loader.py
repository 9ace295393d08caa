# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for classes of Accelerate, which Debian does not have: their names, their attributes and what they deal, over gloo. Written from what
accelerator.prepare() of Accelerate 1.15 does."""
import itertools

import torch
import torch.distributed as dist
from torch.utils.data import BatchSampler, DataLoader, IterableDataset, RandomSampler


class SeedableRandomSampler(RandomSampler):
    def __init__(self, data_source, data_seed=None):
        super().__init__(data_source)
        self.initial_seed = torch.initial_seed() if data_seed is None else data_seed
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        self.generator = self.generator or torch.Generator()
        self.generator.manual_seed(self.initial_seed + self.epoch)
        yield from super().__iter__()
        self.epoch += 1


class BatchSamplerShard(BatchSampler):
    def __init__(self, batch_sampler, split_batches, even_batches):
        self.batch_sampler = batch_sampler
        self.num_processes, self.process_index = dist.get_world_size(), dist.get_rank()
        self.split_batches, self.even_batches = split_batches, even_batches
        self.batch_size, self.drop_last = batch_sampler.batch_size, batch_sampler.drop_last

    def __iter__(self):
        items = list(itertools.chain.from_iterable(self.batch_sampler))
        part = self.batch_size // self.num_processes if self.split_batches else self.batch_size
        together = part * self.num_processes
        if self.drop_last:
            items = items[: len(items) // together * together]
        elif self.even_batches:
            items += list(itertools.islice(itertools.cycle(items[:together]), -len(items) % together))
        for first in range(part * self.process_index, len(items), together):
            yield items[first : first + part]


class _Prepared:
    """The loader below reads; in front of it are the epoch, the generator that all processes share, and one batch that is read ahead."""

    def __init__(self, dataset, **arguments):
        self.base_dataloader = DataLoader(dataset, **arguments)
        self.iteration = 0

    def _set_epoch(self):
        for batches in (self.base_dataloader.batch_sampler, getattr(self.base_dataloader.batch_sampler, "batch_sampler", None)):
            if hasattr(getattr(batches, "sampler", None), "set_epoch"):
                batches.sampler.set_epoch(self.iteration)


class DataLoaderShard(_Prepared):
    def __init__(self, dataset, synchronized_generator=None, **arguments):
        super().__init__(dataset, **arguments)
        self.synchronized_generator = synchronized_generator

    def __iter__(self):
        if self.synchronized_generator is not None:
            state = self.synchronized_generator.get_state()
            dist.broadcast(state, 0)
            self.synchronized_generator.set_state(state)
        self._set_epoch()
        ahead = None
        for batch in self.base_dataloader:
            if ahead is not None:
                yield ahead
            ahead = batch
        if ahead is not None:
            yield ahead
        self.iteration += 1


class DataLoaderDispatcher(_Prepared):
    def __init__(self, dataset, split_batches=False, skip_batches=0, **arguments):
        super().__init__(dataset, **arguments)
        self.split_batches, self.skip_batches = split_batches, skip_batches

    def _parts(self, batches):
        """What each rank gets: a batch, or its part of one."""
        if not self.split_batches:
            return [next(batches, None) for _ in range(dist.get_world_size())]
        batch = next(batches, None)
        return [None] if batch is None else list(zip(*(tensor.chunk(dist.get_world_size()) for tensor in batch)))

    def __iter__(self):
        self._set_epoch()
        batches = iter(self.base_dataloader)
        while True:
            sent = [self._parts(batches) if dist.get_rank() == 0 else None]
            dist.broadcast_object_list(sent)
            if sent[0][-1] is None:
                break
            yield sent[0][dist.get_rank()]
        self.iteration += 1


def prepare_data_loader(loader, split_batches=False, even_batches=True, use_seedable_sampler=False, data_seed=None, dispatch_batches=False):
    if dispatch_batches and isinstance(loader.dataset, IterableDataset):
        return DataLoaderDispatcher(loader.dataset, split_batches, batch_size=loader.batch_size)
    if dispatch_batches:
        return DataLoaderDispatcher(loader.dataset, split_batches, batch_sampler=loader.batch_sampler)
    sampler = loader.batch_sampler.sampler
    generator = None
    if use_seedable_sampler and isinstance(sampler, RandomSampler):
        sampler = SeedableRandomSampler(loader.dataset, data_seed)
    elif hasattr(sampler, "generator"):
        if sampler.generator is None:
            sampler.generator = torch.Generator()
            sampler.generator.manual_seed(int(torch.empty((), dtype=torch.int64).random_()))
        generator = sampler.generator
    shard = BatchSamplerShard(loader.batch_sampler, split_batches, even_batches)
    if use_seedable_sampler:
        shard.sampler = shard.batch_sampler.sampler = sampler
    return DataLoaderShard(loader.dataset, generator, batch_sampler=shard, num_workers=loader.num_workers)
