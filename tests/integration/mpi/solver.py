# SPDX-License-Identifier: Apache-2.0
"""What solver.c does, with mpi4py: `solver.py CASE [ITERATIONS]`."""

import os
import signal
import sys
import time
from array import array

from mpi4py import MPI

name = sys.argv[1] if len(sys.argv) > 1 else "fine"
iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 40
world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
value = float(rank)
total = array("d", [0])
for i in range(iterations):
    is_here = rank == 1 and i == iterations // 2
    if name == "straggler" and rank == 1:
        time.sleep(0.05)
    if name == "missing" and not is_here:
        world.Barrier()
    if name == "dies" and is_here:
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "stops" and is_here:
        os.kill(os.getpid(), signal.SIGSTOP)
    if rank == 0:
        for other in range(1, size):
            world.send({"step": i}, dest=other, tag=3)
    else:
        assert world.recv(source=0)["step"] == i
    world.Allreduce(array("d", [value]), total)
    value = total[0] * 0.25 + i
if rank == 0:
    print("sum", repr(value))
