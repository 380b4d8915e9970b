"""What a text points to is there: every relative link, heading and picture of every text."""

import re
from pathlib import Path
from urllib.parse import unquote

from house.documents import headings
from house.sources import ROOT, committed, named
from tables import each_row

TEXTS = [path for path in committed() if path.suffix == ".md"]
TARGET = re.compile(
    r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)"  # [text](target), ![text](target "title")
    r"|^\s*\[[^\]]+\]:\s*(\S+)"  # [name]: target
    r"|<(?:img|a|source)\s[^>]*(?:src|href)=\"([^\"]+)\"",  # HTML
    re.MULTILINE,
)
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def links(text: str) -> list[tuple[str, str]]:
    """What a text points to in its own repository: the file, or nothing, and the place in it."""
    matches = ["".join(groups) for groups in TARGET.findall(CODE.sub("", text))]
    inside = [target.partition("#") for target in matches if not ELSEWHERE.match(target)]
    return [(unquote(file.partition("?")[0]), unquote(place)) for file, _, place in inside]


def targets(text: str) -> list[str]:
    """The files that a text points to, without the place within them."""
    return [file for file, _ in links(text) if file]


def test_a_link_is_found_however_it_is_written() -> None:
    text = """
[one](a.md#part), ![two](b%20c.png "a title") and [out](https://example.invalid)
[three]: d.md
<img alt="four" src="e.svg"> `[five](code.md)` [six](#here)
```
[seven](fenced.md)
```
"""
    assert sorted(targets(text)) == ["a.md", "b c.png", "d.md", "e.svg"]
    assert [it for it in links(text) if it[1]] == [("a.md", "part"), ("", "here")]


@each_row("path", TEXTS, ids=lambda it: named([it])[0])
def test_what_a_text_points_to_is_there(path: Path) -> None:
    told = targets(path.read_text("utf-8"))
    there = set(committed())
    missing = [
        target
        for target in told
        # The root of the repository is not the root of this machine.
        if not _is_there(
            (ROOT if target.startswith("/") else path.parent) / target.strip("/"), there
        )
    ]
    assert missing == []


@each_row("path", TEXTS, ids=lambda it: named([it])[0])
def test_a_heading_that_a_text_points_to_is_there(path: Path) -> None:
    places = [(path.parent / file if file else path, it) for file, it in links(path.read_text())]
    missing = [
        f"{file.name}#{place}"
        for file, place in places
        if place and file.suffix == ".md" and place not in headings(file.read_text("utf-8"))
    ]
    assert missing == []


def _is_there(target: Path, files: set[Path]) -> bool:
    """Whether it is part of the repository; what merely lies on this machine does not count."""
    whole = target.resolve()
    return whole in files or any(file.is_relative_to(whole) for file in files)
