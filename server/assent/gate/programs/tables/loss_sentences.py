"""Losses that need more than one sentence: what is overwritten, dropped, or ended."""

import re
from collections.abc import Iterator
from typing import Final

from assent.gate.programs.irreversible_losses import ToolWords, losses_of, names_of, quoted
from assent.gate.shell.word import Exact, Unknown, Word
from assent.gate.text.lazy_patterns import late

__all__ = [
    "tell_checkout",
    "tell_chmod",
    "tell_cluster",
    "tell_collected",
    "tell_gh",
    "tell_inner",
    "tell_killed",
    "tell_module",
    "tell_pushed",
    "tell_query",
    "tell_reset",
    "tell_restored",
    "tell_scaled",
]

_PLAIN: Final = late(r"[\w./-]+")
_BRANCHES: Final = "refs/heads/"
_FILE: Final = late(r"[./:]|(?:[^/]+/)*[^/]+\.[A-Za-z]\w{0,4}\Z")
"""An operand of `checkout` that is surely a file and no branch."""
_NOW: Final = frozenset(("now", "all", "0"))
_DROPS: Final = late(
    r"(?i)\bdrop\s+(table|database|schema|user|role|keyspace|collection|materialized view)"
    r"\s+(?:if\s+exists\s+)?([\w.\"`\[\]]+)"
)
_EMPTIES: Final = late(r"(?i)\btruncate\s+(?:table\s+)?(?:only\s+)?([\w.\"`\[\]]+)")
_ALTERS: Final = late(
    r"(?i)\balter\s+table\s+([\w.\"`\[\]]+)\s+drop\s+(?!constraint|index|default|primary)"
)
_UNBOUND: Final = r"(?![^;]*\bwhere\b(?!\s+(?:true|1\s*=\s*1|1)\s*(?:[;\"'\n]|\Z)))"
"""No `where` follows, or one that is always true: every row is meant."""
_DELETES: Final = late(r"(?i)\bdelete\s+from\s+(?:only\s+)?([\w.\"`\[\]]+)" + _UNBOUND)
_UPDATES: Final = late(r"(?i)\bupdate\s+([\w.\"`\[\]]+)\s+set\b" + _UNBOUND)
_FLUSHES: Final = late(
    r"(?i)\bflush(?:all|db)\b|\bdropDatabase\s*\(|\.drop\s*\(\s*\)"
    r"|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*\)"
)
_TEXTS: Final = late(r"'(?:[^']|'')*'")
_REMARKS: Final = late(r"(?m)(?:^|\s)--\s.*$")
"""Comments of a query."""
_EVERYBODY: Final = late(r"[0-7]*[2367]|.*[oa][^,]*[+=][^,]*w.*")
_SETS: Final = late(r"[0-7]{3,5}|[ugoa]*=.*")
_SCRIPTS: Final = frozenset(("manage.py", "artisan"))


def tell_pushed(tool_words: ToolWords) -> str | None:
    """What a push overwrites or deletes, and where.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("git push --force-with-lease origin main"))
    ('Overwrites `main` on origin, unless somebody has pushed since.',)
    >>> losses_of(words_of("git push origin :old"))
    ('Deletes `old` on origin.',)
    """
    given = tool_words.sorted_
    where, *specs = [*tool_words.rest] or [given.found.get("--repo") or Exact(text="")]
    # Of words that are all of one list nobody knows which one is the remote.
    listed = bool(where.choices) and where in specs
    untold = listed or not where.texts
    if listed or where.several:
        specs = [*(spec for spec in specs if spec != where), Unknown(text=where.text)]
    on = "on a remote that is only known when it runs" if untold else f"on {_remote(where)}"
    return " ".join(_pushed(tool_words, specs, on)) or None


def _remote(where: Word) -> str:
    if where.text == "":
        return "the remote"
    return where.text if _PLAIN.fullmatch(where.text) and where.known else names_of([where])


def _pushed(tool_words: ToolWords, specs: list[Word], on: str) -> Iterator[str]:
    given = tool_words.sorted_
    if given.has("--mirror"):
        yield f"Overwrites everything {on}: what is not here is deleted there."
        return
    gone = [spec for spec in specs if given.has("-d --delete") or re.match(r"\+?:.", spec.text)]
    if gone:
        yield f"Deletes {_branches(gone)} {on}."
    if given.has("--prune"):
        yield f"Deletes branches {on} that are not here."
    forced = [spec for spec in specs if spec not in gone and spec.text.startswith("+")]
    if given.has("-f --force --force-with-lease"):
        forced = [spec for spec in specs if spec not in gone]
        leased = not (given.has("-f --force") or any(spec.text[:1] == "+" for spec in specs))
        unless = ", unless somebody has pushed since" if leased else ""
        if forced or not gone:
            whole = "every branch" if given.has("--all --branches") else "the current branch"
            whole = "tags" if given.has("--tags") and not given.has("--all") else whole
            yield f"Overwrites {_branches(forced) or whole} {on}{unless}."
    elif forced:
        yield f"Overwrites {_branches(forced)} {on}."


