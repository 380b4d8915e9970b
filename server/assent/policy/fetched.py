"""Code that comes from elsewhere while a call runs, so that nobody has read what is run here.

`curl … | python3`, `node -e "$(curl …)"`, `wget …/x.py; python3 x.py`, `deno run https://…`: a
shell that is given such a text cannot be read, and an interpreter of another language is no other
thing, nor is a program that does what a script in its own language says (`awk "$(curl …)"`).
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from assent.bash.script import DECLARES, Command
from assent.bash.word import Word
from assent.policy.fetched_trees import builds_fetched, name_of
from assent.policy.findings import Judged
from assent.policy.matter import Matter, asked
from assent.policy.written_code import OF_SCRIPT, SUBCOMMANDS, has_language, programs_in
from assent.programs.codes import ELSEWHERE, SCRIPTED
from assent.programs.deeds import Kind
from assent.programs.inputs import is_interpreter, says_unknown, takes_code
from assent.programs.options import literal_head
from assent.programs.wrapping import WRAPPERS
from assent.text.patterns import late
from assent.values import evolve
from assent.verdicts import Ruling

__all__ = ["fetched_code"]

_FETCHED: Final = evolve(
    asked("What this program runs is fetched, and nobody has read it."),
    grave="Runs what comes from another machine.",
)
_FETCHES: Final = late(
    r"urlopen\s*\(|urlretrieve|\bget\s*\(\s*['\"]https?:|(?:requests|httpx|https?)\.get\s*\("
    r"|\bfetch\s*\("
    r"|Net::HTTP|open-uri|URI\.open|LWP::|HTTP::Tiny|file_get_contents\s*\(\s*['\"]https?:"
    r"|include\s*\(?\s*['\"]https?:"
)
_EXECUTES: Final = late(
    r"(?<![.\w])(?:exec|eval|execfile|runpy\.run_path|Function|system|passthru|shell_exec)\s*\("
    r"|\beval\b|os\.(?:system|popen|exec)|subprocess|child_process|vm\.run|instance_eval"
    r"|include\s*\(?\s*['\"]https?:"
)
"""How code in the words of an interpreter gets something from elsewhere, and runs it."""
_UNKNOWN: Final = asked("What this program runs is only known when it runs.")

_ADDRESS: Final = late(
    r"(?:git\+)?(?:https?|ssh|git)://\S+|git@\S+|(?:github|gitlab|bitbucket|gist):\S+"
)
_BRINGS: Final = frozenset(
    "deno bun bunx k6 uv uvx pipx npx npm pnpm yarn jbang scala-cli nix-shell".split()
)
"""Programs that run what lies at an address which is the first that they are told."""
_SCRIPTS: Final = late(SCRIPTED)
_POURS: Final = frozenset(("tee", "sponge"))
_HOLDS: Final = DECLARES | {"read", "mapfile", "readarray", "printf"}
"""The builtins that put what they are given into variables."""
_NAMES: Final = late(r"\b[A-Za-z_]\w*(?==)|(?<=\s)[A-Za-z_]\w*(?=\s|$)")
_VALUES: Final = late(r"\$\{?[!#]?(\w+)")


def fetched_code(matter: Matter, judged: Sequence[Judged], text: str) -> Iterator[Ruling]:
    """What is asked about programs that run what another command of the text brings, or itself."""
    bringing = [it for it in judged if it.command is not None and it.deeds.hosts]
    sources = [it.command for it in bringing if it.command is not None]
    brought = _brought(bringing, judged, text) if bringing else set[str]()
    if bringing and builds_fetched(matter, judged, brought):
        yield _FETCHED
    for command in (it.command for it in judged):
        if command is None:
            continue
        runs = brought and not brought.isdisjoint(programs_in(command))
        interprets = is_interpreter(command)
        itself = _is_at_address(command) or (interprets and _fetches_itself(command, text))
        how = _is_run if interprets else _is_script
        if runs or itself or (sources and any(how(it, command) for it in sources)):
            yield _FETCHED
        elif interprets and says_unknown(command):
            yield _UNKNOWN


def _brought(bringing: Sequence[Judged], judged: Sequence[Judged], text: str) -> set[str]:
    """The names of the files that what is fetched comes to lie in."""
    kept = {it for one in bringing for it in _kept_by(one, judged)}
    return _handed_on(kept | {*_poured(bringing, judged, text)}, judged)


def _kept_by(one: Judged, judged: Sequence[Judged]) -> Iterator[str]:
    """The names of the files into which it puts what it fetches, or another that reads from it."""
    line = one.command.aside if one.command is not None else 0
    for it in judged:
        # What is redirected as a whole stands around it, and has no words of its own.
        command = it.command
        around = command is not None and not command.argv and it.start > one.start
        beside = command is not None and command.aside == line != 0
        for place in it.places if it is one or around or beside else ():
            if place.kind is Kind.WRITE and place.target is not None:
                yield name_of(place)


def _poured(bringing: Sequence[Judged], judged: Sequence[Judged], text: str) -> Iterator[str]:
    """The names of the files that are written out of words with what is fetched in them."""
    around = [it for one in bringing for it in _around(one, judged)]
    held = {
        name
        for it in around
        if it.command is not None and (not it.command.argv or it.command.name in _HOLDS)
        for name in _NAMES.findall(text[it.start : it.end])
    }
    for it in judged:
        words = text[it.start : it.end]
        if it in around or not held.isdisjoint(_VALUES.findall(words)):
            pours = it.command is not None and it.command.program in _POURS
            written = (at for at in it.places if at.kind is Kind.WRITE)
            yield from (name_of(at) for at in written if at.redirect or pours)


def _around(inner: Judged, judged: Sequence[Judged]) -> Iterator[Judged]:
    """The commands that have another in their words, or in the text that they are given."""
    depth = inner.command.depth if inner.command is not None else 0
    before = [
        it
        for it in judged
        if it.command is not None and it.command.depth < depth and it.start <= inner.start
    ]
    fed = [it for it in before[-1:] if it.command is not None and it.command.fed]
    yield from fed
    yield from (it for it in before if inner.start < it.end and it not in fed)


def _handed_on(brought: set[str], judged: Sequence[Judged]) -> set[str]:
    """The same with the files into which others put what they read from these."""
    for it in judged:
        read = {name_of(place) for place in it.places if place.kind is not Kind.WRITE}
        if not brought.isdisjoint(read):
            brought |= {name_of(place) for place in it.places if place.kind is Kind.WRITE}
    return brought - {""}


def _fetches_itself(command: Command, whole: str) -> bool:
    """Whether code in the words of an interpreter, or in its input, runs what it fetches."""
    texts = [*(it.text for it in command.argv[1:]), *filter(None, [command.told_by(whole)])]
    return any(_FETCHES.search(it) and _EXECUTES.search(it) for it in texts)


def _is_run(source: Command, command: Command) -> bool:
    """Whether a program may run what another command fetches: as its input, or out of its words."""
    within = command.depth < source.depth and command.start <= source.start < command.end
    if within and says_unknown(command):
        return True
    piped = command.fed and source.aside == command.aside != 0 and source.start < command.start
    return (piped or within) and takes_code([it.text for it in command.argv])


def _is_script(source: Command, command: Command) -> bool:
    """Whether a program with a language of its own does what another command fetches."""
    name = command.program
    scripted = _SCRIPTS.fullmatch(name) is not None
    if name in WRAPPERS or not has_language(name):
        return False
    if _is_run(source, command):
        return True
    within = command.depth < source.depth and command.start <= source.start < command.end
    pairs = [*pairwise(command.argv)]
    said = any(OF_SCRIPT.fullmatch(it.text) and "<(" in word.text for it, word in pairs)
    return within and (said or (scripted and any(_is_lost(word) for _, word in pairs[:1])))


def _is_lost(word: Word) -> bool:
    return not word.known and not literal_head(word)


def _is_at_address(command: Command) -> bool:
    """Whether what it runs is named by where it lies on another machine."""
    if command.program in ELSEWHERE:
        # A container is built by what lies there.
        rest = [it.text for it in command.argv[1:]]
        return "build" in rest[:2] and any(map(_ADDRESS.fullmatch, rest))
    if command.program not in _BRINGS:
        return False
    words = (it.text.removeprefix("--from=") for it in command.argv)
    told = ((at, it) for at, it in pairwise(words) if it[:1] != "-" and it not in SUBCOMMANDS)
    flag, first = next(told, ("", ""))
    # What `uv` is told behind a flag is where packages come from.
    valued = command.program == "uv" and flag[:1] == "-"
    return not valued and _ADDRESS.fullmatch(first) is not None
