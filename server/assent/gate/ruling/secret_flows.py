"""Secrets that one command of a line reads or finds, and another one sends away or opens.

Whether they are sent only a run would tell; a name like that beside a host is enough to look twice.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from assent.gate.call.verdicts import Ruling
from assent.gate.programs.code_inputs import is_unsure
from assent.gate.programs.deeds import Kind
from assent.gate.programs.find_tests import Sample
from assent.gate.programs.listed_names import choice_of
from assent.gate.ruling.destinations import target_of
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.paths import Place
from assent.gate.ruling.paths_in_text import HOME, pieces_of
from assent.gate.ruling.protected import keys_in
from assent.gate.ruling.ruling_context import RulingContext, asked
from assent.gate.ruling.secret_words import keeps_secret
from assent.gate.ruling.wildcards import has_glob, pattern_in, split_off
from assent.gate.text.lazy_patterns import late

__all__ = ["KEY_NAMES", "keys_found", "leak_in"]

_HERE: Final = frozenset({"?", "localhost", "127.0.0.1", "[::1]", "0.0.0.0"})  # noqa: S104 -- what is reached, not served
_MAX_NAMES: Final = 3


def leak_in(judged: Iterable[CommandFinding]) -> str | None:
    """What a line may give away, in a sentence."""
    all_ = [*judged]
    hosts = dict.fromkeys(host for one in all_ for host in one.deeds.hosts)
    away = [host for host in hosts if host not in _HERE and "://" not in host]
    if not away:
        return None
    readers = (one for one in all_ if one.deeds.reading and not one.where)
    read = (place for reader in readers for place in reader.places if place.kind is Kind.READ)
    found = dict.fromkeys(
        place.target.shown for place in read if place.target and keeps_secret(place.target.shown)
    )
    if not found:
        return None
    return f"May send {_listed([*found])} to {_listed(away)}."


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return ", ".join(f"`{name.replace('`', '')}`" for name in names[:_MAX_NAMES]) + more


# Keys of the gate among the files that one command finds and another one reads.
#
# What a walk comes upon, or what a link leads to that was made on the way, is no path that stands
# anywhere: such a read is of anything. Where something in the same text goes through a place that
# has keys below it, these may be what is read.

_SCHEME: Final = late(r"\b(?!file:)[a-z][a-z0-9+.-]*://")
"""What is behind it lies on another machine."""
_HOLE: Final = "$_"
"""What stands for a name that is put in later."""
KEY_NAMES: Final = tuple(
    """attestations.key sockets 0123abcd 0123456789abcdef.key journal.db chats.db 0123abcd.json
    agent-host local-endpoint entries metadata.json agent-host-stable.lock
    agent-host-insider.lock agent-host-exploration.lock agent-host-oss.lock""".split()
)
"""What files with keys are called, and the folders of the gate, ours or the editor's, in which
they lie."""


def keys_found(context: RulingContext, judged: Iterable[CommandFinding]) -> list[Ruling]:
    """The question about what may be read of the gate's keys, where a text comes upon them."""
    all_ = [*judged]
    if not any(map(_reads_anything, all_)):
        return []
    climbs = any(".." in place.spelled for one in all_ for place in one.places)
    for one in all_:
        for place in one.places:
            keys = _keys_at(context, place)
            if keys is not None and (climbs or not _looks_for_others(one, place)):
                return [_question(keys)]
    return [_question(it) for it in _named(context)][:1]


def _question(found: str) -> Ruling:
    return asked(f"Reading what is found in {found} is asked about in every mode.")


def _named(context: RulingContext) -> Iterator[str]:
    """Places with keys in them of which a text speaks: some word of it may come to be read.

    The words of a loop, of a function and of a list are no places of any command.
    """
    text = _SCHEME.sub("", context.text.replace("{}", _HOLE))
    for piece in sorted(pieces_of(HOME.sub("~", text))):
        if piece.startswith(("~", "/")):
            yield from _keys_named(context, piece)


def _keys_named(context: RulingContext, path: str) -> Iterator[str]:
    head, sign, _ = path.partition("$")
    folder = target_of(context, head.rpartition("/")[0] or "/" if sign else head, None)
    if sign and folder is not None:
        named = keys_in(folder, tree=True)
    elif has_glob(path):
        base, last = split_off(path)
        where = target_of(context, base, None)
        pattern = None if where is None else pattern_in(where, last)
        met = context.facts.premise(where, pattern) if where and pattern else None
        named = f"{path} ({met.name})" if met is not None and met.keys else None
    else:
        named = None if folder is None else keys_in(folder)
    if named is not None:
        yield named


def _looks_for_others(judged: CommandFinding, place: Place) -> bool:
    """Whether it looks for names that no key has, and no folder on the way to one."""
    choice = choice_of((judged.command.argv,))
    above = None if place.target is None else place.target.above
    if choice is None or above is None:
        return False
    names = {*KEY_NAMES, *above.path.split("/")}
    return not any(choice.may_hold(Sample(name=name)) for name in names)


def _reads_anything(judged: CommandFinding) -> bool:
    """Whether it reads files of which nobody knows where they lie."""
    if None in [place.target for place in judged.places if place.kind is Kind.READ]:
        return True
    command = judged.command
    if command.literal or not is_unsure(command, judged.deeds):
        return False
    return not all(word.known for word in command.argv)


def _keys_at(context: RulingContext, place: Place) -> str | None:
    """The place with keys in it that a command goes through, or that it has a link lead to."""
    if place.target is None:
        return None
    if place.pattern is not None:
        met = context.facts.premise(place.target, place.pattern)
        return f"{place.spelled} ({met.name})" if met is not None and met.keys else None
    through = place.tree or place.listed or place.kind is Kind.READ
    return keys_in(place.target, tree=through)
