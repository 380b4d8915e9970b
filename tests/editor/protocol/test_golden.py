"""Every message is as the table says, in its direction, and comes back byte for byte."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from assent.editor.protocol import approvals, card, chats, happenings, replicas
from assent.editor.protocol.method import Method
from assent.editor.protocol.methods import BY_NAME, METHODS
from editor.protocol.golden import FOLDER, examples, path_of
from tables import each_row

NAMES = [method.name for method in METHODS]

UNIONS = (
    card.Body,
    happenings.Event,
    approvals.Receipt,
    replicas.Delivered,
    chats.Item,
    card.Span,
)


def _read(shape: Any, value: object) -> Any:
    """Read as the server reads: from JSON, by the names on the wire alone."""
    return TypeAdapter(shape).validate_json(json.dumps(value), by_alias=True, by_name=False)


def _written(shape: Any, value: object, *, by_us: bool) -> Any:
    """Write as the sender writes: the server tells every member, a client may leave some out."""
    return TypeAdapter(shape).dump_python(
        value, mode="json", by_alias=True, exclude_unset=not by_us
    )


def _parts(method: Method) -> Iterator[tuple[str, Any, bool]]:
    """The parts of an exchange: their names in a golden file, shapes, and if the server's."""
    yield "params", method.params, method.sender == "server"
    if method.is_request:
        yield "result", method.result, method.sender == "client"


def _tree(value: object) -> Iterator[dict[str, Any]]:
    match value:
        case dict():
            yield value
            for each in value.values():
                yield from _tree(each)
        case list():
            for each in value:
                yield from _tree(each)


def test_every_method_has_its_golden_file_and_no_file_has_no_method() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {path_of(name).name for name in NAMES}


@each_row("name", NAMES)
def test_the_examples_of_a_method_come_back_byte_for_byte(name: str) -> None:
    method, again = BY_NAME[name], []
    for example in examples(name):
        told = {"name": example["name"]}
        for part, shape, by_us in _parts(method):
            told[part] = _written(shape, _read(shape, example[part]), by_us=by_us)
        again.append(told)
    text = json.dumps({"examples": again}, indent=2, ensure_ascii=False) + "\n"
    assert text == path_of(name).read_text("utf-8")


@each_row("name", NAMES)
def test_the_examples_of_a_method_have_names_of_their_own(name: str) -> None:
    names = [example["name"] for example in examples(name)]
    assert names
    assert len(set(names)) == len(names)


