"""Protected files that a patch changes, although the call does not name them.

It is looked for in the headers of what lies on the disk, of what the text of the call says, and of
what other commands of it read. A patch of which nobody can tell what it says is asked about.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.programs.deeds import Kind
from assent.gate.programs.find_tests import Sample
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.destinations import chosen_by
from assent.gate.ruling.effects_between_commands import command_of_git
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.paths import Place
from assent.gate.ruling.protected import is_protected
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.script import Command
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within

__all__ = ["ANY", "patched"]

ANY: Final = "…"
"""In the place of a name: it may be any."""
_OF_GIT: Final = frozenset(("apply", "am"))
_HANDING: Final = frozenset(
    "git cat cp mv head tail tac tee echo printf grep egrep fgrep filterdiff dos2unix".split()
)
"""Programs that hand on, or put elsewhere, what they read, what they are told, or what git has."""
_PUT_IN: Final = ("<(", "<<<")
"""How a shell puts in what another command prints."""
_TAKING: Final = frozenset((Kind.READ, Kind.DELETE))
_MAX_FILES_READ: Final = 20
"""So many of the files are looked into that may be listed."""
_MAX_READ_LETTERS: Final = 1_000_000
_MAX_NAMES: Final = 2_000
"""So much is read, and so many names are held against what is protected."""
_ENCODED: Final = late(
    r"(?i)content-transfer-encoding:[^\n]{0,80}(?:base64|quoted)|# this series applies"
)
"""How a mail begins whose text is written in other letters, or a list of patches."""
_SIDES: Final = late(r"\A[ab]/")
_MAX_STRIPPED_NAMES: Final = 4
"""So many beginnings of a name are tried: as it is, and with up to three folders taken off."""


def patched(case: CommandAnalysis) -> Iterator[str]:
    """The first protected place that a patch changes; `ANY` where nobody can tell."""
    if case.deeds.reading or not _applies(case.command, case.places):
        return
    texts, untold = _told(case)
    names = _named(case.context, texts)
    found = [target.resolved for target in case.anywhere if target is not None]
    folders = found or [case.context.call.cwd]
    some = names[:_MAX_NAMES]
    met = (it for it in some if any(map(is_protected, _ways(it, folders))))
    own = (it for it in some if any(_is_of_gate(case.context, it, folder) for folder in folders))
    shown = (_SIDES.sub("", it) for it in chain(met, own))
    yield from [*shown, *([ANY] if untold or len(names) > _MAX_NAMES else [])][:1]


def _is_of_gate(context: RulingContext, name: str, folder: str) -> bool:
    """Whether a file is a part of the gate, or is started later, by the name in a patch."""
    led = (context.located(it, folder) for it in {name, _SIDES.sub("", name)})
    return any(target is not None and target.own is not None for target in led)


def _named(context: RulingContext, texts: Sequence[str]) -> list[str]:
    """The files that patches name, in their headers and in the text of the call."""
    # What reads headers is loaded with the first patch.
    from assent.gate.programs.patches import named_anywhere, named_in_headers  # noqa: PLC0415

    names = dict.fromkeys(named_anywhere(context.text))
    # What is handed on in pieces is one text.
    for text in (*texts, "".join(texts)) if texts[1:] else texts:
        names |= dict.fromkeys(named_in_headers(text))
    return [*names]


def _told(case: CommandAnalysis) -> tuple[list[str], bool]:
    """The texts that it may take for patches, and whether there may be others."""
    context, command, before = case.context, case.command, case.before
    sources = [place for place in case.places if place.kind is Kind.READ]
    own = _read(context, sources)
    named = [source.target for source in sources if not (source.listed or source.pattern)]
    if any(target is not None and context.facts.enters(target.resolved) for target in named):
        # A folder of mails.
        own.append(None)
    behind = "<" in context.text[command.start :]
    dashed = any(word.text == "-" for word in command.argv[1:])
    given = (not sources or dashed) and (command.fed or behind)
    makers = _makers(command, sources, before, given=given)
    if "" in own and not makers:
        # Something may make it that is not there now.
        makers = [finding for finding in before if finding.command.argv and _may_write(finding)]
    others = [place for finding in before for place in finding.places if place.kind in _TAKING]
    read = _read(context, others) if given or makers else []
    texts = [*filter(None, (*own, *read))]
    unseen = given and not (makers or read or command.document)
    unread = None in (*own, *read) or any(map(_ENCODED.search, texts))
    files = {source.lies for source in sources if source.lies}
    made = any(not _hands_on(maker, files) for maker in makers)
    put_in = any(it in context.text[command.start : command.end] for it in _PUT_IN)
    return texts, unseen or unread or made or put_in


def _read(context: RulingContext, places: Sequence[Place]) -> list[str | None]:
    """What lies at these places, each once, and no more than anybody would write by hand."""
    found: dict[str, str | None] = {}
    left = _MAX_READ_LETTERS
    for place in places:
        for path in _files(context, place):
            if path is not None and path in found:
                continue
            text = None if path is None else context.facts.contents(path)
            left -= len(text or "")
            found[path or ""] = text if left >= 0 else None
            if left < 0:
                return [*found.values()]
    return [*found.values()]


def _applies(command: Command, places: Sequence[Place]) -> bool:
    """Whether it changes files as a patch says."""
    if command.program == "git":
        return command_of_git(command) in _OF_GIT
    return any(place.kind.changes for place in places)


def _ways(name: str, folders: Sequence[str]) -> Iterator[str]:
    """Where a name may lead, with as many folders taken off as it may be told."""
    parts = name.split("/")
    for folder, at in product(folders, range(min(len(parts), _MAX_STRIPPED_NAMES))):
        yield f"{folder}/{'/'.join(parts[at:])}"


def _makers(
    command: Command, sources: Sequence[Place], before: Sequence[CommandFinding], *, given: bool
) -> list[CommandFinding]:
    """The commands that write what it reads, or hand that to it."""
    files = {source.lies for source in sources if source.lies}
    making = [finding for finding in before if any(_writes(at, files) for at in finding.places)]
    if not (given and command.fed) or command.document:
        return making
    # What only stands around it hands nothing on that it does not read.
    handing = [finding for finding in before if finding.command.argv and not finding.command.wraps]
    piped = [finding for finding in handing if finding.command.aside == command.aside]
    return making + (piped or handing)


def _may_write(judged: CommandFinding) -> bool:
    return bool(judged.changed) or not (judged.deeds.reading or judged.deeds.known)


def _hands_on(judged: CommandFinding, files: set[str]) -> bool:
    """Whether what a command makes says no more than what it reads or is told, or git has it."""
    if judged.command.program not in _HANDING:
        return False
    # What moves a folder moves what lies in it.
    written = [place for place in judged.places if _writes(place, files)]
    exact = any(place.lies in files for place in written)
    return judged.command.program == "git" or not written or exact


def _writes(place: Place, files: set[str]) -> bool:
    if not place.kind.changes:
        return False
    target = place.target
    return target is None or any(is_within(file, target.resolved) for file in files)


def _files(context: RulingContext, place: Place) -> Iterator[str | None]:
    """The files that lie there; None where that cannot be told."""
    target = place.target
    if target is None:
        yield None
    elif place.listed or place.pattern is not None:
        files = _listed(context, place, target)
        yield from (files or ())[:_MAX_FILES_READ]
        if files is None or len(files) > _MAX_FILES_READ:
            yield None
    elif not context.facts.enters(target.resolved):
        yield target.resolved


def _listed(context: RulingContext, place: Place, target: Target) -> Sequence[str] | None:
    """The files that it may be, by a pattern or by what lists them; None where nobody can tell."""
    if place.pattern is not None:
        return context.facts.names(place.pattern.named, "/")
    files = context.facts.found_below(target.resolved, ("*",))
    choice = chosen_by(context, place.by, target)
    if files is None or choice is None:
        return files
    return [file for file in files if choice.may_hold(Sample(name=file.rpartition("/")[2]))]
