"""Charts of counts as SVG, in the theme's colours, each with a table beside it.

No picture needs a script. Whatever comes from a journal is escaped, and nothing of it is markup.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from assent.gate.journal.marked_sentences import Markup, cell, say

__all__ = ["bars", "figure", "stacks", "table"]

_WIDTH, _HEIGHT = 640, 160
_LEFT, _BELOW = 34, 18
_TONES: Final = ("a", "b", "c", "d")
"""The classes of the parts of a bar, in their order; they differ in lightness."""


def table(head: Sequence[str], rows: Sequence[Sequence[object]], numbers: int = 99) -> str:
    """A table; the columns behind the first are numbers, from the one named on."""
    kind = ["", " class=n"]
    top = "".join(
        f'<th scope="col"{kind[at >= numbers]}>{cell(title)}</th>' for at, title in enumerate(head)
    )
    lines = "".join(
        "<tr>"
        + "".join(f"<td{kind[at >= numbers]}>{cell(value)}</td>" for at, value in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"


def figure(title: str, picture: str, beside: str) -> str:
    """A picture, and the table that says the same."""
    return (
        f"<figure>{picture}"
        f"<details><summary>{say('{a}, as a table', title)}</summary>{beside}</details></figure>"
    )


def stacks(
    names: Sequence[str], parts: Sequence[str], counts: Mapping[str, Mapping[str, int]], says: str
) -> str:
    """One bar for each name, made of its parts from below."""
    most = max((sum(counts[name].values()) for name in names), default=0) or 1
    step = (_WIDTH - _LEFT) / max(1, len(names))
    drawn = [_axis(most)]
    for at, name in enumerate(names):
        left, top = _LEFT + at * step, float(_HEIGHT - _BELOW)
        for part, tone in zip(parts, _TONES, strict=False):
            count = counts[name].get(part, 0)
            if count:
                tall = count / most * (_HEIGHT - _BELOW - 8)
                top -= tall
                title = Markup(f"{cell(name)}: {count} {cell(part)}".strip())
                drawn.append(_bar(tone, (left + 1, top, max(1.0, step - 2), tall), title))
        if len(names) <= 8 or at % (len(names) // 6) == 0:  # noqa: PLR2004 -- else they overlap
            drawn.append(f'<text x="{left:.1f}" y="{_HEIGHT - 4}">{cell(name)}</text>')
    legend = "".join(
        f'<li><svg viewBox="0 0 10 10" class="key" aria-hidden="true">'
        f'<rect class="{tone}" width="10" height="10"/></svg>{cell(part)}</li>'
        for part, tone in zip(parts, _TONES, strict=False)
    )
    return f'{_svg(drawn, says)}<ul class="legend">{legend}</ul>'


def bars(counts: Sequence[tuple[str, int]], says: str) -> str:
    """One bar for each count."""
    names = [name for name, _ in counts]
    made = {name: {"": count} for name, count in counts}
    picture = stacks(names, ("",), made, says)
    return picture.partition("<ul")[0]


def _svg(drawn: Sequence[str], says: str) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{cell(says)}">'
        + "".join(drawn)
        + "</svg>"
    )


def _bar(tone: str, place: tuple[float, float, float, float], title: str) -> str:
    names = zip(("x", "y", "width", "height"), place, strict=True)
    where = " ".join(f'{name}="{value:.1f}"' for name, value in names)
    return f'<rect class="{tone}" {where}><title>{cell(title)}</title></rect>'


def _axis(most: int) -> str:
    bottom = _HEIGHT - _BELOW
    return (
        f'<line x1="{_LEFT}" y1="{bottom}" x2="{_WIDTH}" y2="{bottom}"/>'
        f'<text x="0" y="12">{most:,}</text><text x="0" y="{bottom}">0</text>'
    )
