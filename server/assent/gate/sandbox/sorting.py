"""Sorts the changes of a trial by what the gate would say of each, were it written by a tool."""

import os
import stat
from collections.abc import Mapping, Sequence
from typing import Final

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.git.run_triggers import Ground, why_git_runs
from assent.gate.disk.places import Places
from assent.gate.rules.book import Asker, TwoBooks
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Grant, Policy
from assent.gate.ruling.ruling_context import against
from assent.gate.sandbox.changes import Change, Kind
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within
from assent.gate.values import evolve, field, frozen

__all__ = ["Sorted", "is_history", "names_of", "sort_changes"]

_GIT: Final = ".git"
_REPOSITORIES: Final = frozenset({"modules", "worktrees"})
"""What in a `.git` holds repositories of its own."""
_HISTORY: Final = frozenset(
    "objects refs logs index HEAD ORIG_HEAD FETCH_HEAD MERGE_HEAD MERGE_MSG MERGE_MODE AUTO_MERGE"
    " CHERRY_PICK_HEAD REVERT_HEAD COMMIT_EDITMSG packed-refs shallow".split()
)
_LIST_OF_REFS: Final = ["info", "refs"]
"""`git gc` rewrites it. It serves clones over plain HTTP, and git itself does not read it."""
_ELSEWHERE: Final = frozenset({"alternates", "http-alternates"})
"""Say in which other repositories git looks for objects."""
_STEERING: Final = frozenset(
    "config config.worktree hooks commondir gitdir modules worktrees rebase-merge rebase-apply"
    " sequencer attributes".split()
)
"""What git reads as settings, or runs."""
_WHOLE: Final = frozenset({"objects", "pack", "refs", "heads"})
"""Where one of these is deleted, commits are lost."""
_PARTS: Final = (("HEAD", "objects", "refs"), ("HEAD", "commondir"))
"""A folder with one of these is a repository to git, whatever it is called."""
_MAX_PATHS_NAMED: Final = 5
_COMMITS: Final = (["objects"], ["HEAD"])
"""Where a repository is lost with what is deleted."""
_EXECUTABLE_BITS: Final = 0o111
_SPECIAL_RIGHTS: Final = 0o6000
"""With these a program has the rights of its file's owner or group."""


@frozen(kw_only=True)
class Sorted:
    """The changes of a trial."""

    plain: tuple[Change, ...] = ()
    protected: tuple[Change, ...] = ()
    """What the gate asks about in every mode, or a rule does."""
    denied: tuple[Change, ...] = ()
    """What a rule denies: it cannot be made real."""
    special: tuple[Change, ...] = ()
    """Pipes, sockets and devices: they cannot be made real."""

    @property
    def why_asked(self) -> str:
        """Why a person is asked before the changes are made real."""
        if not self.protected:
            return "You had this command tried, so you decide about its changes."
        names = names_of([change.path for change in self.protected])
        return f"Changes to {names} are asked about in every mode, or by a rule of yours."


_PLAIN: Final = late(r"[\w.:/@+~\[\]-]+(?: \(deleted\))?")


def names_of(paths: Sequence[str]) -> str:
    """The first few of these paths or hosts, and how many more there are."""
    first = ", ".join(_plain(path) for path in paths[:_MAX_PATHS_NAMED])
    more = len(paths) - _MAX_PATHS_NAMED
    return f"{first} and {more:,} more" if more > 0 else first


def _plain(path: str) -> str:
    """A name in which nothing looks like the sentence around it."""
    return path if _PLAIN.fullmatch(path) else ascii(path)


def sort_changes(
    workspace: str, changes: Sequence[Change], policy: Policy, agent: AgentId, places: Places
) -> Sorted:
    """Sort them; their order stays.

    In Auto the gate asks about nothing but what it asks about in every mode, and what a rule says.
    """
    root = os.path.realpath(workspace)
    ground = Ground(inside=lambda path: is_within(path, root), home=places.home)
    sorting = _Sorting(
        root=root,
        policy=evolve(policy, mode=Mode.AUTO),
        mode=policy.mode,
        agent=agent,
        places=places,
        made={change.path: change for change in changes if change.kind is not Kind.DELETED},
        names_programs=why_git_runs(root, ground) is not None,
    )
    weights = [sorting.weight(change) for change in changes]

    def of(weight: Verdict | None) -> tuple[Change, ...]:
        return tuple(change for change, its in zip(changes, weights, strict=True) if its is weight)

    return Sorted(
        plain=of(Verdict.ALLOW),
        protected=of(Verdict.ASK),
        denied=of(Verdict.DENY),
        special=of(None),
    )


