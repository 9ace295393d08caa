# SPDX-License-Identifier: Apache-2.0
"""One append-only file for each process, in frames with length and checksum. The bytes: resources/doc/probe-file.md."""
import json
import os
import struct
import zlib

from shardlens_probe import trouble

MAGIC = b"\x89SLPRB\r\n" + struct.pack("<II", 1, 0)
MARK = b"\xf5SP\xfa"

PROCESS = 1
LOADER = 2
PASS = 3
BATCHES = 4
NEWS = 5
TROUBLE = 6
LIMIT = 7
END = 8
CONTENTS = 9
STEPS = 10
DISCARDS = 11

_HEAD = struct.Struct("<4sIIII")
_CHECKED = struct.Struct("<II")


def frame(kind, payload):
    checked = _CHECKED.pack(len(payload), kind)
    return _HEAD.pack(MARK, len(payload), kind, zlib.crc32(checked), zlib.crc32(payload)) + payload


def text(message):
    """The payload of a message of one of the kinds that are JSON."""
    return json.dumps(message, separators=(",", ":")).encode()


class ProbeFile:
    """Adds frames. After an error of the disk it adds no more: the job goes on."""

    def __init__(self, folder, host, pid):
        self.name = None
        self._fd = -1
        for number in range(1, 100):
            name = "%s-%d%s.slprobe" % (host, pid, "" if number == 1 else "-%d" % number)
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
                self._fd = os.open(os.path.join(folder, name), flags, 0o666)
                self.name = name
                break
            except FileExistsError as error:  # a process of another container with the same name and number
                trouble.let_through(error)
        self.write(MAGIC)

    def write(self, data):
        if self._fd < 0:
            return
        try:
            whole = os.write(self._fd, data) == len(data)
        except OSError as error:
            trouble.let_through(error)  # such as a TimeoutError
            whole = False
        if not whole:
            self._fd = -1  # not closed: another thread may be about to write, and the job could get the same number for a file of its own

    def add(self, kind, message):
        self.write(frame(kind, text(message)))

    def close(self):
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1
