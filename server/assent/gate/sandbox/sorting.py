"""Sorts the changes of a trial by what the gate would say of each, were it written by a tool."""

import os
from collections.abc import Iterable, Sequence
from typing import Final

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Asker, RuleMatches
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.ruling.ruling_context import against
from assent.gate.sandbox.changes import Change, Kind
from assent.gate.values import evolve, frozen

__all__ = ["Sorted", "sort_changes"]

_GIT: Final = ".git"
_REPOSITORIES: Final = frozenset({"modules", "worktrees"})
"""What in a `.git` holds repositories of its own."""
_HISTORY: Final = frozenset(
    "objects refs logs index HEAD ORIG_HEAD FETCH_HEAD MERGE_HEAD MERGE_MSG MERGE_MODE AUTO_MERGE"
    " CHERRY_PICK_HEAD REVERT_HEAD COMMIT_EDITMSG packed-refs shallow".split()
)
_ELSEWHERE: Final = ["objects", "info"]
"""Says in which other repositories git looks for objects."""


@frozen(kw_only=True)
class Sorted:
    """The changes of a trial. What is in `.git` is sorted as one: part of it would break it."""

    plain: tuple[Change, ...] = ()
    protected: tuple[Change, ...] = ()
    """What runs something later, or changes what is allowed later."""
    denied: tuple[Change, ...] = ()
    """What a rule denies: it cannot be made real."""
    special: tuple[Change, ...] = ()
    """Pipes, sockets and devices: they cannot be made real."""


def sort_changes(
    workspace: str, changes: Sequence[Change], policy: Policy, agent: AgentId, places: Places
) -> Sorted:
    """Sort them; their order stays.

    In Auto the gate asks about nothing but what it asks about in every mode, and what a rule says.
    """
    policy = evolve(policy, mode=Mode.AUTO)
    weights = [_weight(workspace, change, policy, agent, places) for change in changes]
    heaviest: dict[str, int] = {}
    for change, weight in zip(changes, weights, strict=True):
        if weight != _SPECIAL and (git := _git_of(change.path)):
            heaviest[git] = max(weight, heaviest.get(git, _PLAIN))
    kinds: list[list[Change]] = [[], [], [], []]
    for change, weight in zip(changes, weights, strict=True):
        git = _git_of(change.path) if weight != _SPECIAL else ""
        kinds[heaviest[git] if git else weight].append(change)
    plain, protected, denied, special = (tuple(kind) for kind in kinds)
    denied, plain, protected = _with_what_they_need(plain, protected, denied)
    return Sorted(plain=plain, protected=protected, denied=denied, special=special)


_PLAIN, _PROTECTED, _DENIED, _SPECIAL = range(4)


def _weight(workspace: str, change: Change, policy: Policy, agent: AgentId, places: Places) -> int:
    if change.kind is Kind.SPECIAL:
        return _SPECIAL
    root = os.path.realpath(workspace)
    try:
        target = places.locate(f"{root}/{change.path}", "/")
    except CallUnreadable:
        return _PROTECTED
    if not policy.book.suspended.isdisjoint({"write", "*"}):
        # A rule that could not be read may deny just this.
        return _DENIED
    is_gone = change.kind is Kind.DELETED
    call = Call(
        id=CallId(""),
        chat=ChatId(""),
        agent=agent,
        tool="write",
        effect=Effect.WRITE,
        input={"path": change.path},
        cwd=root,
        targets=(target,),
        action="delete" if is_gone else "write",
    )
    asker = Asker(agent=agent, mode=policy.mode, now=policy.now)
    verdict = decide(call, policy, places).verdict
    if is_gone and change.before is not None and change.before.is_folder:
        verdict = max(verdict, _denied(policy.book.below("write", target, asker)))
    if verdict is Verdict.ASK and _is_history(change.path):
        ruled = against(policy.book.path("write", target, asker))
        verdict = Verdict.ALLOW if ruled is None else verdict
    return {Verdict.ALLOW: _PLAIN, Verdict.ASK: _PROTECTED, Verdict.DENY: _DENIED}[verdict]


def _is_history(path: str) -> bool:
    """Whether it is in a `.git` and only says what was committed, not what git runs or reads.

    >>> _is_history(".git/objects/18/74"), _is_history("a/.git/modules/b/hooks/x")
    (True, False)
    """
    git = _git_of(path)
    inside = path.removeprefix(git).split("/")[1:] if git else []
    if inside[:1] and inside[0] in _REPOSITORIES:
        inside = inside[2:]
    return bool(inside) and inside[0] in _HISTORY and inside[:2] != _ELSEWHERE


def _denied(look: RuleMatches) -> Verdict:
    """What is said of a folder of which a rule denies to change a part."""
    rule = look.deny or look.perhaps
    is_denied = rule is not None and rule.verdict is Verdict.DENY
    return Verdict.DENY if is_denied else Verdict.ALLOW


def _git_of(path: str) -> str:
    """The `.git` that a path is or lies in; nothing outside of one.

    >>> _git_of("sub/.git/hooks/x"), _git_of(".git"), _git_of(".github/x")
    ('sub/.git', '.git', '')
    """
    parts = path.split("/")
    return "/".join(parts[: parts.index(_GIT) + 1]) if _GIT in parts else ""


def _with_what_they_need(
    plain: tuple[Change, ...], protected: tuple[Change, ...], denied: tuple[Change, ...]
) -> tuple[tuple[Change, ...], tuple[Change, ...], tuple[Change, ...]]:
    """What lies in a folder that is not made cannot be made either: it goes with the folder."""
    protected, moved = _split(protected, _folders(denied))
    denied += moved
    plain, moved = _split(plain, _folders(denied))
    denied += moved
    plain, moved = _split(plain, _folders(protected))
    return denied, plain, protected + moved


def _folders(changes: Iterable[Change]) -> tuple[str, ...]:
    made = [change.path for change in changes if change.kind is Kind.FOLDER]
    gone = [change.path for change in changes if change.kind is Kind.DELETED]
    return tuple(f"{path}/" for path in [*made, *gone])


def _split(
    changes: tuple[Change, ...], folders: tuple[str, ...]
) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    inside = tuple(change for change in changes if change.path.startswith(folders))
    rest = tuple(change for change in changes if not change.path.startswith(folders))
    return rest, inside
