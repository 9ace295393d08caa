# SPDX-License-Identifier: Apache-2.0
"""The C library of ShardLens, through ctypes. What each function does is said in app/abi/shardlens_abi.h."""
from __future__ import annotations

import ctypes
import os
import weakref
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_uint64, c_void_p
from functools import lru_cache
from typing import Any, Callable, Type

ABI_VERSION = 1
_NAME = "libshardlens_abi.so"

_OK, _USAGE, _BAD_INPUT, _IO, _UNSUPPORTED, _ENVIRONMENT = range(6)
MATCH = 0

# Each function with the types of its arguments; all return a status, except those of _PLAIN.
_CHECKED = {
    "shardlens_plan_read": [c_char_p, POINTER(c_void_p)],
    "shardlens_plan_parse": [c_char_p, c_char_p, POINTER(c_void_p)],
    "shardlens_plan_text": [c_void_p, POINTER(c_char_p)],
    "shardlens_plan_order_text": [c_void_p, POINTER(c_char_p)],
    "shardlens_plan_value": [c_void_p, c_char_p, POINTER(c_char_p)],
    "shardlens_plan_differences": [c_void_p, c_char_p, POINTER(c_char_p)],
    "shardlens_plan_loader_cuts_batches": [c_void_p, POINTER(c_int32)],
    "shardlens_plan_shape": [c_void_p, c_int64, c_int64, POINTER(c_int64), POINTER(c_int64)],
    "shardlens_plan_seed": [c_void_p, c_int64, c_int64, POINTER(c_uint64)],
    "shardlens_share_open": [c_void_p, c_int64, c_int64, POINTER(c_void_p)],
    "shardlens_share_batch": [c_void_p, c_int64, POINTER(c_int64), POINTER(c_int64)],
    "shardlens_share_ids": [c_void_p, c_int64, c_int64, c_void_p],
    "shardlens_check_overlap": [c_void_p, c_int64, c_int64, c_int32, POINTER(c_char_p)],
    "shardlens_check_coverage": [c_void_p, c_int64, c_int64, POINTER(c_char_p)],
    "shardlens_check_steps": [c_void_p, c_int64, c_int64, POINTER(c_char_p)],
    "shardlens_recorder_open": [c_char_p, c_char_p, c_char_p, c_int64, c_int64, c_void_p, POINTER(c_void_p)],
    "shardlens_recorder_batch": [c_void_p, c_int64, c_int64, c_void_p, c_int64],
    "shardlens_recorder_close": [c_void_p, c_char_p],
    "shardlens_prove": [c_void_p, c_char_p, c_char_p, POINTER(c_int32), POINTER(c_char_p)],
}
_PLAIN = {
    "shardlens_abi_version": (c_int32, []),
    "shardlens_last_error": (c_char_p, []),
    "shardlens_plan_close": (None, [c_void_p]),
    "shardlens_plan_world_size": (c_int64, [c_void_p]),
    "shardlens_plan_epochs": (c_int64, [c_void_p]),
    "shardlens_plan_seeds_each_epoch": (c_int32, [c_void_p]),
    "shardlens_share_close": (None, [c_void_p]),
    "shardlens_share_size": (c_int64, [c_void_p]),
    "shardlens_share_steps": (c_int64, [c_void_p]),
    "shardlens_share_fingerprint": (c_uint64, [c_void_p]),
}


@lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, loaded when it is first needed. ImportError where it is missing or of another version."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), _NAME)
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"shardlens: its library cannot be loaded: {error}. Install the package again, or, in a source tree, build it: "
            "ninja -C build/dev shardlens_python"
        ) from None
    for name, (result, arguments) in _PLAIN.items():
        getattr(loaded, name).restype = result
        getattr(loaded, name).argtypes = arguments
    version = loaded.shardlens_abi_version()
    if version != ABI_VERSION:
        raise ImportError(f"shardlens: {path} has version {version} of the interface, this package needs {ABI_VERSION}. Install both anew.")
    for name, arguments in _CHECKED.items():
        getattr(loaded, name).restype = c_int32
        getattr(loaded, name).argtypes = arguments
    return loaded


def _exception(status: int) -> Type[Exception]:
    if status == _IO:
        return OSError
    if status == _UNSUPPORTED:
        return NotPredictable
    return RuntimeError if status == _ENVIRONMENT else ValueError


class NotPredictable(ValueError):
    """The spec is right, and ShardLens cannot tell its order: the script never seeds, for example."""


def call(name: str, *arguments: Any) -> None:
    """Calls a function of the library and raises what it reports, in the words of ShardLens."""
    status = getattr(library(), name)(*arguments)
    if status != _OK:
        raise _exception(status)(library().shardlens_last_error().decode("utf-8", "replace"))


def text_of(name: str, *arguments: Any) -> str:
    """The text that a function of the library gives through its last argument."""
    out = c_char_p()
    call(name, *arguments, ctypes.byref(out))
    return (out.value or b"").decode("utf-8", "replace")


class Handle:
    """An object of the library. It is closed with the last reference to it: not while a call has it as an argument."""

    __slots__ = ("__weakref__", "_as_parameter_")

    def __init__(self, address: c_void_p, close: Callable[[c_void_p], Any]) -> None:
        self._as_parameter_ = address  # what ctypes passes
        weakref.finalize(self, close, address)


def handle_of(close: str, name: str, *arguments: Any) -> Handle:
    """The object that the function `name` gives through its last argument, and that `close` takes back."""
    return Handle(address_of(name, *arguments), getattr(library(), close))


def address_of(name: str, *arguments: Any) -> c_void_p:
    """The object that a function of the library gives through its last argument, for a caller who closes it."""
    out = c_void_p()
    call(name, *arguments, ctypes.byref(out))
    return out
