"""Words of unknown programs that name something a rule denies.

Of such a program nobody knows which of its words is a path, and what is done to it. A word that is
spelled as a path counts as one that is read; a plain word counts only as far as something of that
name is there, and what stands in the middle of a text may be about it, and may not.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice, pairwise, product
from typing import Final

from assent.gate.call.calls import Target, What
from assent.gate.call.verdicts import Ruling
from assent.gate.programs.code_inputs import takes_code
from assent.gate.programs.command_scopes import CHECKER, INTERPRETER, RUNNER, kind_of, known_of
from assent.gate.programs.excluding_options import excluded
from assent.gate.programs.nested_execution.interpreters import CLIENTS
from assent.gate.programs.nested_execution.passed_on import told_to_run
from assent.gate.programs.nested_execution.wrappers import launched
from assent.gate.rules.book import RuleMatches
from assent.gate.rules.entries import NOTHING, only_perhaps
from assent.gate.rules.environment import strays
from assent.gate.rules.written_rules import Given
from assent.gate.ruling.denied_paths_in_input import ROOT
from assent.gate.ruling.folders import folders_of
from assent.gate.ruling.outside_paths import of_this_machine, outputs_of
from assent.gate.ruling.paths_in_text import pieces_of
from assent.gate.ruling.quoted_commands import takes_all
from assent.gate.ruling.ruling_context import RulingContext, against, all_against
from assent.gate.ruling.wildcards import has_glob
from assent.gate.shell.dialects import SHELLS
from assent.gate.shell.script import START, Command
from assent.gate.text.concatenated_texts import has_pieces, put_together
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

Told = tuple[str, str]
"""A word, and the one before it."""

__all__ = ["WRITERS", "about_input", "denied_anywhere", "deny_by_words", "run_by_words", "telling"]

WRITERS: Final = frozenset({"git", "gh", "glab", "hg", "svn"})
"""Programs whose long words are messages, and no code."""

_ESCAPE: Final = late(r"\\[abefnrtv]")
_TOKENS: Final = late(r"[\w.+-]+")
_GLUED: Final = late(r"-\w{2}")
_CODE: Final = late(r"[\s;|&$`'\"(){}<>\\]")
_TASKS: Final = frozenset(
    """npm pnpm yarn bun deno make gmake just task rake cargo go mvn gradle gradlew dotnet mix
    composer pytest tox nox invoke poe docker podman kubectl helm terraform gh brew apt apt-get
    pip uv""".split()
)
"""Programs whose plain words are names of tasks and things, not of programs."""
_SAYING: Final = frozenset(
    """-m --message --title --body --notes --description -k -t --grep --testNamePattern
    --test-name-pattern --testPathPattern""".split()
)
"""Options of theirs whose value is told to people, or chooses tests by their names."""
_CHOOSING: Final = frozenset("-n --namespace -l --selector --label --filter --name".split())
_TAKING: Final = frozenset(
    "build buildx cp load import template install upgrade lint package gist release".split()
)
"""Commands of theirs whose plain words may be paths."""
_ENV: Final = ".env"
_READS_ENV: Final = late(r"loadEnvFile\(\s*\)|\bdotenv\b.*(?:config|load|values)\w*\(\s*\)")
"""How code reads the file of that name without naming it."""
_LOADS_ENV: Final = {
    "bun": late(
        r"(?:(?<![\w.\-/])|\b(?:process|Bun|import\.meta)(?:\.|\[[\"']))env\b"
        r"(?!\.(?:NODE_ENV|HOME|PATH|CI)\b)"
    )
}
"""Programs that read it by themselves, and how their code says what was in it."""
_CODED: Final = tuple("( < glob Dir opendir".split())
"""Of these one stands in code that looks for files."""
_LISTS: Final = late(
    r"\br?glob(?:Sync)?\b|\bDir\b|(?<![/\w])<[\w./{},~-]{0,40}+[*?][\w./*?{},~-]{0,40}>(?!/)"
)
"""How code looks for files by a pattern; to Perl and Ruby that is a sign."""
_DEEP: Final = late(r"\brglob\b|\*\*|\bfind\b|\bwalk\b")
"""The same, in the folders below as well."""
_ENDS: Final = late(r"(?:ends_?[wW]ith\??\(\s?|suffix\s?==\s?|end_with\?\s?)\(?[\"'](\.\w{1,20})")
_CHANGES: Final = late(
    r"unlink|remove|\brm|delete|write|rename|move|copy|chmod|truncate|touch|inplace|rmtree|mkdir|>"
    r"|[\"'][rbt]?[wax+][bt+]{0,2}[\"']"
)
"""How code changes files, as far as a look can tell."""
_NAMED: Final = late(r"[^*?\[\]{}()!/\\~:]+")
"""A part of a rule that stands in whatever the rule is about."""
_MAX_PATTERNS: Final = 8
_FROM_FILE: Final = frozenset(("-f", "--file"))
"""Options by which a client is given a file with what it asks."""
_NAMED_THERE: Final = frozenset(
    "--stdin --stdin-paths --pathspec-from-file=- --files-from=- --files0-from=-".split()
)
"""Options by which a program reads the files that it is about."""
_WILD: Final = late(r"[*?\[]")
_BEGINS: Final = frozenset("./~@")
"""What a path begins with where it is no plain name."""


@frozen(kw_only=True)
class _Named:
    """What in a word may be a path."""

    piece: str
    text: str
    """The word, or what is put together of it."""
    behind: str
    """The word before it."""

    @property
    def is_path(self) -> bool:
        """Whether it is spelled as one."""
        return "/" in self.piece or "." in self.piece or self.piece[0] in _BEGINS

    @property
    def is_whole(self) -> bool:
        """Whether it is a word, or the value of an option in the same word."""
        return _CODE.search(self.text) is None

    @property
    def is_quoted(self) -> bool:
        """Whether it is a whole literal of a piece of code."""
        return f"'{self.piece}'" in self.text or f'"{self.piece}"' in self.text


def run_by_words(context: RulingContext, command: Command, told: Sequence[Told]) -> RuleMatches:
    """A command that is denied, in the words of a program that may run whatever it is told."""
    words = [text for text, _ in told]
    if command.program in _TASKS:
        # Which of them is run is looked at where any could be meant, or hides behind a letter.
        named = frozenset(_TOKENS.findall(" ".join(words)))
        meant = context.book.roughly(named, context) is not NOTHING or bool(
            command.told_by(context.text)
        )
        seek = meant or any(map(_GLUED.match, words))
        words = [*filter(_CODE.search, words), *(told_to_run(command.argv) if seek else ())]
        if not (words or meant):
            return NOTHING
    text = " ".join(words)
    text = f"{text} {put_together(text)}"
    whole = command.told_by(context.text)
    # What is an escape there ends a word in what the program reads.
    read = f"{whole} {_ESCAPE.sub(' ', whole)} {put_together(whole)}" if whole else ""
    told_all = f"{text} {read}" if read else text
    return only_perhaps(context.book.roughly(frozenset(_TOKENS.findall(told_all)), context))


def deny_by_words(
    context: RulingContext, command: Command, told: Sequence[Told], given: Given
) -> Iterator[RuleMatches]:
    """What rules about paths say of the words and variables of a program that nobody knows."""
    if not context.book.refuses_paths:
        return
    forms = [*told, *_given_in(command, given)]
    # Most often none of them is code.
    if has_pieces("\n".join([text for text, _ in forms])):
        forms = [
            (form, behind)
            for text, behind in forms
            for form in (text, *put_together(text).splitlines())
        ]
    pieces = {piece for form, _ in forms for piece in pieces_of(form) if piece[0] != "-"}
    folders = _folders(context, command)
    refused = {
        piece: found
        for piece in pieces
        if (found := [one for folder in folders for one in _refusing(context, piece, folder)])
    }
    # Most often there is none, and no word has to be weighed.
    for form, behind in forms if refused else ():
        for piece in refused.keys() & pieces_of(form):
            one = _Named(piece=piece, text=form, behind=behind)
            for what, target, it in refused[piece]:
                yield _weighed(context, command, one, what, (target, it))
    yield from _stood_for(context, command, folders)
    # Most commands are no code at all.
    if any(map(context.text.__contains__, _CODED)):
        texts = [command.told_by(context.text), *(text for text, _ in forms)]
        for text in (text for text in texts if _LISTS.search(text) or takes_all(text)):
            yield from _listed_by_code(context, text, folders)
    # Most often no code stands in its words.
    loads = _LOADS_ENV.get(command.program)
    told_of = loads is not None and any(loads.search(text) for text, _ in forms)
    if told_of or (any(map(_reads_env, forms)) and kind_of(command.argv) == INTERPRETER):
        found = [it for folder in folders for it in _refusing(context, _ENV, folder)]
        yield from (only_perhaps(it) for what, _, it in found if what == "read")


def _folders(context: RulingContext, command: Command) -> Sequence[str]:
    """Where its words may be paths from: the folder of the call, and where a `cd` has led."""
    here = context.call.cwd
    if command.ways is START:
        return (here,)
    led = folders_of(context, command, (), whole=False)
    return tuple(dict.fromkeys((here, *(target.resolved for target in led if target is not None))))


def _stood_for(
    context: RulingContext, command: Command, folders: Sequence[str]
) -> Iterator[RuleMatches]:
    """What rules about reading say of each file that a pattern among its words stands for now."""
    globs = [word.text for word in command.argv[1:] if word.glob]
    for text, folder in product(globs, folders):
        names = context.facts.names(text, folder)
        if names is None:
            yield only_perhaps(context.book.below("read", ROOT, context))
        for target in filter(None, (context.located(it, "/") for it in names or ())):
            if not context.facts.enters(target.resolved):
                yield context.book.path("read", target, context)


def _listed_by_code(
    context: RulingContext, text: str, folders: Sequence[str]
) -> Iterator[RuleMatches]:
    """What rules say of each file that code finds by a pattern, as they lie there now."""
    # Code that chooses by an ending takes no others.
    ends = [f"*{it}" for it in _ENDS.findall(text)]
    whole = [*ends, *(f".{end}" for end in ends)] or ["*", ".*"]
    patterns = whole if takes_all(text) else []
    named = sorted(filter(has_glob, pieces_of(text)))
    patterns += [it for it in named if it.strip("*/") or not _DEEP.search(text)][:_MAX_PATTERNS]
    changes = _CHANGES.search(text) is not None
    for pattern, folder in product(patterns, folders):
        found = [context.facts.names(pattern, folder)]
        if _DEEP.search(text):
            last = pattern.rpartition("/")[2]
            found.append(context.facts.found_below(folder, (last,)))
        if None in found:
            yield only_perhaps(context.book.below("read", ROOT, context))
        for file in chain.from_iterable(filter(None, found)):
            refusing = _refusing(context, file, "/")
            yield from (only_perhaps(it) for what, _, it in refusing if changes or what == "read")


def about_input(context: RulingContext, command: Command) -> Iterator[RuleMatches]:
    """A path that is denied, in the code that a program is given to read.

    That may stand anywhere in the text of the call.
    """
    text = command.told_by(context.text)
    fed = text != "" and not command.wraps and context.book.refuses_paths
    texts = [word.text for word in command.argv] if fed else []
    if fed and (command.code or takes_code(texts) or not _NAMED_THERE.isdisjoint(texts)):
        # What is an escape there ends a word in what the program reads.
        more = [piece for line in put_together(text).splitlines() for piece in pieces_of(line)]
        for piece in {*pieces_of(text), *pieces_of(_ESCAPE.sub(" ", text)), *more}:
            found = _refusing(context, piece, context.call.cwd)
            yield from (only_perhaps(it) for _, _, it in found)


def denied_anywhere(context: RulingContext) -> Iterator[Ruling]:
    """What rules say of the paths and hosts that stand in a text that was not read whole."""
    rules = (rule for rule in context.book.rules if rule.tool in {"read", "write", "fetch"})
    about = [rule.about.removeprefix("domain:") for rule in rules]
    folded = context.text.casefold()
    # Most rules have a part that names something, and nearly none of these stands in the text.
    marks = {max(_NAMED.findall(it.casefold()), key=len, default="") for it in about}
    marks -= {mark for mark in marks if mark not in folded}
    pieces = sorted(pieces_of(context.text)) if marks else []
    named = (piece for piece in pieces if any(mark in piece.casefold() for mark in marks))
    for piece in islice(named, 200):
        founds = [it for _, _, it in _refusing(context, piece, context.call.cwd)]
        founds.append(context.book.host(piece.partition("/")[0].casefold(), context))
        yield from all_against(founds)


def telling(command: Command) -> list[Told]:
    """Its words, each with the one before it, without what is only said or chooses by name."""
    texts = [word.text for word in command.argv]
    inner = len(texts) - len(launched(command.argv) or command.argv)
    out = [inner + at for at in excluded(command.argv[inner:])]
    told = [(text, before) for before, text in pairwise(texts)]
    told = [it for at, it in enumerate(told, 1) if at not in out] if out else told
    if _SAYING.isdisjoint(texts[1:]):
        return told
    plain = command.program in WRITERS or command.program in _TASKS
    mute = plain or kind_of(command.argv) == RUNNER or texts[1:3] == ["-m", "pytest"]
    return [it for it in told if not (mute and it[1] in _SAYING)]


def _reads_env(form: tuple[str, str]) -> bool:
    text = form[0]
    # It is asked of each word.
    return ("dotenv" in text or "loadEnv" in text) and _READS_ENV.search(text) is not None


def _given_in(command: Command, given: Given) -> Iterator[tuple[str, str]]:
    """The variables that a program is given and that may say more than how something looks."""
    if not (given and command.argv):
        return iter(())
    return ((value, name) for name in strays(given) if (value := given[name]))


def _refusing(
    context: RulingContext, piece: str, folder: str
) -> Collection[tuple[What, Target, RuleMatches]]:
    """What denies or asks about a piece that is taken for a path."""
    if piece.startswith("-"):
        return ()
    target = context.located(piece, folder)
    if target is None:
        return ()
    look = context.book.path
    read, write = look("read", target, context), look("write", target, context)
    # Each word is asked about, and nearly none is refused.
    if read is write is NOTHING:
        return ()
    founds: dict[What, RuleMatches] = {"read": read, "write": write}
    return [(it, target, found) for it, found in founds.items() if against(found) is not None]


def _weighed(
    context: RulingContext,
    command: Command,
    one: _Named,
    what: What,
    refused: tuple[Target, RuleMatches],
) -> RuleMatches:
    """How far what a rule says of a path holds for a piece that may be that path."""
    target, found = refused
    kind = kind_of(command.argv)
    writes = what == "write" and any(outputs_of(command.argv))
    if what == "write" and not writes and (kind == CHECKER or _is_read(command, one, kind)):
        return NOTHING
    if one.is_path:
        literal = one.is_whole or (kind == INTERPRETER and one.is_quoted)
        sure = literal and (what == "read" or writes)
        return found if sure else only_perhaps(found)
    if _is_a_name(command, one, kind) or _is_module(one):
        return NOTHING
    there = one.piece not in target.resolved or _may_be_there(context, target.resolved)
    return only_perhaps(found) if there or (writes and one.is_whole) else NOTHING


def _is_module(one: _Named) -> bool:
    """Whether it stands in code for a module alone: `import secrets`, `secrets.token_hex()`."""
    name = re.escape(one.piece)
    named = rf"\b(?:import|from)\s+{name}\b|(?<![\w./]){name}\.(?!_)\w"
    return len(re.findall(rf"\b{name}\b", one.text)) == len(re.findall(named, one.text))


def _is_read(command: Command, one: _Named, kind: str) -> bool:
    """Whether a program that is told to write nothing is given a file to read it: its script."""
    if f"@{one.piece}" in one.text or one.text.startswith(f".read {one.piece}"):
        return True
    runs = kind == INTERPRETER or command.program in SHELLS
    asks = CLIENTS.fullmatch(command.program) is not None and one.behind in _FROM_FILE
    # Behind a flag it may be handed to code that stands in that.
    return asks or (runs and [word.text for word in command.argv[1:2]] == [one.text] == [one.piece])


def _is_a_name(command: Command, one: _Named, kind: str) -> bool:
    """Whether a plain word is the name of a task, a test or a thing that lies elsewhere."""
    if not one.is_whole or kind == INTERPRETER:
        return False
    texts = tuple(word.text for word in command.argv)
    behind = one.behind if one.behind.startswith("-") else one.text.partition("=")[0]
    if kind == RUNNER:
        flag = known_of(texts[:3]).scope_flags.get(behind)
        return not behind.startswith("-") or (flag is not None and not flag.escape)
    if command.program in _TASKS and _TAKING.isdisjoint(texts):
        return not behind.startswith("-") or behind in _CHOOSING
    return not of_this_machine(
        command, tuple(word for word in command.argv[1:] if word.text == one.text)
    )


def _may_be_there(context: RulingContext, path: str) -> bool:
    """Whether something lies there now, or nobody can tell."""
    names = None if _WILD.search(path) else context.facts.names(path, "/")
    return names is None or bool(names) or not context.facts.enters(context.call.cwd)
