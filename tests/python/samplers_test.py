# SPDX-License-Identifier: Apache-2.0
"""The samplers in torch's DataLoader: with workers, in the middle of an epoch, in pickles, and as the tools around torch see them."""
import itertools
import pickle
import random
import sys
import unittest
import warnings

from common import SPEC, Test, need_torch, planned

import shardlens

if __name__ == "__main__":
    need_torch()

import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

MANY = SPEC.replace("203", "20003")


class StatefulLoader:
    """What torchdata's StatefulDataLoader does with a batch sampler: each batch that is asked for ahead of the training is remembered with the state
    that the sampler and its iterator had then, and a state is loaded into both."""

    AHEAD = 4

    def __init__(self, batch_sampler):
        self.sampler = batch_sampler
        self.loaded = None

    def __iter__(self):
        self.iterator = iter(self.sampler)
        if self.loaded is not None:
            self.sampler.load_state_dict(self.loaded["sampler"])
            self.iterator = iter(self.sampler)
            self.iterator.load_state_dict(self.loaded["iterator"])
            self.loaded = None
        self.waiting = [self.state_dict_now()]
        batches = []
        while True:
            for batch in itertools.islice(self.iterator, self.AHEAD - len(batches)):
                batches.append(batch)
                self.waiting.append(self.state_dict_now())
            if not batches:
                return
            self.waiting.pop(0)
            yield batches.pop(0)

    def state_dict_now(self):
        return {"sampler": self.sampler.state_dict(), "iterator": self.iterator.state_dict()}

    def state_dict(self):
        return pickle.loads(pickle.dumps(self.waiting[0]))

    def load_state_dict(self, state):
        self.loaded = state


class InTorch(Test):
    def setUp(self):
        super().setUp()
        self.plan = shardlens.Plan(SPEC)
        self.planned = planned(self.path("pipeline.yaml", SPEC))

    def test_loaders_with_workers(self):
        for workers, persistent in ((0, False), (2, False), (2, True)):
            batch_sampler, sampler = self.plan.batch_sampler(rank=2), self.plan.sampler(rank=2)
            loaders = (
                (batch_sampler, DataLoader(range(203), batch_sampler=batch_sampler, num_workers=workers, persistent_workers=persistent)),
                (sampler, DataLoader(range(203), sampler=sampler, batch_size=self.plan.batch_size, drop_last=self.plan.drop_last, num_workers=workers)),
            )
            for one, loader in loaders:
                for epoch in range(self.plan.epochs):
                    one.set_epoch(epoch)
                    torch.rand(3)  # a training draws, too
                    self.assertEqual([batch.tolist() for batch in loader], self.planned[epoch, 2][0])
                    self.assertEqual(len(loader), len(self.planned[epoch, 2][0]))

    def test_what_tools_around_torch_ask(self):
        self.assertIsInstance(self.plan.sampler(rank=1), DistributedSampler)
        self.assertIsInstance(self.plan.sampler(rank=1), shardlens.PlannedSampler)
        batch_sampler = self.plan.batch_sampler(rank=1)
        self.assertIsInstance(batch_sampler.sampler, DistributedSampler)
        batch_sampler.sampler.set_epoch(2)  # Lightning, Accelerate
        self.assertEqual((batch_sampler.epoch, list(batch_sampler)), (2, self.planned[2, 1][0]))
        batch_sampler.sampler.epoch = 1
        self.assertEqual(list(batch_sampler), self.planned[1, 1][0])
        sampler = self.plan.sampler(rank=3)
        self.assertEqual((sampler.num_replicas, sampler.rank, sampler.epoch, len(sampler)), (4, 3, 0, 51))

    def test_torch_distributed_is_asked_first(self):
        import os

        os.environ.update(RANK="3", WORLD_SIZE="4")
        torch.distributed.init_process_group("gloo", init_method=f"file://{self.path('meet')}", rank=0, world_size=1)
        try:
            self.assertEqual(shardlens.rank_and_world(), (0, 1, "torch.distributed"))
            self.assertRaisesRegex(shardlens.WorldError, "this job has 1 .torch.distributed", self.plan.check)
        finally:
            torch.distributed.destroy_process_group()
        self.assertEqual(shardlens.rank_and_world().rank, 3)

    def test_tensors_are_filled(self):
        import numpy

        out = torch.zeros(51, dtype=torch.int64)
        self.plan.indices(1, 3, out=out)
        expected = list(itertools.chain.from_iterable(self.planned[1, 3][0]))
        self.assertEqual(out.tolist(), expected)
        found = self.plan.indices(1, 3)
        self.assertIsInstance(found, numpy.ndarray)
        self.assertEqual(found.tolist(), expected)
        for wrong in (torch.zeros(51), torch.zeros(50, dtype=torch.int64), torch.zeros(102, dtype=torch.int64)[::2]):
            self.assertRaisesRegex(ValueError, "51 signed 64-bit", self.plan.indices, 1, 3, wrong)

    def test_seeds(self):
        import numpy

        self.assertEqual(self.plan.seed_everything(rank=2), 7)
        drawn = (random.random(), numpy.random.rand(), torch.rand(1).item())
        random.seed(7)
        numpy.random.seed(7)
        torch.manual_seed(7)
        self.assertEqual(drawn, (random.random(), numpy.random.rand(), torch.rand(1).item()))
        self.assertIsNone(shardlens.Plan(SPEC.replace("base: 5, rule: base+rank", "rule: unseeded")).seed_everything(rank=0))

    def test_another_torch_is_warned_of(self):
        import os

        os.environ.update(RANK="0", WORLD_SIZE="4")
        self.assertWarnsRegex(UserWarning, "the spec is for torch 2.9, and this is torch", self.plan.check)
        version = ".".join(torch.__version__.split(".")[:2])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            shardlens.Plan(SPEC + f'framework: {{torch: "{version}"}}\n').check(range(203))

    def test_an_epoch_that_is_read_again_is_warned_of(self):
        sampler = self.plan.batch_sampler(rank=0)
        list(sampler)
        self.assertWarnsRegex(UserWarning, "epoch 0 is read again", list, sampler)


