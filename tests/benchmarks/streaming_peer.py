# SPDX-License-Identifier: Apache-2.0
"""Streaming's own Python code on the input of `bench_engine streaming N NODES`: partition and shuffle of one epoch.

    streaming_peer.py SAMPLES NODES

prints the same JSON line as our program. Needs no data: both work on sizes alone. The code comes from an installed
mosaicml-streaming, or from a copy of its repository that STREAMING_SOURCE names; of that only the two folders used here
are imported, which need nothing but NumPy.
"""

import json
import os
import resource
import sys
import time
import types

import numpy as np


def use_source(folder):
    """Makes the packages `streaming` and `streaming.base` of that folder known without running their __init__.py."""
    for name, path in (("streaming", "streaming"), ("streaming.base", "streaming/base")):
        package = types.ModuleType(name)
        package.__path__ = [os.path.join(folder, path)]
        sys.modules[name] = package


if "STREAMING_SOURCE" in os.environ:
    use_source(os.environ["STREAMING_SOURCE"])
try:
    from streaming.base.partition import get_partitions
    from streaming.base.shuffle import get_shuffle
except ImportError as missing:
    sys.exit("%s; install mosaicml-streaming, or set STREAMING_SOURCE to a copy of its repository" % missing)

samples, nodes = int(float(sys.argv[1])), int(sys.argv[2])
shards = np.full(samples // 10_000, 10_000, np.int64)
start = time.perf_counter()
ids = get_partitions("relaxed", samples, nodes, nodes, 8, 8, 32)
shuffle = get_shuffle("py1e", shards, nodes, 9176, 0, 1 << 18)
ids = np.where(ids != -1, shuffle[ids], -1)
spent = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": spent, "peak_bytes": peak}))
