# SPDX-License-Identifier: Apache-2.0
"""The data order of a distributed training job, exactly as ShardLens plans it.

    import shardlens

    plan = shardlens.Plan("pipeline.yaml")
    plan.seed_everything()                      # before the model is made
    plan.check(dataset)                         # raises where the job is not the planned one
    sampler = plan.batch_sampler()              # asks torch.distributed or the launcher which rank this is
    loader = DataLoader(dataset, batch_sampler=sampler, num_workers=plan.num_workers)
    with shardlens.Recorder("run.slrun", plan) as record:
        for epoch in range(plan.epochs):
            sampler.set_epoch(epoch)
            for step, (ids, batch) in enumerate(loader):
                record(epoch, step, ids)        # `shardlens verify run.slrun` proves the run afterwards

In tests: assert_no_overlap("pipeline.yaml"), assert_covers(...), assert_equal_steps(...), assert_run_matches(...).

Importing this package imports neither torch nor NumPy, reads no environment and loads no library.
"""
from __future__ import annotations

from .asserts import assert_covers, assert_equal_steps, assert_no_overlap, assert_run_matches
from .plan import Plan
from .rank import RankError, WorldError, rank_and_world
from .recorder import Recorder
from .sampler import PlannedBatchSampler, PlannedSampler

__version__ = "0.1.0"
__all__ = [
    "Plan",
    "PlannedBatchSampler",
    "PlannedSampler",
    "RankError",
    "Recorder",
    "WorldError",
    "assert_covers",
    "assert_equal_steps",
    "assert_no_overlap",
    "assert_run_matches",
    "rank_and_world",
]