@frozen(kw_only=True)
class _Sorting:
    """What is known while changes are sorted."""

    root: str
    policy: Policy
    """With the mode that asks about least."""
    mode: Mode
    """In which rules are asked."""
    agent: AgentId
    places: Places
    made: Mapping[str, Change]
    """What is there afterwards, by its path."""
    names_programs: bool
    """Whether git may run, or read as settings, files that its own settings name."""
    _repositories: dict[str, bool] = field(init=False, factory=dict, eq=False)

    def weight(self, change: Change) -> Verdict | None:
        """What the gate says of a change; None of what is no file."""
        if change.kind is Kind.SPECIAL:
            return None
        try:
            verdict = self._ruled(change)
        except CallUnreadable:
            verdict = Verdict.ASK
        is_risky = (
            self.names_programs
            or self._is_lost_commit(change)
            or (change.mode & _SPECIAL_RIGHTS and not _is_folder(change))
            or (change.kind is Kind.LINK and not self._leads_to_file(change))
            or self._is_in_repository(change.path)
        )
        return max(verdict, Verdict.ASK) if is_risky else verdict

    def _ruled(self, change: Change) -> Verdict:
        book = TwoBooks(self.policy.book, self.policy.more)
        if not book.suspended.isdisjoint({"write", "*"}):
            # A rule that could not be read may deny just this.
            return Verdict.DENY
        target = self.places.locate(f"{self.root}/{change.path}", "/")
        is_gone = change.kind is Kind.DELETED
        call = Call(
            id=CallId(""),
            chat=ChatId(""),
            agent=self.agent,
            tool="write",
            effect=Effect.WRITE,
            input={"path": change.path},
            cwd=self.root,
            targets=(target,),
            action="delete" if is_gone else "write",
        )
        asker = Asker(agent=self.agent, mode=self.mode, now=self.policy.now)
        by_rule = against(book.path("write", target, asker))
        verdicts = [Verdict.ALLOW if by_rule is None else by_rule.verdict]
        if is_gone and _is_folder(change):
            inside = book.below("write", target, asker)
            rules = (inside.deny, inside.ask, inside.perhaps)
            verdicts += [rule.verdict for rule in rules if rule is not None]
            verdicts += [Verdict.DENY] if self._is_denied_within(target.resolved) else []
        verdict = decide(call, self.policy, self.places).verdict
        if verdict is not Verdict.ASK or not is_history(change):
            verdicts.append(verdict)
        return max(verdicts)

    def _is_denied_within(self, folder: str) -> bool:
        """Whether a person denied for the chat what lies in a folder."""
        grants = (rule for rule in self.policy.rules if isinstance(rule, Grant))
        return any(
            grant.verdict is Verdict.DENY and any(is_within(path, folder) for path in grant.paths)
            for grant in grants
        )

    def _is_lost_commit(self, change: Change) -> bool:
        """Whether it takes from a repository what no pack of the same run has."""
        if change.kind is not Kind.DELETED or _in_git(change.path)[:1] not in _COMMITS:
            return False
        repository = change.path.rpartition(f"{_GIT}/")[0]
        packs = f"{repository}{_GIT}/objects/pack/"
        return not any(path.startswith(packs) and path.endswith(".pack") for path in self.made)

    def _is_in_repository(self, path: str) -> bool:
        """Whether a folder around it is a repository without being called `.git`."""
        folder = os.path.dirname(path)  # noqa: PTH120 -- one for each change
        if folder not in self._repositories:
            is_one = any(all(self._has(folder, name) for name in names) for names in _PARTS)
            above = folder != "" and self._is_in_repository(folder)
            self._repositories[folder] = not folder.endswith(_GIT) and (is_one or above)
        return self._repositories[folder]

    def _has(self, folder: str, name: str) -> bool:
        path = f"{folder}/{name}" if folder else name
        return path in self.made or os.path.lexists(f"{self.root}/{path}")

    def _leads_to_file(self, link: Change) -> bool:
        """Whether it leads to one file of the workspace, or to a program, as in `.venv/bin`.

        What leads to a folder gives names to all that is in it, and what leads elsewhere to what
        may be private.
        """
        folder = os.path.dirname(f"{self.root}/{link.path}")  # noqa: PTH120
        path = os.path.normpath(os.path.join(folder, link.target))  # noqa: PTH118
        if not is_within(os.path.realpath(path), self.root):
            return _is_program(path)
        change = self.made.get(path.removeprefix(f"{self.root}/"))
        if change is not None:
            return change.kind in {Kind.MADE, Kind.CHANGED}
        return os.path.isfile(path) and not os.path.islink(path)  # noqa: PTH113, PTH114


def _is_program(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 -- one for each link
    except OSError:
        return False
    return stat.S_ISREG(mode) and bool(mode & _EXECUTABLE_BITS)


def _is_folder(change: Change) -> bool:
    return change.kind is Kind.FOLDER or (change.before is not None and change.before.is_folder)


def _in_git(path: str) -> list[str]:
    """The parts of a path behind the first `.git` in it; none where there is no such."""
    parts = path.split("/")
    return parts[parts.index(_GIT) + 1 :] if _GIT in parts else []


def is_history(change: Change) -> bool:
    """Whether it is in a `.git` and only says what was committed, not what git runs or reads.

    A link is never that: what git writes through it lies elsewhere.

    >>> is_history(Change(kind=Kind.MADE, path=".git/objects/18/74"))
    True
    >>> is_history(Change(kind=Kind.MADE, path="a/.git/modules/b/hooks/x"))
    False
    """
    inside = _in_git(change.path)
    is_submodule = bool(inside) and inside[0] in _REPOSITORIES
    if is_submodule:
        inside = inside[2:]
    is_named = bool(inside) and (inside[0] in _HISTORY or inside == _LIST_OF_REFS)
    if not is_named or change.kind is Kind.LINK:
        return False
    # A submodule may be called so that its settings seem to lie among its commits.
    steers = is_submodule and not _STEERING.isdisjoint(inside)
    steers |= any(part.endswith(_GIT) for part in inside)
    is_lost = change.kind is Kind.DELETED and _is_folder(change) and inside[-1] in _WHOLE
    return not (is_lost or steers) and inside[-1] not in _ELSEWHERE
