# SPDX-License-Identifier: Apache-2.0
"""Which number a process group has on every rank.

torch gives each group a name, under which its members find each other in the store: members of one group have the same name, and no two
groups that exist at the same time share one. new_group() must be called by all ranks in the same order, and counts the groups on all of
them; where only members call it, the name is a hash of the members. So the name decides the number. destroy_process_group() of the world
begins to count anew, on all ranks: the number therefore contains how often that was."""
import zlib

_COUNTED = 1 << 20  # numbers of groups that torch counts, for each world


class Groups:
    def __init__(self, c10d, live):
        self._c10d = c10d
        self._live = live
        self._worlds = 0  # destroyed ones
        self._known = {}  # id of a group -> its number, None where that is not known
        self._taken = {}  # number -> name

    def number(self, group):
        """0 for the world; None for a group that this rank is not in, or that torch does not know."""
        if group is None:
            return 0
        if id(group) not in self._known:
            self._known[id(group)] = self._learn(group)
        return self._known[id(group)]

    def forget(self, group):
        """It was destroyed; None: the world with all groups."""
        world = getattr(getattr(self._c10d, "GroupMember", None), "WORLD", None)
        if group is None or group is world:
            self._worlds += 1
        self._known.clear()  # another group may get the same id

    def ranks(self, group):
        """The ranks of the world that it has, in the order of its own ranks."""
        return list(self._c10d.get_process_group_ranks(group))

    def _learn(self, group):
        if group is self._c10d._get_default_group():
            return 0
        world = getattr(self._c10d, "_world", None)
        name = (self._c10d._pg_names if world is None else world.pg_names).get(group)
        if name is None:
            return None
        number = self._number_of(name)
        if number is None or self._taken.setdefault(number, name) != name:
            return None
        said = getattr(group, "group_desc", None)
        self._live.describe(number, self.ranks(group), said if said and said != "undefined" else name)
        return number

    def _number_of(self, name):
        if not name.isdecimal():
            return 1 << 31 | zlib.crc32(("%d %s" % (self._worlds, name)).encode()) >> 1
        counted = int(name) + 1  # 0 is the world
        return self._worlds * _COUNTED + counted if counted < _COUNTED and self._worlds < 2000 else None