@each_row(
    ("union", "kind"),
    [
        (union, kind)
        for union in UNIONS
        for shape in (get_args(get_args(union)[0]) if get_args(union) else (union,))
        for kind in get_args(shape.model_fields["kind"].annotation)
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)  # fmt: skip
def test_every_branch_of_every_union_has_an_example(union: Any, kind: str) -> None:
    adapter = TypeAdapter(union)
    for part in _all_parts():
        if part.get("kind") == kind:
            try:
                adapter.validate_json(json.dumps(part), by_alias=True, by_name=False)
            except ValidationError:
                continue  # another union has a branch of that name
            return
    pytest.fail(f"no golden message has a {kind}")


@each_row(
    ("member", "values"),
    [
        ("outcome", get_args(approvals.OutcomeKind)),
        ("by", get_args(approvals.By)[:1]),
        ("level", get_args(card.Level)),
        ("kind", get_args(card.OptionKind)),
        ("mode", get_args(chats.ModeName)),
        ("gate", ("verified", "advisory", "unverified")),
        ("verdict", ("allow", "ask", "deny")),
        ("sign", ("+", "-", " ")),
        ("primary", ("allow", "deny")),
        ("scope", ("workspace", "user", "chat", "managed")),
    ],
)
def test_every_word_of_the_wire_has_an_example(member: str, values: tuple[str, ...]) -> None:
    said = {part[member] for part in _all_parts() if isinstance(part.get(member), str)}
    assert set(values) <= said


def test_the_spans_of_a_command_joined_are_the_command_byte_for_byte() -> None:
    hidden = examples("tool/approvalRequest")[1]["params"]["card"]["body"]["command"]
    assert "".join(span["text"] for span in hidden).endswith("example.org\u202e")
    assert all(span["shown"] for span in hidden if span["kind"] in {"hidden", "spaces"})


def _all_parts() -> Iterator[dict[str, Any]]:
    for name in NAMES:
        for example in examples(name):
            yield from _tree({part: example.get(part) for part in ("params", "result")})


class TestStrictness:
    """What is not exactly a message is refused, never guessed at."""

    @pytest.mark.parametrize("name", NAMES)
    def test_a_member_that_nobody_knows_is_refused(self, name: str) -> None:
        for where, shape, whole in _objects(name):
            where["editedInput"] = {"command": "rm -rf /"}
            with pytest.raises(ValidationError, match="editedInput"):
                _read(shape, whole)
            del where["editedInput"]

    @pytest.mark.parametrize("name", NAMES)
    def test_a_member_that_must_be_there_is_missed(self, name: str) -> None:
        for part, shape, _ in _parts(BY_NAME[name]):
            for example in examples(name):
                for member in _required(shape, example[part]):
                    less = {k: v for k, v in example[part].items() if k != member}
                    with pytest.raises(ValidationError):
                        _read(shape, less)

    @pytest.mark.parametrize("name", NAMES)
    def test_a_value_of_another_type_is_refused(self, name: str) -> None:
        for where, shape, whole in _objects(name):
            for member, value in list(where.items()):
                if _is_free(member, where, name):
                    continue
                where[member] = _of_another_type(value)
                with pytest.raises(ValidationError):
                    _read(shape, whole)
                where[member] = value

    @pytest.mark.parametrize("on", ["true", "false", 1, 0, "yes", None, [True]])
    def test_only_true_and_false_are_true_or_false(self, on: object) -> None:
        with pytest.raises(ValidationError):
            _read(BY_NAME["agent/bypass"].params, {"agentId": "eliza", "on": on})

    @pytest.mark.requirement("T-11")
    @pytest.mark.parametrize(
        "wrong",
        [
            {"approval_id": "x"},
            {"approvalId": ""},
            {"approvalId": "x" * 129},
            {"digest": "0" * 63},
            {"digest": "0" * 64 + "\n"},
            {"digest": "A" * 64},
            {"revision": "1"},
            {"revision": 1.0},
            {"revision": True},
            {"shownMs": -1},
            {"optionId": None},
            {"optionId": {"allow": True}},
            {"feedback": "x" * 2001},
            {"updatedInput": {}},
            {"rule": "shell(*)"},
            {"rules": ["shell(ls)"] * 21},
            {"rules": [""]},
            {"rules": ["x" * 4_097]},
            {"rules": "shell(*)"},
            {"scope": "managed"},
        ],
        ids=lambda it: ",".join(it),
    )
    def test_an_answer_that_is_not_exactly_one_is_none(self, wrong: dict[str, object]) -> None:
        method = BY_NAME["tool/approvalResponse"]
        good = examples(method.name)[0]["params"]
        _read(method.params, good)
        with pytest.raises(ValidationError):
            _read(method.params, {**good, **wrong})

    def test_the_names_of_python_are_none_on_the_wire(self) -> None:
        with pytest.raises(ValidationError):
            _read(BY_NAME["agent/stop"].params, {"chat_id": "chat-1"})


def _objects(name: str) -> Iterator[tuple[dict[str, Any], Any, dict[str, Any]]]:
    """Each object in the first examples, with the shape of the whole that it stands in."""
    for part, shape, _ in _parts(BY_NAME[name]):
        for example in examples(name)[:3]:
            for where in _tree(example[part]):
                if not _holds_anything(where, example[part], name):
                    yield where, shape, example[part]


def _holds_anything(where: dict[str, Any], whole: dict[str, Any], name: str) -> bool:
    """Whether an object is a value of a setting or what a call is given: it may be anything."""
    if any(where is told["input"] for told in _tree(whole) if "toolCallId" in told):
        return True
    if name == "policy/explain":
        return where is whole.get("input")
    if name not in {"settings/inspect", "settings/write"} or where in (whole, whole.get("files")):
        return False
    return where not in whole.get("keys", {}).values()


def _is_free(member: str, where: dict[str, Any], name: str) -> bool:
    """Whether a member may have any value, or a value of the type that we would put there."""
    layers = {"default", "user", "workspace", "folder", "value"}
    return name.startswith("settings/") and member in layers and not _is_files(where)


def _is_files(where: dict[str, Any]) -> bool:
    """Whether this tells in which files the settings are written, and no setting's value."""
    return any(str(value).startswith("file:") for value in where.values())


def _of_another_type(value: object) -> object:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case None:
            return 1.5
        case _:
            return 7


def _required(shape: Any, value: dict[str, Any]) -> list[str]:
    """The members that have to be there, by their names on the wire."""
    for branch in get_args(get_args(shape)[0]) if get_args(shape) else (shape,):
        fields = branch.model_fields
        if "kind" in fields and value["kind"] not in get_args(fields["kind"].annotation):
            continue
        return [field.alias for field in fields.values() if field.is_required()]
    raise AssertionError(f"no branch fits {value}")
