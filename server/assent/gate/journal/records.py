"""The journal's rows about a call: asked, decided, ended."""

from collections.abc import Iterable, Mapping, Sequence

from assent.gate.call.calls import Call, canonical
from assent.gate.call.verdicts import Deed
from assent.gate.journal.journal import Entry
from assent.gate.text.lazy_patterns import late
from assent.gate.text.shortening import shortened

__all__ = ["asked", "decided", "ended", "is_whole"]

_MAX_TEXT_LETTERS = 4_000
"""How much of a long text goes into a row; its digest stands for the rest."""

_MAX_NAMES = 1_000
"""So many files and so many hosts are kept of what a ruling found."""

_LEFT_OUT = late(r"\n\[… [^\n]*left out …\]\n")


def asked(call: Call, ticket: str, because: str, deeds: Iterable[Deed] = ()) -> Entry:
    """A question was opened."""
    return _entry(
        "asked", call, ticket=ticket, because=because, **_what(call), **_list_touched(deeds)
    )


def decided(
    call: Call,
    ticket: str | None,
    *,
    outcome: str,
    by: str,
    because: str,
    option: str | None = None,
    rule: str | None = None,
    source: str | None = None,
    shown_ms: int | None = None,
    chosen: Sequence[str] = (),
    deeds: Iterable[Deed] = (),
) -> Entry:
    """A call was allowed or refused; this row is on the disk before the call runs."""
    return _entry(
        "decided",
        call,
        ticket=ticket,
        outcome=outcome,
        by=by,
        because=because,
        option=option,
        rule=rule,
        source=source,
        shownMs=shown_ms,
        **({"chosen": [*chosen]} if chosen else {}),
        **_what(call),
        **_list_touched(deeds),
    )


def ended(call: Call, state: str, output: str) -> Entry:
    """A call that ran has come to its end."""
    return _entry("ended", call, state=state, output=_shortened(output))


def is_whole(body: Mapping[str, object]) -> bool:
    """Whether nothing of what a call was given is known to have been left out."""
    given = body.get("input")
    values = given.values() if isinstance(given, dict) else ()
    texts = (
        value for value in values if isinstance(value, str) and len(value) >= _MAX_TEXT_LETTERS // 2
    )
    return not any(_LEFT_OUT.search(text) for text in texts)


def _what(call: Call) -> dict[str, object]:
    return {
        "tool": call.tool,
        "effect": call.effect,
        "input": {name: _shortened(value) for name, value in call.input.items()},
        "targets": [target.resolved for target in call.targets],
        "unsaved": [edit.path for edit in call.edits if edit.version is not None] or None,
        "cwd": call.cwd,
    }


def _list_touched(deeds: Iterable[Deed]) -> dict[str, object]:
    """The files and hosts that the ruling found, by which the row is found again."""
    all_deeds = list(deeds)
    files = dict.fromkeys(deed.lies for deed in all_deeds if deed.lies)
    hosts = dict.fromkeys(deed.what for deed in all_deeds if deed.kind == "network")
    # What lies furthest off is not what is left out.
    far = {deed.lies for deed in all_deeds if not deed.inside}
    nearer = sorted(files, key=lambda file: file not in far)
    return {"files": nearer[:_MAX_NAMES] or None, "hosts": list(hosts)[:_MAX_NAMES] or None}


def _entry(kind: str, call: Call, **body: object) -> Entry:
    return Entry(
        kind=kind,
        chat=call.chat,
        call=call.id,
        agent=call.agent,
        digest=call.digest,
        body={name: value for name, value in body.items() if value is not None},
    )


def _shortened(value: object) -> object:
    text = value if isinstance(value, str) else canonical(value)
    return value if len(text) <= _MAX_TEXT_LETTERS else shortened(text, _MAX_TEXT_LETTERS)
