# SPDX-License-Identifier: Apache-2.0
"""With $FORKED_RANKS, the Python process that finds this becomes so many: it imports torch once and forks its ranks before Python runs the script, which
each of them runs as if it had been started by itself. What they do not seed of torch is alike on all of them. torch_jobs.ranks() starts it."""
import os
import signal

_count = int(os.environ.pop("FORKED_RANKS", "0"))  # not for processes that a rank starts
if _count:
    import numpy
    import torch  # whose pages the ranks share

    for _rank in range(_count):
        if os.fork() == 0:
            os.environ.update(RANK=str(_rank), LOCAL_RANK=str(_rank % int(os.environ["LOCAL_WORLD_SIZE"])))
            numpy.random.seed()  # Python's random does so by itself
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the background of a shell
            break
    else:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os._exit(int(any([os.wait()[1] for _ in range(_count)])))  # as a launcher, which fails with a rank
