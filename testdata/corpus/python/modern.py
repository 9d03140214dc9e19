"""What parsers older than Python 3.12 stumble over."""


def before(): return 1


class Row[T]:
    def shown(self) -> str:
        return f'{self.a["x"]} {f"{self.b['y']!r:>{10}}"}'

    def templated(self):
        return t"Hello {self.name!r}"

    def caught(self):
        try:
            return self.shown()
        except ValueError, KeyError:
            return None

    async def gathered(self):
        return [await x async for x in self]


lazy import json


def after[T: (int, str) = int](x: T) -> T:
    match x, 1:
        case (int() | str()) as y, 1:
            pass
    print(f"{
        x
    }")
    return x


type Pair[A, *B, **C] = tuple[A, *B]
match = {"case": 1}
type = "a soft keyword"
type(print).seen = print("statement", file=None)


class Last(before().__class__, metaclass=type, **{}):
    type: str = "x"

    def match(self, case): return case
