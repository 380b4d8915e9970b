"""What is put off until it is needed: nothing of it may be missing or broken when it is."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from assent.programs import study
from assent.programs.families import TABLES
from assent.text.patterns import late
from house.sources import module_name, server_modules

LATE = type(late(""))
FORMS = sorted({row.form for table in TABLES for row in table if row.form})


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


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_row_has_what_reads_it(form: str) -> None:
    assert study._usage(form) is not study._ordinary


def test_what_is_loaded_for_a_question_is_what_it_needs(tmp_path: Path) -> None:
    program = (
        "import json, sys; from assent.cli.main import main;"
        f"main(['explain', 'shell', 'git status', '--workspace', {str(tmp_path)!r},"
        f" '--home', {str(tmp_path)!r}]); print(json.dumps(sorted(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    loaded = set(json.loads(told.stdout.splitlines()[-1]))
    assert "assent.programs.families.git_words" in loaded
    assert loaded.isdisjoint(
        {"assent.rules.index", "assent.programs.families.awk", "pydantic", "hashlib"}
    )
