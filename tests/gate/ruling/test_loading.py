"""What is put off until it is needed: nothing of it may be missing or broken when it is."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from assent.gate.programs.forms import usage
from assent.gate.programs.tables import TABLES
from assent.gate.programs.tables.reading_commands import ORDERS
from assent.gate.text.lazy_patterns import late
from house.sources import module_name, server_modules
from tables import each_row

LATE = type(late(""))
FORMS = sorted({row.form for table in (*TABLES, ORDERS) for row in table if row.form})


def test_every_pattern_that_is_compiled_late_is_one() -> None:
    names = [module_name(it) for it in server_modules() if it.name != "__main__.py"]
    modules = [import_module(name) for name in names]
    found = [it for module in modules for it in vars(module).values() if isinstance(it, LATE)]
    assert len(found) > 100
    for pattern in found:
        pattern.fullmatch("")


def test_a_late_pattern_does_what_a_pattern_does() -> None:
    pattern = late(r"(a+)b")
    for _ in range(2):
        assert (found := pattern.search("caab")) is not None
        assert found[1] == "aa"
        assert pattern.sub("x", "aab") == "x"
    with pytest.raises(AttributeError):
        _ = pattern.nonsense  # type: ignore[attr-defined]


@each_row("form", FORMS)
def test_every_form_of_a_row_has_what_reads_it(form: str) -> None:
    assert usage(form) is not usage("")


def asked(folder: Path, *words: str, after: str) -> list[Any]:
    """What `after` prints, as JSON, in a process of its own that answered a question before."""
    where = ("--workspace", str(folder), "--home", str(folder))
    program = (
        "import json, re, sys; lengths = []; made = re.compile\n"
        "re.compile = lambda it, flags=0: (lengths.append(len(it)), made(it, flags))[1]\n"
        "from assent.cli.main import main\n"
        f"main(['explain', *{words!r}, *{where!r}]); print(json.dumps({after}))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    found: list[Any] = json.loads(told.stdout.splitlines()[-1])
    return found


QUESTIONS = [
    ("read", "src/index.ts"),
    ("shell", "git status"),
    ("shell", "cd src && git diff --output=~/.bashrc"),
]


@each_row("words", QUESTIONS, ids=lambda it: it[1])
def test_what_is_loaded_for_a_question_is_what_it_needs(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    loaded = set(asked(tmp_path, *words, after="sorted(sys.modules)"))
    assert "assent.gate.ruling.decide" in loaded
    assert ("assent.gate.programs.tables.git_words" in loaded) == ("shell" in words)
    assert loaded.isdisjoint(UNNEEDED)


UNNEEDED = {
    *(
        "assent.gate.rules.index",
        "assent.gate.programs.tables.awk",
        "pydantic",
        "hashlib",
        "asyncio",
    ),
    *("calendar", "datetime", "orjson", "subprocess", "secrets", "socket"),
}


@each_row("words", QUESTIONS, ids=lambda it: it[1])
def test_no_pattern_of_a_question_is_long_since_compiling_takes_longer_than_judging(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    assert max(asked(tmp_path, *words, after="lengths")) < LONG


LONG = 1_000
"""In letters: Python compiles some three hundred of them in a millisecond."""
