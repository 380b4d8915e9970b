"""The scope of a prefix rule: which words a rule for a command's first words covers.

Behind the words of such a rule pass operands, and flags that only choose, limit or format. What
runs something, sends the command elsewhere, changes more or widens it is beyond the rule, and so is
a further address, target or file where the rule names one.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Final

from assent.gate.programs.command_scopes import (
    CHECKER,
    INTERPRETER,
    RUNNER,
    command_scopes,
    kind_of,
)
from assent.gate.programs.escapes import Escape
from assent.gate.programs.flag_lexicon import COMMANDS, Meaning, is_name, meaning_of, parts_of
from assent.gate.programs.harmless_values import is_local, is_mild
from assent.gate.programs.negating_flags import taken_back
from assent.gate.programs.nested_execution.passed_on import (
    defined,
    handed_on,
    loaded,
    misplaced,
    parted,
    spoken,
)
from assent.gate.programs.nested_execution.unwrap import WRAPPERS
from assent.gate.programs.nested_execution.wrappers import launched
from assent.gate.programs.options import literal_head
from assent.gate.programs.reports import is_made
from assent.gate.programs.rule_match import SETTING, RuleMatch, matches_elsewhere
from assent.gate.programs.tables import by_name
from assent.gate.programs.tables.addresses import is_away, lies_there
from assent.gate.shell.script import bare_name
from assent.gate.shell.word import Exact, Word, word_of
from assent.gate.text.lazy_patterns import late

__all__ = ["beyond", "means_any_code"]

_ADDRESS: Final = late(r"[a-z][a-z0-9+.-]*://\S+$")
_SERVER: Final = late(r"(?:^|\s)(?:host(?:addr)?|service)\s?=\s?([^\s/]+)")
"""The machine in a text that says which database is meant."""
_HUBS: Final = frozenset(("gh", "glab"))
_COLONS: Final = frozenset(("rsync", "git"))
"""Programs to which a colon ends the name of a host."""
_HOSTED: Final = late(r"[\w-]+(?:\.[\w-]+)+/[\w.-]+/[\w.-]+")
"""A repository with the host that has it."""
_EXPANDING: Final = frozenset(
    """pytest py.test gcc g++ cc c++ clang clang++ ld javac java kotlinc scalac tsc rustc mypy
    dotnet msbuild csc swiftc protoc qpdf pylint flake8 ruff clang-tidy scc""".split()
)
"""Programs that read more of their words from a file that is named behind an `@`."""
_HEADS: Final = ("", "-", "--")
"""The beginnings of words that may become any flag."""
_LONG: Final = late(r"--[A-Za-z][^\s'\"`|;&(){}<>$]*")
_READS: Final = late(
    r"(?:^|[;&(`\n{!]|\|\||\b(?:then|do|else|time|command|env|exec|builtin)\s|(?<!\w)\w+=\S{0,499}\s)"
    r"[^\S\n]*+\\?(?:/[\w/.-]*/)?(?:cat|tac|head|tail|cut|sed|g?awk|jq|yq|sort|uniq|[ef]?grep|rg|tr"
    r"|nl|paste|rev|base64|column|strings|shuf|fold|expand|comm|bat|tee|diff|od|xxd"
    r"|git\s+(?:show|cat-file|blame))(?![\w-])"
    r"|\|[^\S\n]*+cat\s+[\w./]|\b(?:xargs|-exec(?:dir)?)\s+(?:-\S+\s+){0,6}+(?:cat|head|tail|sed|awk)\b"
    r"|(?<!<)<(?!<)[^\S\n]*+(?![<(&])"
)
"""How a text reads a file, as far as it is told by how it is spelled."""
_VARIABLE: Final = late(r"\$\{?[!#]?([A-Za-z_]\w*|[\d@*])")
_MAX_VALUE_LETTERS: Final = 2_000
"""So many letters of what a variable is given are looked at."""
_MAX_FLAGS_TRIED: Final = 32
"""So many flags of a text are tried in the place of a word that is not known."""
_MIN_ABBREVIATION_LETTERS: Final = 4
"""With fewer letters, dashes included, nothing abbreviates a flag that a scope names."""
_SELECTS: Final = frozenset(
    "-n --namespace -connect -f --filename -d --dbname --database -U -u --user --profile --project"
    " --context --region --account --bucket --cluster".split()
)
"""Flags that say what a command is about: a rule with one means no other value of it."""
_HOLDS_BACK: Final = frozenset(("--dry-run", "--check", "--mode"))
"""Flags by which it does less: of several the last one counts."""


def beyond(
    rule: Sequence[str], argv: Sequence[Word], escapes: Sequence[str] = (), *, text: str = ""
) -> str | None:
    """What in a command is more than a rule for these first words means, as a clause, or None.

    `escapes` are what the program's own row says that its flags do more, and `text` the whole that
    the command stands in: where a word is not known, a flag that is written there may be in it.

    >>> words = [Exact(text=it) for it in "kubectl get pods --server=https://x.org".split()]
    >>> beyond(("kubectl", "get"), words)
    '`--server` sends it elsewhere than the rule says'
    >>> beyond(("kubectl", "get"), words[:3]) is None
    True
    """
    if len(argv) == len(rule) and not escapes:
        return None
    found = (
        why
        for words in _chosen(argv)
        for both in (RuleMatch.of(rule, words), *matches_elsewhere(rule, words))
        if (why := _beyond(both, escapes))
    )
    return next(found, None) or _in_a_file(rule, argv) or _opened(rule, argv, text)


def means_any_code(rule: Sequence[str], argv: Sequence[Word]) -> bool:
    """Whether a rule lets an interpreter run whatever its words say, so that its input may.

    >>> words = [Exact(text=it) for it in "python3 -".split()]
    >>> means_any_code(("python3",), words), means_any_code(("python3", "run.py"), words)
    (True, False)
    """
    inner = launched(argv)
    if inner and len(inner) == len(argv) - len(rule):
        # What a project's runner starts, a rule for that runner may mean with any words.
        return kind_of(inner) == INTERPRETER
    both = RuleMatch.of(rule, argv)
    return both.known.kind == INTERPRETER and both.any_words and not both.rule_words


def _in_a_file(rule: Sequence[str], argv: Sequence[Word]) -> str | None:
    """A file of further words, in which any flag may stand."""
    files = [at for at, word in enumerate(argv) if word.text[:1] == "@" and word.text not in rule]
    if not files:
        return None
    reading = (at for at, word in enumerate(argv) if bare_name(word.text) in _EXPANDING)
    first = next(reading, len(argv))
    file = next((argv[at].text for at in files if at >= first), None)
    return None if file is None else f"`{file}` may hold any flag"


def _opened(rule: Sequence[str], argv: Sequence[Word], text: str) -> str | None:
    """What unknown words may become: any flag, where they are a file's, or one of the text."""
    unknown = [word for word in argv[1:] if not (word.known or word.listed or word.choices)]
    if not unknown:
        return None
    heads = {id(word): head for word in unknown if (head := literal_head(word)) in _HEADS}
    begun = next((word for word in unknown if heads.get(id(word))), None)
    if begun is not None:
        return f"`{begun.text}` may become any flag"
    if not heads:
        return None
    both = RuleMatch.of(rule, argv)
    free = [
        operand
        for operand in both.command_flags.operands
        if operand not in both.command_flags.marked
    ]
    ends = {id(word) for word in (*free, *both.after_dashes)}
    # What stands for a value ends where the shell splits it.
    loose = (word for word in unknown if id(word) in heads and (word.several or id(word) in ends))
    word = next((word for word in loose if _is_of_file(word, text)), None)
    if word is not None:
        return f"`{word.text}` may become any flag"
    return _with_flags(
        rule, argv, {id(operand) for operand in both.command_flags.operands} & heads.keys(), text
    )


