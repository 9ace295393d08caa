# SPDX-License-Identifier: Apache-2.0
"""Reads the rings of a job folder as they are in memory (core/wire/ring.h), without taking anything out of them."""
import os
import struct

HELLO, EPOCH_BEGIN, EPOCH_END, BATCH, PHASE_BEGIN, PHASE_END, ENTER, LEAVE, BYE, STEP_BEGIN, STEP_END, GROUP, MEMBERS, NAME = range(1, 15)
LOAD, COMPUTE, COLLECTIVE, DONE = 1, 2, 3, 4
BARRIER, ALL_REDUCE, BROADCAST, REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER, SEND, RECV = 1, 2, 3, 4, 5, 6, 7, 8, 9, 32, 33
NO_PEER = 0xFFFFFFFF
_RECORD = struct.Struct("<QHHIIIQQQ")
_HEAD = struct.Struct("<QIIQII")
_SLOT_AT, _RECORDS_FROM = 144, 8


class Record:
    def __init__(self, values):
        self.time_ns, self.kind, self.op, self.epoch, self.step, self.group, self.seq, self.a, self.b = values
        self.handle, self.peer = self.b & 0xFFFFFFFF, self.b >> 32

    def __repr__(self):
        return "%d(op %d, %d.%d, group %d, seq %d, a %d)" % (self.kind, self.op, self.epoch, self.step, self.group, self.seq, self.a)


def text(record):
    """Of a chunk of a group's name."""
    return struct.pack("<QQ", record.a, record.b).rstrip(b"\0").decode()


class Ring:
    def __init__(self, folder, rank, name="rank-%d.ring"):
        with open(os.path.join(folder, name % rank), "rb") as file:
            data = file.read()
        _, _, header_bytes, capacity, self.rank, self.world_size = _HEAD.unpack_from(data, 0)
        self.pid = struct.unpack_from("<Q", data, 32)[0]
        self.head, self.dropped = struct.unpack_from("<QQ", data, 128)
        slot = struct.unpack_from("<IIIIIIIIQQQ", data, _SLOT_AT)
        self.phase, self.op = slot[1], slot[2]
        self.records = [Record(_RECORD.unpack_from(data, header_bytes + _RECORD.size * (at % capacity))) for at in range(self.head)]

    def of(self, *kinds):
        return [one for one in self.records if one.kind in kinds]
