# SPDX-License-Identifier: Apache-2.0
"""alone.py KIND: a training script of one process that knows nothing of ShardLens. KIND: starved (samples take long to read), worker (one of its
loader workers does not come back) or joins (it makes a process group of its own after some steps). With $SAID it writes its losses there."""
import json
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset

KIND = sys.argv[1]
EPOCHS, BATCHES = 2, 20


class Numbers(Dataset):
    def __len__(self):
        return 4 * BATCHES

    def read_for_ever(self):
        while True:
            time.sleep(60)

    def __getitem__(self, index):
        if KIND == "worker" and index == 4 * 3 + 2:  # in batch 3, which is worker 1's
            self.read_for_ever()
        if KIND == "starved":
            time.sleep(0.02)
        return torch.tensor([index / len(self)])


def main():
    torch.manual_seed(7)
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(Numbers(), batch_size=4, shuffle=KIND != "worker", num_workers=2 if KIND == "worker" else 0)
    said = []
    for epoch in range(EPOCHS):
        for step, x in enumerate(loader):
            if KIND == "joins" and (epoch, step) == (0, 3):
                dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
            optimizer.zero_grad()
            loss = ((model(x) - x * x) ** 2).mean()
            loss.backward()
            optimizer.step()
            said.append(loss.item().hex())
            if dist.is_initialized():
                dist.all_reduce(torch.ones(1))
    if "SAID" in os.environ:
        with open(os.path.join(os.environ["SAID"], "0.json"), "w") as out:
            json.dump(said + [torch.rand(1).item().hex()], out)


if __name__ == "__main__":
    main()
