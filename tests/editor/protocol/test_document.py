"""What is written for who builds a client: true to the table, and the client in it works."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assent.editor.protocol import document
from assent.editor.protocol.document import written
from assent.editor.protocol.methods import METHODS
from editor.protocol.golden import examples
from tables import each_row

ROOT = Path(__file__).resolve().parents[3]
PATHS = (
    "server/PROTOCOL.md",
    "server/protocol.schema.json",
    "client-ts/media/workflow.schema.json",
)


@cache
def _texts() -> dict[str, str]:
    """What is written, made once and not before it is wanted."""
    return written()


@cache
def _schema() -> Any:
    return json.loads(_texts()["server/protocol.schema.json"])


TYPES = {
    "string": str,
    "integer": int,
    "number": int | float,
    "boolean": bool,
    "null": type(None),
    "array": list,
    "object": dict,
}


@each_row("path", PATHS)
def test_what_is_written_is_what_stands_in_the_file(path: str) -> None:
    assert set(_texts()) == set(PATHS)
    assert (ROOT / path).read_text("utf-8") == _texts()[path], "run `make protocol`"


def _fits(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value is of a schema, as far as the words go that stand in ours."""
    match schema:
        case {"$ref": ref}:
            return _fits(_schema()["$defs"][ref.removeprefix("#/$defs/")], value)
        case {"const": only}:
            return bool(value == only)
        case {"enum": values}:
            return value in values
        case {"anyOf": branches} | {"oneOf": branches}:
            return any(_fits(it, value) for it in branches)
        case {"type": kind} if not isinstance(value, TYPES[kind]):
            return False
        case {"type": "integer" | "number"}:
            return not isinstance(value, bool)
        case {"type": "array"}:
            return all(_fits(schema["items"], it) for it in value)
        case {"type": "object"}:
            known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
            left = [it for name, it in value.items() if name not in known]
            if left and more is not True and not (more and all(_fits(more, it) for it in left)):
                return False
            fits = all(_fits(it, value[name]) for name, it in known.items() if name in value)
            return fits and set(schema.get("required", ())) <= set(value)
    return True


@each_row("method", METHODS, ids=lambda it: it.name)
def test_each_example_fits_the_schema_and_a_spoilt_one_does_not(method: Any) -> None:
    entry = _schema()["methods"][method.name]
    assert entry["sender"] == method.sender
    assert ("result" in entry) == method.is_request
    for example in examples(method.name):
        for part in ("params", "result"):
            if part in entry:
                assert _fits(entry[part], example[part])
                assert not _fits(entry[part], {**example[part], "planted": 1})


def test_every_reference_leads_somewhere() -> None:
    refs = {
        line.split('"')[3]
        for line in _texts()["server/protocol.schema.json"].splitlines()
        if '"$ref":' in line
    }
    assert {it.removeprefix("#/$defs/") for it in refs} <= set(_schema()["$defs"])


def test_each_message_and_each_shape_stands_on_the_page_once() -> None:
    titles = [
        line[4:] for line in _texts()["server/PROTOCOL.md"].splitlines() if line.startswith("### ")
    ]
    names = set(_schema()["$defs"])
    assert sorted(titles) == sorted({method.name for method in METHODS} | names)


def test_what_the_prose_names_is_in_the_table() -> None:
    prose = (Path(document.__file__).parent / "prose.md").read_text("utf-8")
    words = {it for it in prose.split("`")[1::2] if "/" in it and " " not in it}
    of_the_editor = {it for it in words if it.startswith(("textDocument/", "workspace/", "$/"))}
    ours = {it for it in words - of_the_editor if not it.startswith("assent/")}
    assert ours
    assert ours <= {method.name for method in METHODS}


@pytest.mark.requirement("P-01")
@pytest.mark.parametrize(("answer", "there"), [("y", True), ("n", False), ("", False)])
def test_the_client_on_the_page_runs_as_it_is_written(
    tmp_path: Path, answer: str, there: bool
) -> None:
    done = _run(tmp_path, f'#!/bin/sh\nexec {sys.executable} -m assent "$@"\n', answer)
    assert done.returncode == 0, done.stderr
    assert ("allowed by user" in done.stdout) is there
    assert ("refused by user" in done.stdout) is not there
    assert "was not taken" not in done.stdout
    # The agent works in the folder in which the client was started, and not in the home.
    assert (tmp_path / "work" / "made").exists() is there
    assert not (tmp_path / "made").exists()


_SERVER = """
import json
import sys

OPTIONS = [{"id": "7", "kind": "denyOnce"}, {"id": "8", "kind": "allowOnce"}]
BOUND = {"approvalId": "a", "chatId": "c", "revision": 1, "digest": "d"}
ASKED = {**BOUND, "card": {"options": OPTIONS}}


def send(message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
    sys.stdout.buffer.flush()


while line := sys.stdin.buffer.readline().strip():
    sys.stdin.buffer.readline()
    told = json.loads(sys.stdin.buffer.read(int(line.split(b":")[1])))
    if told["method"] == "agent/prompt":
        prompt = told["id"]
        send({"method": "tool/approvalRequest", "params": ASKED})
    elif told["method"] == "tool/approvalResponse":
        print(told["params"]["optionId"], file=sys.stderr)
        send({"id": told["id"], "result": {"kind": "stale", "current": ASKED}})
        send({"id": prompt, "result": {"reason": "done"}})
    elif "id" in told:
        send({"id": told["id"], "result": {"chatId": "c"}})
    else:
        sys.exit(0) if told["method"] == "exit" else None
"""


@each_row(("answer", "option"), [("y", "8"), ("n", "7")])
def test_the_client_on_the_page_goes_by_the_kind_of_an_option_and_tells_what_was_not_taken(
    tmp_path: Path, answer: str, option: str
) -> None:
    done = _run(tmp_path, f"#!{sys.executable}\n{_SERVER}", answer)
    assert done.returncode == 0, done.stderr
    assert done.stderr.split() == [option]
    assert "The answer was not taken: {'kind': 'stale'" in done.stdout


def _run(where: Path, server: str, answer: str) -> subprocess.CompletedProcess[str]:
    """Run the client of the page in a folder of its own, with what it takes for the server."""
    code = _texts()["server/PROTOCOL.md"].split("```python\n", 1)[1].split("```", 1)[0]
    assert len(code.splitlines()) <= 72
    (where / "client.py").write_text(code, "utf-8")
    (where / "bin").mkdir()
    (where / "work").mkdir()
    program = where / "bin" / "assent"
    program.write_text(server, "utf-8")
    program.chmod(0o700)
    return subprocess.run(
        [sys.executable, str(where / "client.py"), "eliza", "run touch made"],
        cwd=where / "work",
        env={
            **os.environ,
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "HOME": str(where),
            "ASSENT_STATE_DIR": str(where / "state"),
        },
        input=f"{answer}\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=40,
    )
