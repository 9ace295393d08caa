# SPDX-License-Identifier: Apache-2.0
"""The planned sampler as a class that torch's tools know. Imported only where torch is."""
from __future__ import annotations

from typing import Any

from torch.utils.data.distributed import DistributedSampler

from .sampler import PlannedSampler


class PlannedDistributedSampler(PlannedSampler, DistributedSampler):  # type: ignore[misc, type-arg]
    """The sampler of a plan as a torch DistributedSampler: Lightning, for example, then puts no sampler of its own in its place. Nothing of
    DistributedSampler's own order is used."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        # DistributedSampler.__init__ would ask torch.distributed for the rank now, which may be too early.
        PlannedSampler.__init__(self, *arguments, **keywords)
