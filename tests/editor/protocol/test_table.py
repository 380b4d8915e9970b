"""The table of methods, and what is generated from it."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from assent.editor.protocol import approvals, card, chats, editor, rules
from assent.editor.protocol import typescript as module
from assent.editor.protocol.fingerprint import PROTOCOL_HASH
from assent.editor.protocol.methods import BY_NAME, METHODS
from assent.editor.protocol.shapes import Shape
from assent.editor.protocol.typescript import generated
from tables import each_row

ROOT = Path(__file__).resolve().parents[3]


@each_row("path", generated())
def test_what_is_generated_is_what_stands_in_the_file(path: str) -> None:
    assert (ROOT / path).read_text("utf-8") == generated()[path], "run `make protocol`"


def test_the_fingerprint_is_the_same_on_both_sides() -> None:
    client = (ROOT / "client-ts/src/shared/protocol.ts").read_text("utf-8")
    assert f'PROTOCOL_HASH = "{PROTOCOL_HASH}"' in client


def test_any_change_of_a_shape_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "METHODS", METHODS[:-1])
    assert PROTOCOL_HASH not in generated()["client-ts/src/shared/protocol.ts"]


@pytest.mark.requirement("M-02", "S-06")
def test_the_two_messages_that_were_asked_for_are_what_they_were_asked_to_be() -> None:
    request, response = BY_NAME["tool/approvalRequest"], BY_NAME["tool/approvalResponse"]
    assert (request.sender, request.is_request) == ("server", False)
    assert (response.sender, response.is_request) == ("client", True)
    for shape in (request.params, response.params):
        assert {"approval_id", "chat_id", "revision", "digest"} <= set(shape.model_fields)


def test_no_other_message_ends_in_request_or_response() -> None:
    others = [name for name in BY_NAME if re.search(r"(Request|Response)$", name)]
    assert others == ["tool/approvalRequest", "tool/approvalResponse"]


def test_methods_have_names_of_their_own() -> None:
    assert len(BY_NAME) == len(METHODS)
    assert all(re.fullmatch(r"[a-z]+/[a-z][A-Za-z]+", name) for name in BY_NAME)


def test_what_only_the_editor_may_decide_never_reaches_the_webview() -> None:
    prefixes = ("settings/", "secret/", "ui/")
    assert not [m.name for m in METHODS if m.webview and m.name.startswith(prefixes)]


def _shapes() -> list[type[BaseModel]]:
    modules = (approvals, card, chats, editor, rules)
    found = {it for m in modules for it in vars(m).values() if isinstance(it, type)}
    return [it for it in found if issubclass(it, Shape) and it is not Shape]


@each_row("shape", sorted(_shapes(), key=lambda it: it.__name__))
def test_every_shape_is_frozen_strict_and_closed(shape: type[BaseModel]) -> None:
    config = shape.model_config
    assert (config["frozen"], config["strict"], config["extra"]) == (True, True, "forbid")


def test_no_two_shapes_have_one_name() -> None:
    names = [shape.__name__ for shape in _shapes()]
    assert len(names) == len(set(names))


def test_no_shape_has_two_faces() -> None:
    """Where a shape is both sent and taken, TypeScript has one interface for both."""
    _, schema = module.models_json_schema(
        [(m.params, module._mode(m.sender == "server")) for m in METHODS]
        + [
            (shape, module._mode(m.sender == "client"))
            for m in METHODS
            for shape in module._results(m)
        ],
        ref_template="#/$defs/{model}",
    )
    assert not [name for name in schema["$defs"] if name.endswith(("-Input", "-Output"))]


def test_a_schema_that_typescript_cannot_tell_is_not_told() -> None:
    unknown: dict[str, Any] = {"type": "array", "prefixItems": [{"type": "string"}]}
    with pytest.raises(NotImplementedError, match="prefixItems"):
        module._type(unknown)


def test_the_generated_python_is_python() -> None:
    tree = ast.parse(generated()["server/assent/editor/protocol/fingerprint.py"])
    assert ast.get_docstring(tree) == module.BANNER
