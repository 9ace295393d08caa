# SPDX-License-Identifier: Apache-2.0
"""For pytest: specs as tests, and a fixture.

`pytest pipeline.yaml` checks a spec: no two ranks read the same sample, every sample is read, all ranks have equally many steps. With
`--shardlens` all specs are checked that pytest finds in its folders.

    @pytest.mark.shardlens("pipeline.yaml")
    def test_order(shardlens_plan):
        assert shardlens_plan.steps(epoch=0, rank=0) == 100
"""
from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import pytest

from .asserts import assert_covers, assert_equal_steps, assert_no_overlap
from .plan import Plan

_CHECKS: Dict[str, Callable[[Path], None]] = {"no_overlap": assert_no_overlap, "covers": assert_covers, "equal_steps": assert_equal_steps}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("shardlens")
    group.addoption("--shardlens", action="store_true", help="check every ShardLens spec in the folders that are tested")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "shardlens(spec): the spec of the fixture shardlens_plan, a path from the test's own folder or a text")


def pytest_collect_file(file_path: Path, parent: Any) -> Optional[SpecFile]:
    if file_path.suffix not in (".yaml", ".yml"):
        return None
    is_named = any(Path(argument).resolve() == file_path for argument in parent.config.args)
    if not is_named and not parent.config.getoption("--shardlens"):
        return None
    if not is_named and not _is_spec(file_path):
        return None
    made: SpecFile = SpecFile.from_parent(parent, path=file_path)
    return made


def _is_spec(path: Path) -> bool:
    with open(path, encoding="utf-8", errors="replace") as file:
        return any(line.startswith("shardlens:") for line in file)


class SpecFile(pytest.File):
    """A spec: one test for each check."""

    def collect(self) -> Iterator[SpecCheck]:
        for name in _CHECKS:
            yield SpecCheck.from_parent(self, name=name)


class SpecCheck(pytest.Item):
    """One check of one spec."""

    def runtest(self) -> None:
        _CHECKS[self.name](self.path)

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        return str(excinfo.value)

    def reportinfo(self) -> Tuple[Path, Optional[int], str]:
        return self.path, None, f"{self.path.name}: {self.name}"


@pytest.fixture
def shardlens_plan(request: pytest.FixtureRequest) -> Plan:
    """The plan of the spec that the test's mark shardlens(...) names."""
    mark = request.node.get_closest_marker("shardlens")
    if mark is None or len(mark.args) != 1:
        raise pytest.UsageError('shardlens_plan needs a spec: @pytest.mark.shardlens("pipeline.yaml")')
    spec = mark.args[0]
    is_text = isinstance(spec, str) and "\n" in spec
    return Plan(spec if is_text else request.path.parent / spec)
