"""Writes the protocol's documentation from `METHODS`, and the schema of workflow files.

`python -m assent.editor.protocol.document` writes them into the checkout; a test compares them.
What the table knows is told from the table; `prose.md` beside this says what it does not know.
"""

import json
import pathlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from assent.catalogue.workflows.graph import schema as workflows
from assent.editor.protocol.fingerprint import PROTOCOL_HASH
from assent.editor.protocol.method import Method
from assent.editor.protocol.methods import METHODS
from assent.editor.protocol.typescript import ALIASES, BANNER, definitions

__all__ = ["main", "written"]

_ROOT: Final = pathlib.Path(__file__).parents[4]
_SENT: Final = {"client": "client → server", "server": "server → client"}

Schema = Mapping[str, Any]


def written() -> dict[str, str]:
    """The files' texts, by their paths below the repository."""
    return {
        "server/PROTOCOL.md": _page(),
        "server/protocol.schema.json": _one_face(json.dumps(_schema(), indent=1)) + "\n",
        "client-ts/media/workflow.schema.json": json.dumps(workflows(), indent=1) + "\n",
    }


def main() -> None:
    """Write them into the checkout that this package lies in."""
    for path, text in written().items():
        (_ROOT / path).write_text(text, encoding="utf-8")


def _schema() -> dict[str, Any]:
    """Every shape under its name, and of each message what it carries and what answers it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of Assent",
        "description": BANNER,
        "protocolHash": PROTOCOL_HASH,
        "methods": {method.name: _entry(method) for method in METHODS},
        "$defs": {**definitions(), **{name: _union(union) for name, union in ALIASES.items()}},
    }


def _one_face(text: str) -> str:
    """A shape is the same whichever side writes it, so references to it are, too."""
    return re.sub(r"(#/\$defs/\w+)-(?:Input|Output)\"", r'\1"', text)


def _entry(method: Method) -> dict[str, Any]:
    entry = {"sender": method.sender, "params": {"$ref": f"#/$defs/{method.params.__name__}"}}
    if method.is_request:
        entry["result"] = {"$ref": f"#/$defs/{_result_name(method)}"}
    return entry


def _union(union: Any) -> dict[str, Any]:
    schema = TypeAdapter(union).json_schema(mode="serialization", ref_template="#/$defs/{model}")
    return {name: value for name, value in schema.items() if name != "$defs"}


def _result_name(method: Method) -> str:
    """The name of an answer's shape, or of the union that it is."""
    named = (name for name, union in ALIASES.items() if union is method.result)
    return next(named, "") or str(method.result.__name__)


def _page() -> str:
    prose = (pathlib.Path(__file__).parent / "prose.md").read_text("utf-8")
    client = (_ROOT / "clients" / "plain" / "client.py").read_text("utf-8")
    shapes = definitions()
    return (
        "\n".join(
            [
                f"<!-- {BANNER} -->",
                "",
                prose.replace("CLIENT", f"```python\n{client}```").rstrip(),
                "",
                "## Messages",
                "",
                *(line for method in METHODS for line in _message(method, shapes)),
                "## Shapes",
                "",
                *(line for name, schema in sorted(shapes.items()) for line in _shape(name, schema)),
                *(line for name, union in ALIASES.items() for line in _choice(name, _union(union))),
            ]
        ).rstrip()
        + "\n"
    )


def _message(method: Method, shapes: Schema) -> Iterator[str]:
    """What is said of one message, with the first of its golden examples."""
    kind = "Request" if method.is_request else "Notification"
    yield from (f"### {method.name}", "")
    said = _plain(shapes[method.params.__name__].get("description", ""))
    answer = f" Answered with {_link(_result_name(method))}." if method.is_request else ""
    yield from (
        f"{kind}, {_SENT[method.sender]}: {_link(method.params.__name__)}. {said}{answer}",
        "",
    )
    example = _example(method.name)
    for part in ("params", "result"):
        if part in example:
            text = json.dumps(example[part], ensure_ascii=False, indent=1)
            yield from (
                f"{part.capitalize()} of “{example['name']}”:",
                "",
                "```json",
                text,
                "```",
                "",
            )


def _example(name: str) -> dict[str, Any]:
    path = _ROOT / "tests" / "editor" / "golden" / f"{name.replace('/', '_')}.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))["examples"][0]
    return found


def _shape(name: str, schema: Schema) -> Iterator[str]:
    """One shape, member by member."""
    yield from (f"### {name}", "")
    if said := _plain(schema.get("description", "")):
        yield from (said, "")
    members = schema.get("properties", {})
    if not members:
        yield from ("It has no members." if schema.get("type") == "object" else _type(schema), "")
        return
    yield from ("| member | is | |", "|---|---|---|")
    for member, value in members.items():
        may = "" if member in schema.get("required", ()) else "May be left out. "
        yield f"| `{member}` | {_type(value)} | {may}{_plain(value.get('description', ''))} |"
    yield ""


def _choice(name: str, schema: Schema) -> Iterator[str]:
    yield from (f"### {name}", "", f"One of these, told apart by `kind`: {_type(schema)}.", "")


def _type(schema: Schema) -> str:
    """One schema in words."""
    match schema:
        case {"$ref": ref}:
            return _link(str(ref).rsplit("/", 1)[-1])
        case {"const": value}:
            return f"`{json.dumps(value)}`"
        case {"enum": values}:
            return ", ".join(f"`{json.dumps(value)}`" for value in values)
        case {"anyOf": branches} | {"oneOf": branches}:
            return " or ".join(dict.fromkeys(map(_type, branches)))
        case {"type": "array", "items": items}:
            return f"list of ({_type(items)})"
        case {"type": "object", "additionalProperties": values} if isinstance(values, dict):
            return f"object of ({_type(values)})"
        case {"type": kind}:
            return str(kind)
        case _:
            return "any JSON"


def _link(name: str) -> str:
    plain = name.replace("-Input", "").replace("-Output", "")
    return f"[{plain}](#{plain.lower()})"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