def _branches(specs: list[Word]) -> str:
    """What references are called on the other side."""
    given = [text for spec in specs for text in spec.texts]
    texts = [it.lstrip("+").rpartition(":")[2].removeprefix(_BRANCHES) for it in given]
    named = [Exact(text=it) for it in dict.fromkeys(texts) if it not in ("HEAD", "@")]
    own = ["the current branch"] if any(text in ("HEAD", "@") for text in texts) else []
    others = [] if all(spec.texts for spec in specs) else ["some branches"]
    return " and ".join(filter(None, (*own, names_of(named), *others)))


def tell_reset(tool_words: ToolWords) -> str:
    """What a hard reset throws away.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("git reset --hard HEAD~2"))
    ('Throws away all changes that are not committed, and the commits that are not in `HEAD~2`.',)
    """
    lost = "Throws away all changes that are not committed"
    to = [word for word in tool_words.rest if word.text != "HEAD"]
    return f"{lost}, and the commits that are not in {names_of(to)}." if to else f"{lost}."


def tell_checkout(tool_words: ToolWords) -> str | None:
    """What is thrown away where files are restored, or a branch is switched by force.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("git checkout -- src"))
    ('Throws away changes in `src` that are not committed.',)
    >>> losses_of(words_of("git checkout main"))
    ()
    """
    if tool_words.sorted_.has("-f --force"):
        return "Throws away all changes that are not committed."
    marked = tool_words.sorted_.marked
    paths = marked or [word for word in tool_words.rest if _FILE.match(word.text)]
    return _brought_back(paths) if paths else None


def tell_restored(tool_words: ToolWords) -> str | None:
    """What is thrown away where files are restored.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("git restore src"))
    ('Throws away changes in `src` that are not committed.',)
    >>> losses_of(words_of("git restore --staged src"))
    ()
    """
    given = tool_words.sorted_
    if given.has("-S --staged") and not given.has("-W --worktree"):
        return None
    return _brought_back(list(tool_words.rest))


def _brought_back(paths: list[Word]) -> str:
    named = names_of(paths)
    return f"Throws away changes in {named or 'files'} that are not committed."


def tell_collected(tool_words: ToolWords) -> str | None:
    """What is lost where git removes at once what no branch has.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("git gc --prune=now"))
    ('Removes for good what no branch has, such as dropped stashes and commits.',)
    >>> losses_of(words_of("git gc"))
    ()
    """
    until = tool_words.sorted_.found.get("--prune")
    if tool_words.name == "gc" and (until is None or until.text.partition(".")[0] not in _NOW):
        return None
    return "Removes for good what no branch has, such as dropped stashes and commits."


def tell_cluster(tool_words: ToolWords) -> str:
    """What is taken out of a cluster.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("kubectl delete pod web -n shop"))
    ('Deletes `pod web` from the cluster (namespace `shop`).',)
    """
    words = [word for word in tool_words.rest if "…" not in word.text]
    files = tool_words.sorted_.value("-f --filename")
    what = quoted(" ".join(word.text for word in words)) if words else ""
    what = f"all {what}" if tool_words.sorted_.has("--all") else what
    if files is not None:
        what = f"what {names_of([files])} describes"
    where = tool_words.sorted_.value("-n --namespace")
    of = f" (namespace {names_of([where])})" if where is not None else ""
    of = " (all namespaces)" if tool_words.sorted_.has("-A --all-namespaces") else of
    return f"Deletes {what or 'what it selects'} from the cluster{of}."


def tell_scaled(tool_words: ToolWords) -> str | None:
    """What is stopped by being scaled to no copy at all.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("kubectl scale deploy/web --replicas=0"))
    ('Stops `deploy/web` in the cluster: no copy is left.',)
    >>> losses_of(words_of("kubectl scale deploy/web --replicas=2"))
    ()
    """
    count = tool_words.sorted_.found.get("--replicas")
    if count is None or count.text != "0":
        return None
    what = " ".join(word.text for word in tool_words.rest)
    return f"Stops {quoted(what) if what else 'it'} in the cluster: no copy is left."


