# SPDX-License-Identifier: Apache-2.0
"""Does something with a module right after it was loaded, without ever loading it."""
import sys

from shardlens_probe import trouble


class AfterLoad:
    """A finder that lets the other finders find a module, and acts once that module has been executed."""

    def __init__(self, actions):
        self._actions = actions  # name of a module -> what to do with it
        self._looking = set()

    def find_spec(self, name, path=None, target=None):
        if name not in self._actions or name in self._looking:
            return None
        self._looking.add(name)
        try:
            spec = _found_by_others(self, name, path, target)
            if spec is not None:
                _act_after(spec.loader, self._actions[name])
            return spec
        except Exception as error:  # the others are asked again by Python, and raise it themselves
            trouble.note("import of " + name, error)
            return None
        finally:
            self._looking.discard(name)


def _found_by_others(finder, name, path, target):
    for other in list(sys.meta_path):
        find = getattr(other, "find_spec", None)
        spec = find(name, path, target) if other is not finder and find is not None else None
        if spec is not None:
            return spec
    return None


def _act_after(loader, action):
    original = loader.exec_module

    def exec_module(module):
        vars(loader).pop("exec_module", None)
        original(module)
        try:
            action(module)
        except Exception as error:
            trouble.note("patch of " + module.__name__, error)

    loader.exec_module = exec_module


def install(folder):
    """From now on, DataLoaders of this process are recorded in `folder`."""
    from shardlens_probe import torch_loaders

    sys.meta_path.insert(0, AfterLoad(torch_loaders.actions(folder)))
