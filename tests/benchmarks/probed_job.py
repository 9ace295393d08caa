# SPDX-License-Identifier: Apache-2.0
"""probed_job.py train|draw|next PROBE [watched]: a job under the PyTorch probe in the folder PROBE, or without one when that is "-", with a
ring for those who watch it, or without. train: 100 steps of some 10 ms with batches of 256; draw: only the indices, per batch; next: what
the loop asks the loader for, per batch of one sample. Times are of this thread's processor, since the probe has no other."""
import json
import os
import resource
import sys
import tempfile
import time

kind, probe = sys.argv[1:3]
is_watched = "watched" in sys.argv[3:]
folder = tempfile.TemporaryDirectory()
if probe != "-":
    os.environ["SHARDLENS_PROBE"] = folder.name
    if is_watched:
        os.environ["SHARDLENS_RINGS"] = folder.name
    sys.path.insert(0, probe)
    from shardlens_probe import hook

    hook.install(folder.name)  # as its sitecustomize does

import torch  # noqa: E402
from torch.utils.data import DataLoader, Dataset  # noqa: E402


class Numbers(Dataset):
    def __len__(self):
        return 256 * 1000

    def __getitem__(self, index):
        return index


def ask():
    """The best of several passes, seconds a batch."""
    loader = DataLoader(Numbers(), batch_size=1, collate_fn=len)
    best = 1.0
    for _ in range(15):
        iterator = iter(loader)
        next(iterator)
        began = time.thread_time()
        for _ in range(4000):
            next(iterator)
        best = min(best, (time.thread_time() - began) / 4000)
    return best


def draw():
    """The best of several passes, seconds a batch."""
    loader = DataLoader(Numbers(), batch_size=256, shuffle=True, generator=torch.Generator().manual_seed(1))
    best = 1.0
    for _ in range(15):
        iterator = iter(loader)
        iterator._next_index()  # the permutation is drawn with the first batch
        began = time.thread_time()
        for _ in range(998):
            iterator._next_index()
        best = min(best, (time.thread_time() - began) / 998)
    return best


def train():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(256, 64), torch.nn.ReLU(), torch.nn.Linear(64, 256))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loader = DataLoader(Numbers(), batch_size=256, shuffle=True, generator=torch.Generator().manual_seed(1))
    for step, indices in enumerate(loader):
        if step == 1:  # the probe has described the loader
            began = time.thread_time()
        x = (indices % 7).float().expand(256, 256)
        optimizer.zero_grad()
        ((model(x) - x) ** 2).mean().backward()
        optimizer.step()
        if step == 100:
            break
    return time.thread_time() - began


if is_watched:
    from shardlens_probe import live

    live.of_process().start(0, 1)  # as init_process_group makes it do
seconds = {"draw": draw, "next": ask, "train": train}[kind]()
if is_watched:
    assert live.of_process().is_mine(), "nothing was told"
if probe != "-":
    assert any(os.stat(os.path.join(folder.name, name)).st_size > 50000 for name in os.listdir(folder.name)), "nothing was recorded"
print(json.dumps({"seconds": seconds, "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
