#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Timetables of a small ferry line.

class NotAClass:
    def not_a_method(self): ...
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses as dc
import enum
import functools
from collections.abc import AsyncIterator, Callable, Iterator
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NamedTuple,
    Protocol,
    overload,
)

if TYPE_CHECKING:
    from pathlib import Path

    PathLike = str | Path

try:
    import tomllib
except ImportError:
    tomllib = None

    def load_fallback(text: str) -> dict[str, Any]:
        """Enough of TOML for us."""
        return dict(line.split("=", 1) for line in text.splitlines())

__all__ = [
    "Ferry",
    "Pier",
]
__version__: str = "3.4.0"

# How long a ferry waits,
# in minutes.
MAX_WAIT = 15  # never longer
KNOTS: float = 1.852; MILES = 1.609
first, second = "Nord", "Süd"
_cache = registry = {}
unset: int
fähre = "Ångström"
os_environ["LINE"] = "7"
registry.default = None

type Minutes = int
type Table[K, V = int] = dict[K, list[V]]
double = lambda x: 2 * x


class FerryError(Exception): pass


class NotFound(FerryError, KeyError):
    """No such ferry."""


class Tide(enum.Enum):
    LOW = 0
    HIGH = enum.auto()
    # between
    # the two
    TURNING = "turning"

    @property
    def safe(self) -> bool:
        return self is not Tide.LOW

    @classmethod
    def at(cls, hour: int) -> Tide:
        match hour % 12:
            case 0 | 6:
                return cls.TURNING
            case h if h < 6:
                return cls.HIGH
            case _:
                return cls.LOW


class Stop(NamedTuple):
    pier: str
    minute: int = 0

    def label(self): return f"{self.pier}: {f"{self.minute:02}"}"


class Moves(Protocol):
    """Anything that moves."""

    def speed(self) -> float: ...

    async def go(self, *, to: Pier) -> None: ...


@dc.dataclass(
    frozen=True,
    slots=True,
)
class Pier:
    """A place to land."""

    name: str
    depth: float = dc.field(default=3.5)
    neighbours: list[Pier] = dc.field(
        default_factory=list,
        repr=False,
    )
    COUNT: ClassVar[int] = 0
    __match_args__ = ("name", "depth")

    def __post_init__(self) -> None:
        if self.depth < 0:
            raise ValueError(f"depth {self.depth!r}")

    # Compares by name only,
    # which is what the printed table wants.
    def __lt__(self, other: Pier) -> bool:
        return self.name < other.name

    class Meta:
        ordering = ["name"]

        class Inner:
            pass


def timed[**P, R](func: Callable[P, R]) -> Callable[P, R]:
    """Tells how long a call took."""

    @functools.wraps(func)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        started = 0
        def stop():
            nonlocal started
            started += 1
        try:
            return func(*args, **kwargs)
        finally:
            stop()

    return wrapper


class Ferry[T: Pier, *Ts]:
    # Every ferry that was ever built.
    fleet: ClassVar[list[Ferry]] = []
    capacity = 120

    def __init__(self, name: str, *piers: T) -> None:
        self.name = name
        self._piers = list(piers)
        self.wait = MAX_WAIT

    def __repr__(self): return f"Ferry({self.name!r})"

    @property
    def speed(self) -> float:
        return self._speed * KNOTS

    @speed.setter
    def speed(self, value: float) -> None:
        self._speed = value

    @overload
    def stop(self, at: int) -> Stop: ...
    @overload
    def stop(self, at: str) -> list[Stop]: ...

    def stop(
        self,
        at: int | str,
    ):
        def exact(pier):
            return pier.name == at

        if isinstance(at, int):
            return self._piers[at]
        return [p for p in self._piers if exact(p)]

    @staticmethod
    @functools.cache
    # a comment between decorator and function
    def knots(value: float, /) -> float:
        return value / KNOTS

    async def sail(self) -> AsyncIterator[T]:
        async with asyncio.timeout(60) as limit:
            for pier in self._piers:
                yield pier
                await asyncio.sleep(0)

    if TYPE_CHECKING:
        def typed_only(self) -> int: ...
    else:
        typed_only = None

    alias = speed
    go = lambda self: None


@contextlib.contextmanager
def harbour(
    name: str, *,
    lights: bool = True,
) -> Iterator[None]:

    # The blank line above is no end of the function.

    yield


@timed
async def main() -> int:
    """Runs the line."""
    ferry = Ferry("Möwe", Pier("A"), Pier("B"))
    class Local(Pier):
        def inside(self):
            x = 1
            return x
    async for pier in ferry.sail():
        match pier:
            case Pier(name=str(n), depth=d) if d > 2:
                print(f"{n:>{10}} {'=' * 3}")
            case {"name": n, **rest}:
                print(n, rest)
            case [first, *_]:
                print(first)
    try:
        pass
    except* OSError as group:
        print(group.exceptions)
    return 0


with contextlib.suppress(KeyError):
    def in_with(): pass
    del registry["x"]

for kind in Tide:
    TABLE = {kind: (lambda k=kind: k)}

TEXT = """
def not_a_function():
    pass
"""


def tail(n: int = (
        1 + 2), *rest) -> None: print(n,
    rest)


if __name__ == "__main__":
    code = asyncio.run(main())
    raise SystemExit(code)