def _is_of_file(word: Word, text: str) -> bool:
    """Whether a word that is not known may be one of a file's, by the text that it stands in.

    What comes from a program that lists its own is as it was; a variable that is set nowhere here
    is the person's.
    """
    if "$(" in word.text or "`" in word.text:
        return _READS.search(word.text) is not None
    variable = _VARIABLE.search(word.text)
    if variable is None or not variable[1][0].isidentifier():
        return _READS.search(text) is not None
    name = re.escape(variable[1])
    if re.search(
        rf"\b(?:read|mapfile|readarray)\s(?:[^;&|\n]{{0,99}}?\b{name}\b|[^;&|\n]{{100}})", text
    ):
        return _READS.search(text) is not None
    given = [*re.finditer(rf"(?<![\w$]){name}\+?=|\bfor\s+{name}\s+in\b", text)]
    found = [_substituted(text[match.end() :]) for match in given[:_MAX_FLAGS_TRIED]]
    too_long = len(given) > _MAX_FLAGS_TRIED or any(len(it) == _MAX_VALUE_LETTERS for it in found)
    return too_long or any(map(_READS.search, found))


def _substituted(text: str) -> str:
    """What stands at the beginning of a text up to the end of the substitutions in it.

    >>> _substituted("$(cat a | sort -u); head b")
    '$(cat a | sort -u)'
    """
    depth = 0
    text = text[:_MAX_VALUE_LETTERS]
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth < 0 or (depth == 0 and letter in ";&\n"):
            return text[:at]
    return text


