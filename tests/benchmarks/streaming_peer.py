# SPDX-License-Identifier: Apache-2.0
"""Streaming's own Python code on the input of `bench_engine streaming N NODES`: the shuffle and the partition of one epoch.

    pip install mosaicml-streaming
    python3 tests/benchmarks/streaming_peer.py 10000000 64

prints the same JSON line as our program, to be put beside it. Neither needs any data: both work on sizes alone.
"""

import json
import resource
import sys
import time

try:
    import numpy as np
    from streaming.base.partition import get_partitions
    from streaming.base.shuffle import get_shuffle
except ImportError as missing:
    sys.exit("streaming_peer: %s; install mosaicml-streaming to measure it" % missing)

samples, nodes = int(float(sys.argv[1])), int(sys.argv[2])
sizes = np.full(samples // 10_000, 10_000, np.int64)
block = max(4_000_000 // nodes, 1 << 18)
start = time.perf_counter()
ids = get_partitions("relaxed", samples, nodes, nodes, 8, 8, 32)
shuffle = get_shuffle("py1e", sizes, nodes, 9176, 0, block)
ids = np.where(ids != -1, shuffle[ids], -1)
spent = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": spent, "peak_bytes": peak}))
