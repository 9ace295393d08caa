# SPDX-License-Identifier: Apache-2.0
"""What the loop gets of a stream, told apart by what it holds: a mark of 64 bits for each sample, and equal marks for equal samples. A stream
has no indices, and so nothing else tells whether two ranks, or two workers, read the same. The bytes: resources/doc/probe-file.md, kind 9."""
import collections
import ctypes
import os
import struct
import zlib

from shardlens_probe import packing

_MOST_NS = 2000  # a sample; SHARDLENS_PROBE_CONTENTS=1 marks whatever it takes, and =0 nothing

# What marking takes, in ns, as measured once on a busy server: what is compared must not depend on the clock.
_BATCH_NS = 3000
_FIELD_NS = 4000
_TEXT_NS = 800
_BYTE_NS = 0.3

_WHOLE = 1 << 30  # one mark for the batch, whose samples cannot be told apart
_NOT_MARKED = 2 << 30
_TOO_LONG, _NOT_READ = 1, 2  # why not

_head = struct.Struct("<I").pack


class _Unreadable(Exception):
    pass


def _texts(value):
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(type(one) in (str, bytes) for one in value)


class Marker:
    """Of one pass over a stream."""

    def __init__(self, torch, loader):
        self._tensor = torch.Tensor
        self._strided = torch.strided
        collate = torch.utils.data._utils.collate.default_collate
        self._has_rows = loader.batch_size is not None and loader.collate_fn is collate
        self._samples = loader.batch_size or 1  # in a batch, as far as the cost goes
        wanted = os.environ.get("SHARDLENS_PROBE_CONTENTS")
        self._is_bounded = wanted != "1"
        self._mark = None if wanted == "0" else packing.mark()

    def is_able(self):
        return self._mark is not None

    def bytes_of(self, batch):
        """The record of a batch."""
        try:
            fields = list(self._fields(batch, ""))
            counts = {count for _, _, count, _ in fields}
            if len(counts) != 1:
                raise _Unreadable
            (count,) = counts
            if self._is_bounded and self._cost(fields) > _MOST_NS * self._samples:  # also of a short last batch
                return _head(_NOT_MARKED | _TOO_LONG)
            marks = (ctypes.c_uint64 * count)()
            for name, value, _, size in fields:
                self._add(marks, zlib.crc32(name.encode()) + 1, value, count, size)
        except _Unreadable:
            return _head(_NOT_MARKED | _NOT_READ)
        return _head((0 if self._has_rows else _WHOLE) | count) + bytes(marks)

    def _fields(self, value, name):
        """Name, value, rows and bytes of each part of the batch."""
        if type(value) is self._tensor:
            is_plain = value.device.type == "cpu" and value.layout is self._strided and value.is_contiguous()
            if not is_plain or value.is_conj() or value.is_neg() or (self._has_rows and (value.dim() == 0 or len(value) == 0)):
                raise _Unreadable
            shape = tuple(value.shape[1:] if self._has_rows else value.shape)
            yield "%s %s%s" % (name, value.dtype, shape), value, len(value) if self._has_rows else 1, value.numel() * value.element_size()
        elif type(value) in (str, bytes):
            if self._has_rows:
                raise _Unreadable
            yield name, [value], 1, len(value)
        elif type(value) in (int, float, bool) or value is None:
            if self._has_rows:
                raise _Unreadable
            yield name, [repr(value)], 1, 0
        elif self._has_rows and _texts(value):
            yield name, value, len(value), sum(map(len, value))
        elif isinstance(value, (dict, collections.UserDict)):
            for key, one in dict.items(value.data if isinstance(value, collections.UserDict) else value):
                yield from self._fields(one, "%s.%s" % (name, key))
        elif isinstance(value, (list, tuple)):
            for i, one in enumerate(value):
                yield from self._fields(one, "%s.%d" % (name, i))
        else:
            raise _Unreadable

    def _cost(self, fields):
        texts = sum(len(value) for _, value, _, _ in fields if type(value) is not self._tensor)
        return _BATCH_NS + _FIELD_NS * len(fields) + _TEXT_NS * texts + _BYTE_NS * sum(size for _, _, _, size in fields)

    def _add(self, marks, field, value, count, size):
        if type(value) is self._tensor:
            self._mark(value.data_ptr(), count, size // count, field, marks)
            return
        at = ctypes.addressof(marks)
        for one in value:
            data = one.encode("utf-8", "surrogatepass") if type(one) is str else one
            self._mark(data, 1, len(data), field, at)
            at += ctypes.sizeof(ctypes.c_uint64)
