# SPDX-License-Identifier: Apache-2.0
"""Assertions about plans and runs, for tests. Each takes a Plan, or a spec as Plan() takes it, and raises AssertionError with a sentence
that names the first thing that is wrong."""
from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native

if TYPE_CHECKING:
    from .plan import Plan, SpecLike


def _check(function: str, spec: Union[Plan, SpecLike], epochs: Optional[int], *more: Any) -> None:
    from .plan import plan_of

    plan = plan_of(spec)
    count = plan.epochs if epochs is None else epochs
    fault = _native.text_of(function, plan._handle, 0, count, *more)
    if fault:
        raise AssertionError(f"{plan.name}: {fault}")


def assert_no_overlap(spec: Union[Plan, SpecLike], epochs: Optional[int] = None, *, padding: bool = False) -> None:
    """No two ranks read the same sample in an epoch. Samples that are only repeated so that all ranks have equally many are no overlap,
    unless `padding` is true. `epochs`: only the first so many; by default all."""
    _check("shardlens_check_overlap", spec, epochs, int(padding))


def assert_covers(spec: Union[Plan, SpecLike], epochs: Optional[int] = None) -> None:
    """In each epoch every sample of the dataset is in a batch of some rank. `epochs`: only the first so many; by default all."""
    _check("shardlens_check_coverage", spec, epochs)


def assert_equal_steps(spec: Union[Plan, SpecLike], epochs: Optional[int] = None) -> None:
    """In each epoch all ranks have the same number of batches: otherwise collectives wait for ranks that are done. `epochs`: only the first
    so many; by default all."""
    _check("shardlens_check_steps", spec, epochs)


def assert_run_matches(spec: Union[Plan, SpecLike], run: Union[str, os.PathLike[str]], *, loader: str = "") -> None:
    """The recording `run` (of Recorder, or of `shardlens run`) has exactly the batches of the plan, all of them. `loader` names the loader that
    is meant, where the recording has several."""
    from .plan import plan_of

    result = ctypes.c_int32()
    sentences = _native.text_of("shardlens_prove", plan_of(spec)._handle, os.fsencode(run), loader.encode(), ctypes.byref(result))
    if result.value != _native.MATCH:
        raise AssertionError(sentences)