class Resumed(Test):
    def setUp(self):
        super().setUp()
        self.planned = planned(self.path("pipeline.yaml", SPEC))

    def test_in_the_middle_of_an_epoch(self):
        for make in (shardlens.Plan.batch_sampler, shardlens.Plan.sampler):
            whole = list(self.fresh(make, epoch=1))
            for stop in (0, 1, 7, len(whole)):
                sampler = self.fresh(make, epoch=1)
                read = list(itertools.islice(iter(sampler), stop))
                again = make(shardlens.Plan(SPEC), rank=1)
                again.load_state_dict(pickle.loads(pickle.dumps(sampler.state_dict())))
                again.set_epoch(1)  # as the loop does
                self.assertEqual(read + list(again), whole)
                again.set_epoch(2)
                self.assertEqual(list(again), list(self.fresh(make, epoch=2)))

    def fresh(self, make, epoch):
        sampler = make(shardlens.Plan(SPEC), rank=1)
        sampler.set_epoch(epoch)
        return sampler

    def test_a_loader_with_workers_that_asks_ahead(self):
        whole = self.planned[1, 1][0]
        for stop in (1, 5, len(whole) - 1):
            loader = StatefulLoader(self.fresh(shardlens.Plan.batch_sampler, epoch=1))
            read = list(itertools.islice(iter(loader), stop))
            again = StatefulLoader(shardlens.Plan(SPEC).batch_sampler(rank=1))
            again.load_state_dict(loader.state_dict())
            again.sampler.set_epoch(1)
            self.assertEqual(read + list(again), whole)
            again.sampler.set_epoch(2)
            self.assertEqual(list(again), self.planned[2, 1][0])

    def test_a_plain_loader_says_what_it_consumed(self):
        sampler = self.fresh(shardlens.Plan.batch_sampler, epoch=2)
        loader = DataLoader(range(203), batch_sampler=sampler, num_workers=2)
        read = [batch.tolist() for batch in itertools.islice(iter(loader), 3)]
        self.assertGreater(sampler.state_dict()["step"], 3)  # workers were given more
        again = shardlens.Plan(SPEC).batch_sampler(rank=1)
        again.load_state_dict(sampler.state_at(3))
        self.assertEqual(read + list(again), self.planned[2, 1][0])

    def test_more_epochs_change_nothing(self):
        state = self.fresh(shardlens.Plan.batch_sampler, epoch=2).state_dict()
        more = shardlens.Plan(SPEC.replace("epochs: 3", "epochs: 9").replace("four-ranks", "longer")).batch_sampler(rank=1)
        more.load_state_dict(state)
        self.assertEqual(list(more), self.planned[2, 1][0])

    def test_what_is_refused(self):
        sampler = self.fresh(shardlens.Plan.batch_sampler, epoch=1)
        list(itertools.islice(iter(sampler), 3))
        state = sampler.state_dict()
        other_world = shardlens.Plan(SPEC.replace("ranks_per_node: 4", "ranks_per_node: 2")).batch_sampler(rank=1)
        self.assertRaisesRegex(ValueError, "world of 4 ranks, and the plan has 2", other_world.load_state_dict, state)
        other_seed = shardlens.Plan(SPEC.replace("seed: 7", "seed: 8")).batch_sampler(rank=1)
        self.assertRaisesRegex(ValueError, "another spec, which differs in sampler.seed", other_seed.load_state_dict, state)
        self.assertRaisesRegex(ValueError, "no state of a ShardLens sampler that counts items", self.fresh(shardlens.Plan.sampler, 1).load_state_dict, state)
        self.assertRaisesRegex(ValueError, "no state of", sampler.load_state_dict, {"epoch": 1})
        elsewhere = self.fresh(shardlens.Plan.batch_sampler, epoch=2)
        self.assertRaisesRegex(ValueError, r"continues in epoch 1, but set_epoch\(2\)", elsewhere.load_state_dict, state)

    def test_a_long_spec_makes_no_large_state(self):
        long = SPEC.replace("{size: 203}", f"{{size: 20000, lengths: {list(range(1, 20001))}}}")
        sampler = shardlens.Plan(long).batch_sampler(rank=0)
        state = sampler.state_dict()
        self.assertLess(len(pickle.dumps(state)), 1000)
        sampler.load_state_dict(state)
        self.assertRaisesRegex(ValueError, "another spec", shardlens.Plan(long.replace("20000]", "7]")).batch_sampler(rank=0).load_state_dict, state)

    def test_pickled(self):
        for make in (shardlens.Plan.batch_sampler, shardlens.Plan.sampler):
            sampler = make(shardlens.Plan(MANY), rank=1)
            sampler.set_epoch(1)
            copy = pickle.loads(pickle.dumps(sampler))
            self.assertIs(type(copy), type(sampler))
            self.assertEqual(list(copy), list(sampler))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
