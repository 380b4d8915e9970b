"""Draws two pictures of who imports whom: the six packages, and the folders of the gate.

`make map` writes them into `docs/`. An arrow leads from the importer to what it imports. Rows are
the layers of `pyproject.toml`, from top to bottom.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import grimp
from attrs import evolve, frozen

from house.sources import ROOT, layers

__all__ = ["MAPS", "Map", "imports_between", "needed_arrows"]

Edge = tuple[str, str]
Point = tuple[float, float]

BOX_WIDTH: Final = 176
BOX_HEIGHT: Final = 40
LINE_HEIGHT: Final = 15
GAP_X: Final = 72
GAP_Y: Final = 60
LANE_GAP: Final = 30
MARGIN: Final = 28
TITLE_HEIGHT: Final = 56
ARROW_LENGTH: Final = 9
CHARACTERS_PER_LINE: Final = 27

STYLE: Final = """
text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.paper { fill: #ffffff; }
.box { fill: #eef4fb; stroke: #57708c; }
.name { font-size: 16px; font-weight: 600; text-anchor: middle; }
.also { font-size: 11px; text-anchor: middle; fill: #4b5563; }
.arrow { fill: none; stroke: #57708c; stroke-linecap: butt; }
.long { stroke: #a9b7c6; }
.head { fill: #57708c; }
.head.long { fill: #a9b7c6; stroke: none; }
.count { font-size: 12px; text-anchor: middle; paint-order: stroke; stroke: #ffffff;
  stroke-width: 5px; stroke-linejoin: round; }
.title { font-size: 15px; font-weight: 600; }
.note { font-size: 12px; fill: #4b5563; }
""".strip()


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("assent", cache_dir=None)


def imports_between(package: str) -> Counter[Edge]:
    """How many pairs of modules make each import between the parts of a package."""
    depth = package.count(".") + 1
    counts: Counter[Edge] = Counter()
    for importer in _graph().modules:
        for imported in _graph().find_modules_directly_imported_by(importer):
            if importer.startswith(f"{package}.") and imported.startswith(f"{package}."):
                source, target = importer.split(".")[depth], imported.split(".")[depth]
                if source not in {target, "__main__"}:
                    counts[source, target] += 1
    return counts


def needed_arrows(edges: set[Edge]) -> set[Edge]:
    """The edges whose target cannot be reached by another path."""

    def reaches(source: str, target: str) -> bool:
        following = (there for start, there in edges if start == source)
        return any(there == target or reaches(there, target) for there in following)

    return {
        (source, target)
        for source, target in edges
        if not any(
            there != target and reaches(there, target) for start, there in edges if start == source
        )
    }


@frozen(kw_only=True)
class Map:
    """One picture: the parts of a package in their layers, and the arrows between them."""

    package: str
    file: Path
    title: str
    note: str
    draws_all: bool
    """Whether each import is an arrow, or only those of `needed_arrows`."""

    def rows(self) -> list[tuple[str, ...]]:
        """The parts from top to bottom, side by side in the order in which fewest arrows cross."""
        arrows = needed_arrows(set(imports_between(self.package)))
        orders = product(*(permutations(sorted(layer)) for layer in layers(self.package)))
        return list(min(orders, key=lambda rows: _crossings(rows, arrows)))

    def svg(self) -> str:
        """The picture as the code gives it now."""
        return _Drawing.of(self).svg()


COUNTED: Final = "Each number counts imports, by pairs of modules."

MAPS: Final = (
    Map(
        package="assent",
        file=ROOT / "docs" / "packages.svg",
        title="Imports between the six packages of the server",
        note=COUNTED,
        draws_all=True,
    ),
    Map(
        package="assent.gate",
        file=ROOT / "docs" / "gate.svg",
        title="Imports between the folders and modules of the gate",
        note=f"{COUNTED} Below a name: its other imports, which the arrows reach in more steps.",
        draws_all=False,
    ),
)


@frozen(kw_only=True)
class _Box:
    name: str
    left: float
    top: float
    height: float
    lines: tuple[str, ...]

    @property
    def right(self) -> float:
        return self.left + BOX_WIDTH

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def middle(self) -> float:
        return self.left + BOX_WIDTH / 2

    def svg(self) -> Iterator[str]:
        yield (
            f'<rect class="box" x="{self.left:.0f}" y="{self.top:.0f}" width="{BOX_WIDTH}"'
            f' height="{self.height:.0f}" rx="6"/>'
        )
        yield _text("name", (self.middle, self.top + 25), self.name)
        for number, line in enumerate(self.lines):
            yield _text("also", (self.middle, self.top + 42 + number * LINE_HEIGHT), line)


@frozen(kw_only=True)
class _Drawing:
    drawn: Map
    counts: Counter[Edge]
    needed: set[Edge]
    arrows: set[Edge]
    rows: list[list[_Box]]
    lanes: dict[Edge, float]
    """Where an arrow passes the rows between its ends."""
    width: float

    @classmethod
    def of(cls, drawn: Map) -> "_Drawing":
        counts = imports_between(drawn.package)
        needed = needed_arrows(set(counts))
        arrows = set(counts) if drawn.draws_all else needed
        rows = _placed(drawn.rows(), counts, arrows)
        lanes = _lanes(rows, arrows)
        left = min([*lanes.values(), *(row[0].left for row in rows)]) - MARGIN
        right = max([*lanes.values(), *(row[-1].right for row in rows)]) + MARGIN
        return cls(
            drawn=drawn,
            counts=counts,
            needed=needed,
            arrows=arrows,
            rows=[[evolve(box, left=box.left - left) for box in row] for row in rows],
            lanes={edge: x - left for edge, x in lanes.items()},
            width=right - left,
        )

    def svg(self) -> str:
        height = self.rows[-1][0].bottom + MARGIN
        size = f"{self.width:.0f} {height:.0f}"
        boxes = [box for row in self.rows for box in row]
        routes = {edge: self._route(edge) for edge in self.arrows}
        # Long arrows lie below the others.
        ordered = sorted(routes, key=lambda edge: (edge in self.needed, edge))
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img"',
            f' width="{self.width:.0f}" height="{height:.0f}">',
            f"<title>{escape(self.drawn.title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{self.width:.0f}" height="{height:.0f}"/>',
            _text("title", (MARGIN, MARGIN + 4), self.drawn.title),
            _text("note", (MARGIN, MARGIN + 24), self.drawn.note),
            *(line for edge in ordered for line in self._arrow(edge, routes[edge])),
            *(line for box in boxes for line in box.svg()),
            *(self._count(edge, routes[edge]) for edge in ordered),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def _route(self, edge: Edge) -> list[Point]:
        """The points of an arrow: below its source, past the rows between, above its target."""
        (first, source), (last, target) = (self._box(name) for name in edge)
        points = [(self._port(edge, 0), source.bottom), (self._port(edge, 1), target.top)]
        if edge in self.lanes:
            lane = self.lanes[edge]
            top, bottom = self.rows[first + 1][0].top, self.rows[last - 1][0].bottom
            points[1:1] = [(lane, top - 4), (lane, bottom + 4)]
        return points

    def _box(self, name: str) -> tuple[int, _Box]:
        return next(
            (number, box) for number, row in enumerate(self.rows) for box in row if box.name == name
        )

    def _port(self, edge: Edge, end: int) -> float:
        """Where an arrow leaves or enters its box, so that arrows of one box don't cross there."""

        def direction(other: Edge) -> float:
            return self.lanes.get(other, self._box(other[1 - end])[1].middle)

        beside = [other for other in sorted(self.arrows) if other[end] == edge[end]]
        place = sorted(beside, key=direction).index(edge) + 1
        return self._box(edge[end])[1].left + BOX_WIDTH * place / (len(beside) + 1)

    def _arrow(self, edge: Edge, points: list[Point]) -> Iterator[str]:
        x, y = points[-1]
        kind = "" if edge in self.needed else " long"
        width = _thickness(self.counts[edge])
        path = _curve([*points[:-1], (x, y - ARROW_LENGTH)])
        half = ARROW_LENGTH / 2 + width / 3
        yield f'<path class="arrow{kind}" stroke-width="{width}" d="{path}"/>'
        yield (
            f'<path class="head{kind}" d="M{x - half:.1f} {y - ARROW_LENGTH:.1f}'
            f'L{x + half:.1f} {y - ARROW_LENGTH:.1f}L{x:.1f} {y:.1f}Z"/>'
        )

    def _count(self, edge: Edge, points: list[Point]) -> str:
        """The number of an arrow, in the middle of its way."""
        (x, y), (to_x, to_y) = points[len(points) // 2 - 1 : len(points) // 2 + 1]
        if len(points) == 2:
            to_y -= ARROW_LENGTH
        return _text("count", ((x + to_x) / 2, (y + to_y) / 2 + 4), str(self.counts[edge]))


def _crossings(rows: tuple[tuple[str, ...], ...], arrows: set[Edge]) -> int:
    """How many arrows cross when each leads straight to its target."""
    x = {name: number - len(row) / 2 for row in rows for number, name in enumerate(row)}
    y = {name: number for number, row in enumerate(rows) for name in row}
    crossings = 0
    for (a, b), (c, d) in combinations(sorted(arrows), 2):
        if y[a] < y[d] and y[c] < y[b]:
            crossings += (x[a] - x[c]) * (x[b] - x[d]) < 0
    return crossings


def _placed(
    rows: list[tuple[str, ...]], counts: Counter[Edge], arrows: set[Edge]
) -> list[list[_Box]]:
    """The boxes of each row, around x = 0."""
    placed: list[list[_Box]] = []
    top = float(TITLE_HEIGHT + MARGIN)
    for row in rows:
        lines = {name: tuple(_also(name, counts, arrows)) for name in row}
        most = max(map(len, lines.values()))
        height = BOX_HEIGHT + LINE_HEIGHT * most + (4 if most else 0)
        left = -(len(row) * BOX_WIDTH + (len(row) - 1) * GAP_X) / 2
        placed.append(
            [
                _Box(
                    name=name,
                    left=left + number * (BOX_WIDTH + GAP_X),
                    top=top,
                    height=height,
                    lines=lines[name],
                )
                for number, name in enumerate(row)
            ]
        )
        top += height + GAP_Y
    return placed


def _lanes(rows: list[list[_Box]], arrows: set[Edge]) -> dict[Edge, float]:
    """A vertical lane for each arrow that passes a row, clear of boxes and of other lanes."""
    row_of = {box.name: number for number, row in enumerate(rows) for box in row}
    box_of = {box.name: box for row in rows for box in row}
    lanes: dict[Edge, float] = {}
    for edge in sorted(arrows, key=lambda edge: (row_of[edge[1]] - row_of[edge[0]], edge)):
        passed = range(row_of[edge[0]] + 1, row_of[edge[1]])
        if not passed:
            continue
        wanted = (box_of[edge[0]].middle + box_of[edge[1]].middle) / 2
        taken = [
            x
            for other, x in lanes.items()
            if row_of[other[0]] < passed.stop and passed.start < row_of[other[1]]
        ]
        lanes[edge] = next(
            x
            for step in range(1000)
            for x in (wanted - 4 * step, wanted + 4 * step)
            if all(abs(x - other) >= LANE_GAP for other in taken)
            if not any(
                box.left - LANE_GAP / 2 < x < box.right + LANE_GAP / 2
                for number in passed
                for box in rows[number]
            )
        )
    return lanes


def _also(name: str, counts: Counter[Edge], arrows: set[Edge]) -> Iterator[str]:
    """What a part imports besides its arrows, in lines that fit into its box."""
    line = ""
    rest = [edge for edge in sorted(counts) if edge[0] == name and edge not in arrows]
    for _, target in sorted(rest, key=lambda edge: -counts[edge]):
        entry = f"{target} {counts[name, target]}"
        if line and len(line) + len(entry) > CHARACTERS_PER_LINE:
            yield line
            line = ""
        line = f"{line} · {entry}" if line else entry
    if line:
        yield line


def _thickness(count: int) -> float:
    return round(1 + count**0.5 / 4, 1)


def _curve(points: list[Point]) -> str:
    """A path through the points that is vertical at each of them."""
    (x, y), *rest = points
    path = f"M{x:.1f} {y:.1f}"
    for to_x, to_y in rest:
        half = (y + to_y) / 2
        path += f"C{x:.1f} {half:.1f} {to_x:.1f} {half:.1f} {to_x:.1f} {to_y:.1f}"
        x, y = to_x, to_y
    return path


def _text(kind: str, place: Point, text: str) -> str:
    return f'<text class="{kind}" x="{place[0]:.1f}" y="{place[1]:.1f}">{escape(text)}</text>'


def main() -> None:
    """Write the pictures."""
    for drawn in MAPS:
        drawn.file.parent.mkdir(exist_ok=True)
        drawn.file.write_text(drawn.svg(), "utf-8")


if __name__ == "__main__":
    main()
