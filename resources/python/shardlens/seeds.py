# SPDX-License-Identifier: Apache-2.0
"""Seeds the generators of a training script as the spec says."""
from __future__ import annotations

import importlib.util
import random
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .plan import Plan


def seed_everything(plan: Plan, epoch: int = 0, rank: Optional[int] = None) -> Optional[int]:
    """Seeds Python's random and, where they are installed, NumPy and torch. Gives the seed, or None where the spec says that the script
    never seeds, in which case nothing is done."""
    seed = plan.seed(epoch, rank)
    if seed is None:
        return None
    random.seed(seed)
    if importlib.util.find_spec("numpy") is not None:
        import numpy

        numpy.random.seed(seed % 2**32)
    if importlib.util.find_spec("torch") is not None:
        import torch

        torch.manual_seed(seed)
    return seed