def tell_gh(tool_words: ToolWords) -> str | None:
    """What a plain DELETE request deletes.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("gh api -X DELETE repos/me/app"))
    ('Deletes `repos/me/app` on the server, for good.',)
    """
    method = next(
        (word for flag, word in tool_words.sorted_.values if flag in ("-X", "--method")), None
    )
    if method is None or method.text.upper() != "DELETE":
        return None
    return f"Deletes {names_of(tool_words.rest[:1]) or 'something'} on the server, for good."


def tell_query(tool_words: ToolWords) -> str | None:
    """What a database is told to drop or to empty.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("psql -c 'delete from users'"))
    ('Deletes every row of `users`.',)
    >>> losses_of(words_of("psql -c 'delete from users where id = 1'"))
    ()
    """
    if any(":memory:" in word.text for word in tool_words.words):
        return None
    said = _TEXTS.sub("''", "\n".join(word.text for word in tool_words.words))
    # What another command writes for it may stand in quotes of the shell.
    text = _REMARKS.sub("", f"{said}\n{tool_words.fed}")
    if tool_words.name in ("redis-cli", "valkey-cli", "mongo", "mongosh"):
        return "Deletes all data there." if _FLUSHES.search(text) else None
    return " ".join(dict.fromkeys(_lost_by(text))) or None


def _lost_by(query: str) -> Iterator[str]:
    if (match := _DROPS.search(query)) is not None:
        yield f"Drops the {match[1].lower()} {quoted(match[2])} with all that is in it."
    for pattern, says in _ORDERS:
        if (match := pattern.search(query)) is not None:
            yield says.format(quoted(match[1]))


_ORDERS: Final = (
    (_EMPTIES, "Empties the table {}."),
    (_DELETES, "Deletes every row of {}."),
    (_ALTERS, "Drops a column of {} with all that is in it."),
    (_UPDATES, "Changes every row of {}."),
)


def tell_chmod(tool_words: ToolWords) -> str | None:
    """Which permissions are all set to the same, so that nobody knows what they were.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("chmod -R 640 src"))
    ('Sets the permissions of everything in `src`; what they were is kept nowhere.',)
    >>> losses_of(words_of("chmod -R u+x src"))
    ()
    """
    mode = "".join(operand.text for operand in tool_words.sorted_.operands[:1])
    paths = names_of(tool_words.sorted_.operands[1:])
    if not (_SETS.fullmatch(mode) or _EVERYBODY.fullmatch(mode)):
        return None
    everybody = ", so that everybody may write to it" if _EVERYBODY.fullmatch(mode) else ""
    what = f"Sets the permissions of everything in {paths or 'it'}{everybody}"
    return f"{what}; what they were is kept nowhere."


def tell_killed(tool_words: ToolWords) -> str | None:
    """Whose programs are all ended at once.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("pkill -u me"))
    ('Ends every program of the user `me`.',)
    """
    texts = [word.text for word in tool_words.words]
    if tool_words.name == "kill":
        is_all = len(texts) > 1 and "-1" in texts[1:]
        return "Ends every program of yours, this editor too." if is_all else None
    return f"Ends every program of the user {names_of(_users(tool_words)) or 'named'}."


def _users(tool_words: ToolWords) -> list[Word]:
    return tool_words.sorted_.of("-u -U --user --euid")


def tell_inner(tool_words: ToolWords) -> str | None:
    """What is lost by a command that runs in one of the project's containers.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("docker-compose exec db psql -c 'drop table users'"))
    ('Drops the table `users` with all that is in it, in the container.',)
    """
    at = next(at for at, word in enumerate(tool_words.words) if word.text in ("exec", "run"))
    service = (at for at, word in enumerate(tool_words.words) if word in tool_words.rest[:1])
    inner = tool_words.words[next(service, at) + 1 :]
    loss = next(iter(losses_of(inner, tool_words.fed)), None)
    return loss and f"{loss.removesuffix('.')}, in the container."


def tell_module(tool_words: ToolWords) -> str | None:
    """What is lost by a module or script that Python or PHP runs.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("python -m twine upload dist/app.whl"))
    ('Publishes a version for everybody; it cannot be published again.',)
    """
    texts = [word.text for word in tool_words.words]
    if "-m" in texts[:-1]:
        at = texts.index("-m")
        return next(iter(losses_of(tool_words.words[at + 1 :], tool_words.fed)), None)
    named = (at for at, it in enumerate(texts) if it.rpartition("/")[2] in _SCRIPTS)
    start = next(named, len(texts))
    return next(iter(losses_of(tool_words.words[start:], tool_words.fed)), None)
