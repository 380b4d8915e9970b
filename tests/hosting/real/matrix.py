"""The gate matrix: what became of each kind of call of each agent, written by the run itself.

Where `ASSENT_MATRIX` says `check`, nothing is written: what the run finds must stand there.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hosting.real.known import KINDS, Known

__all__ = ["PAGE", "cell_of", "label", "put"]

_ROOT: Final = Path(__file__).resolve().parents[3]
PAGE: Final = _ROOT / "server" / "assent" / "hosting" / "README.md"
_SAYS: Final = "ASSENT_MATRIX"
_BEGIN: Final = "<!-- gate matrix: written by `make test-agents` -->"
_END: Final = "<!-- end of the gate matrix -->"


def cell_of(rows: list[dict[str, Any]]) -> str:
    """What became of one call, by the rows of its turn."""
    if any(row["kind"] == "noted" and row["body"].get("what") == "ungated" for row in rows):
        return "unasked"
    first = next((row for row in rows if row["kind"] == "decided"), None)
    if first is None:
        return "–"
    return "card" if first["body"].get("ticket") else "ruled"


def put(known: Known, cells: Mapping[str, str], page: Path = PAGE) -> None:
    """Set an agent's line, or hold it against the one that stands there."""
    text = page.read_text("utf-8")
    head, _, rest = text.partition(_BEGIN)
    table, _, tail = rest.partition(_END)
    lines = {_first(line): line for line in table.strip().splitlines()[2:]}
    line = _line([label(known), *(cells.get(kind, "–") for kind in KINDS), _sum(cells)])
    if os.environ.get(_SAYS) == "check":
        assert lines.get(_first(line)) == line, (
            f"{page.name} tells otherwise of {known.name}: run `make test-agents` and look at it"
        )
        return
    lines[_first(line)] = line
    top = [_line(["agent", *KINDS, "passes"]), _line(["---"] * (len(KINDS) + 2))]
    whole = "\n".join([*top, *(lines[it] for it in sorted(lines))])
    page.write_text(f"{head}{_BEGIN}\n\n{whole}\n\n{_END}{tail}", "utf-8")


def _sum(cells: Mapping[str, str]) -> str:
    came = [it for it in cells.values() if it != "–"]
    return f"{sum(it != 'unasked' for it in came)} of {len(came)}"


def label(known: Known) -> str:
    """An agent, with the version that is tried."""
    manifest = json.loads((Path(__file__).parent / known.id / "package.json").read_text("utf-8"))
    return f"{known.name} (`{known.package}` {manifest['dependencies'][known.package]})"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _first(line: str) -> str:
    return line.split("|")[1].split("(", maxsplit=1)[0].strip()