def _with_flags(
    rule: Sequence[str], argv: Sequence[Word], places: Collection[int], text: str
) -> str | None:
    """What goes beyond the rule where a flag of the text stands in the place of some words."""
    given = {word.text for word in argv}
    flags = [it for it in dict.fromkeys(_LONG.findall(text)) if it not in given] if places else []
    with_it = (
        RuleMatch.of(rule, [Exact(text=flag) if id(word) in places else word for word in argv])
        for flag in flags[:_MAX_FLAGS_TRIED]
    )
    return next((why for rule_match in with_it if (why := _beyond(rule_match, ()))), None)


def _chosen(argv: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """The command, once for each of the texts that its words may be."""
    most = max((len(word.choices) for word in argv), default=0)
    if not most:
        yield argv
    for at in range(most):
        yield [
            Exact(text=word.choices[min(at, len(word.choices) - 1)]) if word.choices else word
            for word in argv
        ]


def _beyond(both: RuleMatch, escapes: Sequence[str]) -> str | None:
    """What goes beyond, the first thing found."""
    told = next((escape for escape in escapes if not _is_meant(both, escape)), None)
    told = told or _command(both) or taken_back(both)
    if told is not None or both.any_words:
        return told
    said = (_by_scope, _by_form, _by_name, defined, spoken, _again, _operand, loaded, handed_on)
    return next((why for it in said if (why := it(both))), None)


def _command(both: RuleMatch) -> str | None:
    """A command of a program that does more than one means who names the program alone."""
    told = ((key, why) for key, why in both.known.escapes if key.split()[-1] not in both.rule)
    said = next((f"`{key}` {why}" for key, why in told), None)
    first = "".join(operand.text for operand in both.command_flags.operands[:1])
    if said or both.any_words or first in both.rule or _is_known(both.program):
        return said
    return f"`{first}` {Meaning.RUNS}" if COMMANDS & {*parts_of(first)[-1:]} else None


def _is_known(program: str) -> bool:
    return program in by_name() or program in command_scopes() or program in WRAPPERS


def _is_meant(both: RuleMatch, escape: str) -> bool:
    """Whether a rule means the flag of an escape: it names it, or a scope calls it harmless."""
    name = escape.partition(" ")[0].strip("`")
    own = both.known.scope_flags.get(name)
    named = name in both.rule or name in both.rule_flags.found
    return named or (own is not None and not own.escape)


def _by_scope(both: RuleMatch) -> str | None:
    """A flag that the program's scope says more of."""
    for name in both.command_flags.found:
        flag = both.known.scope_flags.get(name)
        if flag is None or not flag.escape or name in both.rule_flags.found:
            continue
        if not _is_spelled(both, name):
            continue
        values: list[Word | None] = [word for of, word in both.command_flags.values if of == name]
        if all(is_mild(name, word, flag, near=not both.fixed_target) for word in values or [None]):
            continue
        if not (both.names_only_program and _writes(flag.escape)):
            return f"`{both.known.spelled(name)}` {flag.escape.partition(' ')[2]}"
    return None


def _by_form(both: RuleMatch) -> str | None:
    """A file that is named behind the form of a report, and is none (`text:README.md`)."""
    for name, value in both.command_flags.values:
        flag = both.known.scope_flags.get(name)
        forms = value.text.split(",") if flag and flag.escape.endswith(Escape.RUNS_FILTER) else ()
        if not all(is_made(file) for form in forms if (file := form.partition(":")[2])):
            return f"`{name}` {Escape.OVERWRITES_NON_OUTPUT}"
    return None


def _is_spelled(both: RuleMatch, name: str) -> bool:
    """Whether a flag is spelled out, or abbreviated by more than a few letters."""
    if not name.startswith("--"):
        return True
    spelled = [word.text.partition("=")[0] for word in both.words]
    return name in spelled or any(
        name.startswith(it) and len(it) >= _MIN_ABBREVIATION_LETTERS for it in spelled
    )


def _by_name(both: RuleMatch) -> str | None:
    """A flag that nothing is known of, by what its name means."""
    for word in both.command_flags.strangers:
        name, glued, _ = parted(word.text)
        meaning = _meaning(both, name, _value_of(both.words, word), glued=bool(glued))
        if meaning is not None and not _is_named(both, word):
            return f"`{both.known.spelled(name)}` {meaning}"
    return None


def _meaning(both: RuleMatch, name: str, value: Word | None, *, glued: bool) -> Meaning | None:
    if value is not None and misplaced(both, name, value.text, glued=glued):
        return Meaning.WRITES
    meaning = meaning_of(name.partition(":")[0]) if is_name(name) else None
    if meaning is None and value is not None and any(map(_ADDRESS.match, value.text.split(","))):
        meaning = Meaning.STEERS
    kind = both.known.kind
    if meaning is None or is_mild(name, value, meaning, near=kind in {CHECKER, RUNNER}):
        return None
    usual = meaning in {Meaning.WRITES, Meaning.WIDENS} and "dangerously" not in name
    if kind == RUNNER and (usual or "host" in name):
        return None
    here = not both.rule_words and value is not None and is_local(value.text)
    if value is not None and not (value.texts or value.listed):
        # Where that lies nobody knows yet.
        return meaning
    if (both.names_only_program or here) and meaning is Meaning.WRITES:
        return None
    return meaning


def _value_of(words: Sequence[Word], word: Word) -> Word | None:
    _, glued, value = parted(word.text)
    if glued:
        return word_of(value, known=word.known)
    at = next(at for at, it in enumerate(words) if it is word)
    following = words[at + 1 : at + 2]
    return following[0] if following and following[0].text[:1] != "-" else None


def _is_named(both: RuleMatch, word: Word) -> bool:
    """Whether the rule names this flag, with this value or with any."""
    name = word.text.partition("=")[0]
    values = {
        _text(_value_of(both.rule_words, stranger))
        for stranger in both.rule_flags.strangers
        if _is(stranger, name)
    }
    return None in values or _text(_value_of(both.words, word)) in values


def _is(word: Word, name: str) -> bool:
    return word.text.partition("=")[0] == name


def _text(word: Word | None) -> str | None:
    return word.text if word is not None else None


def _again(both: RuleMatch) -> str | None:
    """A flag whose value is another than in the rule."""
    for name, value in both.rule_flags.values:
        flag = both.known.scope_flags.get(name)
        weighs = name in _SELECTS or name in _HOLDS_BACK or (flag is not None and flag.escape)
        if not (weighs or meaning_of(name)):
            continue
        others = [
            word for of, word in both.command_flags.values if of == name and word.text != value.text
        ]
        if others:
            return f"`{both.known.spelled(name)}` is another than it names"
    namespace = {"-n", "--namespace"} & {*both.rule_flags.found}
    every = {"-A", "--all-namespaces"} & {
        *both.command_flags.found,
        *(stranger.text for stranger in both.command_flags.strangers),
    }
    if namespace and every:
        return f"`{min(every)}` {Meaning.WIDENS}"
    return None


def _operand(both: RuleMatch) -> str | None:
    """An operand beyond those that the rule names, where these are all that it means."""
    hub = "--repo" if both.program in _HUBS else "--host"
    host = both.known.scope_flags.get(hub)
    named = [*both.command_flags.operands]
    # What else such a program is given is text for people, and may name any address.
    named += [] if hub == "--repo" else [word for _, word in both.command_flags.values]
    for word in chain(*map(_parted, named)) if host is not None and host.escape else ():
        if word in both.command_flags.marked:
            continue
        server = _SERVER.search(word.text)
        if server and not is_mild("--host", Exact(text=server[1]), Meaning.STEERS, near=False):
            return f"`{server[0].strip()}` {Meaning.STEERS}"
        if _lies_away(both, word) and not is_mild(hub, word, Meaning.STEERS, near=False):
            return f"`{word.text}` {Meaning.STEERS}"
    if not both.max_operands:
        return None
    given = {
        id(value)
        for stranger in both.command_flags.strangers
        if (value := _value_of(both.words, stranger))
    }
    rest = both.command_flags.operands[both.max_operands if both.rule_flags.operands else 0 :]
    for word in rest:
        taken = id(word) in given and "://" not in word.text
        if not (taken or word.text.isdigit() or SETTING.fullmatch(word.text)):
            return f"`{word.text}` is more than it names"
    return None


def _parted(word: Word) -> Sequence[Word]:
    """A value as it is, and each address that stands in it behind a sign."""
    if "://" not in word.text or not word.known:
        return (word,)
    pieces = word.text.removeprefix("=").split(",")
    return (word, *(Exact(text=piece) for piece in pieces if piece != word.text))


def _lies_away(both: RuleMatch, word: Word) -> bool:
    if both.program in _HUBS and both.command_flags.operands[0].text == "repo":
        return is_away(word.text) or _HOSTED.fullmatch(word.text) is not None
    if is_away(word.text) or both.program not in _COLONS:
        return is_away(word.text)
    # To git only what stands first is a repository: behind it a colon parts two branches.
    first = both.command_flags.operands[both.known.name_words - 1 :][: both.program == "git"]
    values = any(it is word for _, it in both.command_flags.values)
    return lies_there(word) and (not first or values or first[0] is word)


def _writes(escape: str) -> bool:
    return escape.endswith((Escape.WRITES, Escape.DELETES))
