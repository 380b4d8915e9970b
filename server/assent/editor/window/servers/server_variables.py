"""Reads which of the person's variables a workspace's server names: `${NAME}`, `${NAME:-default}`.

They are taken in the values of `env` and of `headers`. No value is read here: a card and a grant
know the name of each variable and where its value goes.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from assent.editor.window.servers.server_fillings import LeftOut
from assent.gate.settings.inputs import inputs_in, put_in
from assent.gate.settings.references import NAME, Reference, references_in
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.text.lines import one_line
from assent.gate.values import evolve

__all__ = ["refuse_misplaced", "variable_rows", "variables_of_entry", "with_references"]

_VARIABLE: Final = re.compile(rf"\$\{{(?:env:({NAME})|({NAME})(?::-([^{{}}]*))?)\}}")
_BEGUN: Final = "${"
_NOT_THEIRS: Final = "${secret:"
_PATH: Final = "PATH"
_MEMBERS: Final = ("env", "headers")
_NO_QUOTES: Final = str.maketrans("“”„", '"""')
_MAX_DEFAULT_LETTERS: Final = 80
"""The whole of it stands in the file, which the card shows as well."""


def refuse_misplaced(given: Mapping[str, Any]) -> None:
    """Raise `LeftOut` for a variable where none may be, and for what is none; it says where."""
    for place, text in _fixed_texts(given):
        _refuse_fixed(place, text)
    for member in _MEMBERS:
        for name, value in _table(given, member).items():
            if _BEGUN in name:
                raise LeftOut(
                    f"a name in its `{member}` has `${{` in it, which only a value may have"
                )
            _refuse_odd(f"{name} in its `{member}`", value)
    if _VARIABLE.search(_text(_table(given, "env").get(_PATH))):
        raise LeftOut(
            "PATH in its `env` names a variable, and PATH decides which program is started"
        )


def with_references(entry: ServerEntry) -> ServerEntry:
    """The entry with its variables as references."""
    env, headers = (
        {name: _VARIABLE.sub(_written, value) for name, value in table.items()}
        for table in (entry.env, entry.headers)
    )
    return evolve(entry, env=env, headers=headers)


def variables_of_entry(entry: ServerEntry) -> dict[str, list[str]]:
    """The names of the variables that it gets, by the variable or header that they go into."""
    given = entry.headers if entry.url else entry.env
    names = {into: [*_names(value)] for into, value in given.items()}
    return {into: variables for into, variables in names.items() if variables}


def variable_rows(entry: ServerEntry) -> Iterator[tuple[str, str]]:
    """What a card says of them, a row for each."""
    given = entry.headers if entry.url else entry.env
    for into, value in given.items():
        for reference in references_in({into: value}):
            yield (
                (
                    f"Sends your variable {reference.name} to {entry.url}"
                    if entry.url
                    else f"Gives your variable {reference.name} to {entry.name}"
                ),
                _row_value(into, reference),
            )


def _fixed_texts(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What takes no variable, each with what it is called."""
    yield "its command", _text(given.get("command"))
    yield "its url", _text(given.get("url"))
    args = given.get("args")
    for at, word in enumerate(args if isinstance(args, list) else (), 1):
        yield f"its argument {at}", _text(word)


def _table(given: Mapping[str, Any], member: str) -> Mapping[str, Any]:
    table = given.get(member)
    return table if isinstance(table, dict) else {}


def _text(value: Any) -> str:
    """A text; whatever else stands there is refused by the form of the entry."""
    return value if isinstance(value, str) else ""


def _refuse_fixed(place: str, text: str) -> None:
    if match := _VARIABLE.search(_without_inputs(text)):
        name = match[1] or match[2]
        raise LeftOut(
            f"{place} names the variable {name}, and only a value of `env` or `headers` may"
        )
    _refuse_odd(place, text)


def _refuse_odd(place: str, value: Any) -> None:
    rest = _VARIABLE.sub("", _without_inputs(_text(value)))
    if _NOT_THEIRS in rest:
        raise LeftOut(f"{place} names a secret, which only your own settings may")
    if _BEGUN in rest:
        raise LeftOut(
            f"{place} has a `${{` that is not understood here: a variable is written `${{NAME}}` or"
            " `${NAME:-default}`"
        )


def _written(match: re.Match[str]) -> str:
    default = "" if match[3] is None else f":-{match[3]}"
    return f"${{env:{match[1] or match[2]}{default}}}"


def _without_inputs(text: str) -> str:
    return put_in(text, dict.fromkeys(inputs_in([text]), ""))


def _names(value: str) -> Iterator[str]:
    return (reference.name for reference in references_in({"": value}))


def _row_value(into: str, reference: Reference) -> str:
    if reference.default is None:
        return f"as {into}"
    # Nothing in it ends the quotes around it.
    default = one_line(reference.default, _MAX_DEFAULT_LETTERS).translate(_NO_QUOTES)
    return f"as {into}, or “{default}” where it is not set"
