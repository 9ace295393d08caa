# SPDX-License-Identifier: Apache-2.0
"""A program that calls every operation of torch.distributed once, on two to four ranks, in several groups."""
import os

import torch
import torch.distributed as dist


def collectives(group, ranks):
    size = len(ranks)
    x = torch.ones(4)
    parts = [torch.ones(4) for _ in ranks]
    dist.all_reduce(x, group=group)
    dist.broadcast(x, ranks[1], group)
    dist.reduce(x, ranks[0], group=group)
    dist.all_gather(parts, x, group=group)
    dist.gather(x, parts if dist.get_rank() == ranks[1] else None, dst=ranks[1], group=group)
    dist.scatter(x, parts if dist.get_rank() == ranks[0] else None, src=ranks[0], group=group)
    dist.barrier(group)
    objects = [None] * size
    dist.all_gather_object(objects, dist.get_rank(), group=group)
    works = [dist.all_reduce(torch.ones(2), group=group, async_op=True) for _ in range(3)]
    for work in reversed(works):
        work.wait()
    dist.all_reduce(torch.ones(2), group=group, async_op=True)  # nobody waits for it
    dist.barrier(group=group)


def begin(world):
    """Each world has its own store."""
    store = "file://%s/world-%d" % (os.environ["SAID"], world)
    dist.init_process_group("gloo", init_method=store, rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))


def main():
    begin(0)
    rank, world_size = dist.get_rank(), dist.get_world_size()
    every = list(range(world_size))
    collectives(None, every)
    for world in (1, 2):  # the second time, of a world that began anew
        groups = [dist.new_group([0, 1]), dist.new_group([2, 1]), dist.new_group()]
        if rank in (0, 1):
            collectives(groups[0], [0, 1])
        if rank in (1, 2):
            collectives(groups[1], [1, 2])
        collectives(groups[2], every)
        dist.barrier()
        dist.destroy_process_group()
        begin(world)
    x = torch.ones(3)
    if rank == 0:
        dist.send(x, 1)
        dist.isend(x, dst=2).wait()
    elif rank == 1:
        dist.recv(x, 0)
    else:
        work = dist.irecv(x, src=0)
        work.wait()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
