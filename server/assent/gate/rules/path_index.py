"""The index of rules about reading, or about changing, by path.

One walk finds both kinds, by folded names: what denies or asks counts for every spelling and case
of a path, and what allows is compared to the letter at its end, with the resolved path alone.
A refusal of a folder is one of everything below it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from assent.gate.call.verdicts import Verdict
from assent.gate.rules.entries import Entry
from assent.gate.rules.globs import expands_to, is_wild, may_meet, meets, path_fits
from assent.gate.rules.pathtree import (
    Allowed,
    Node,
    fitting,
    folded_path,
    gather,
    led_to,
    next_node,
    opened,
    segments_of,
)
from assent.gate.values import define, field

__all__ = ["PathIndex"]

_DOTS: Final = (".", "[", "(", "@", "+", "?(", "*(")  # how a pattern of hidden names begins

_MAX_NAMES_COMPARED: Final = 1_000
"""With so many names a shell's pattern is compared; of more, any may be meant."""

_MAX_REPEATED_NODES: Final = 4
"""So many nodes may be walked twice."""


@define(eq=False)
class PathIndex:
    """All rules about one way to use paths."""

    _top: Node = field(factory=Node)
    _every: tuple[Entry, ...] = ()
    _refusing: list[tuple[str, Entry]] = field(factory=list)
    """What denies or asks, with the pattern of what it is about."""
    _jumps: tuple[tuple[str, Node], ...] = ()
    """The roots, where nothing stands above them: walks may begin there."""

    @classmethod
    def of(
        cls, entries: Iterable[Entry], roots: Sequence[str], homes: Sequence[str]
    ) -> "PathIndex":
        """The index of these rules, for these folders of the workspace."""
        index = cls()
        every = []
        anchors = {
            ".": [segments_of(root) for root in roots],
            "~": [segments_of(home) for home in homes],
        }
        for entry in entries:
            about = entry.rule.about
            if about == "*":
                every.append(entry)
                continue
            first, *rest = about.split("/")
            inner = [it for it in rest if it not in {"", "."}]
            if about.endswith("/"):
                inner.append("**")
            for anchor in anchors.get(first, [[]]):
                index._add(entry, [*anchor, *inner])
        index._every = tuple(every)
        gather(index._top)
        index._jumps = tuple(index._reachable(roots))
        return index

    def look(self, resolved: str, named: str, via: Sequence[str] = ()) -> list[Entry]:
        """What is about a path: what allows for its resolved form, the rest for any other too."""
        certain = list(self._every)
        # Nearly every path of nearly every call: one call of a function is felt here.
        folded = resolved.lower() if resolved.isascii() else folded_path(resolved)
        self._walk(folded, resolved, certain)
        if named and named != resolved:
            self._walk(folded_path(named), None, certain)
        for form in via:
            self._walk(folded_path(form), None, certain)
        return certain

    def below(self, folder: str, *, hidden: bool) -> list[Entry]:
        """What denies or asks about something below a folder."""
        passed: list[Entry] = [
            entry for entry in self._every if entry.rule.verdict is not Verdict.ALLOW
        ]
        segments = segments_of(folded_path(folder))
        for node in self._states(segments, passed, lambda node, at: led_to(node, segments[at])):
            passed.extend(node.under)
            passed.extend(node.below if hidden else node.below_seen)
        return passed

    def pattern(self, glob: str, *, tree: bool, hidden: bool) -> list[Entry]:
        """What denies or asks about what a shell's pattern may stand for."""
        passed: list[Entry] = [
            entry for entry in self._every if entry.rule.verdict is not Verdict.ALLOW
        ]
        segments = segments_of(folded_path(glob))

        def step(node: Node, at: int) -> Iterator[Node]:
            if segments[at] == "**":
                # With an option of the shell that is folders at any depth, else one name.
                dotted = any(segment.startswith(_DOTS) for segment in segments[at:])
                passed.extend(node.below if dotted else node.below_seen)
            return _meeting(node, segments[at], passed)

        for node in self._states(segments, passed, step):
            passed.extend((*node.here, *node.under))
            if tree:
                passed.extend(node.below if hidden else node.below_seen)
        return passed

    def through(self, glob: str, folder: str, *, named: bool) -> list[Entry]:
        """What denies or asks about what a pattern may stand for that goes through folders.

        With `named`, a letter of it behind the folder must stand for one of the rule's.
        """
        fits = meets(folded_path(glob), len(folded_path(folder)), named=named)
        return [entry for about, entry in self._refusing if fits(about)]

    def _walk(self, folded: str, raw: str | None, certain: list[Entry]) -> None:
        """Add what stands on the way of a path; `raw` is None where what allows does not count."""
        node, rest = self._top, folded[1:]
        for prefix, root in self._jumps:
            if folded.startswith(prefix):
                node, rest = root, folded[len(prefix) :]
                break
        segments = rest.split("/") if rest else []
        at = 0
        # Most of the way there is one node and nothing but names.
        for segment in segments:
            if node.busy:
                break
            child = node.names.get(segment)
            if child is None:
                return
            node = child
            at += 1
        active = [node] if node.deep is None else [node, node.deep]
        for segment in segments[at:]:
            active = _advanced(active, segment, folded, raw, certain)
            if not active:
                return
        for node in active:
            if node.ruled:
                _arrived(node, folded, raw, certain)

    def _states(
        self,
        segments: Sequence[str],
        passed: list[Entry],
        step: Callable[[Node, int], Iterator[Node]],
    ) -> list[Node]:
        """Where these lead, one by one; what refuses a folder is passed on the way."""
        active = [*opened((self._top,))]
        for at in range(len(segments)):
            for node in active:
                passed.extend(node.under)
            following = [it for node in active for it in step(node, at)]
            active = list(dict.fromkeys(opened(following)))
        return active

    def _add(self, entry: Entry, pattern: Sequence[str]) -> None:
        allows = entry.rule.verdict is Verdict.ALLOW
        steps = list(pattern)
        whole = bool(steps) and steps[-1] == "**"
        while steps and steps[-1] == "**":
            steps.pop()
        node = self._top
        for step in steps:
            node = next_node(node, step if step == "**" else folded_path(step))
        if not allows:
            about = "".join(f"/{step if step == '**' else folded_path(step)}" for step in steps)
            self._refusing.append((about, entry))
            # Who refuses a folder by its name means what is in it.
            if whole or not steps or not is_wild(steps[-1]):
                self._refusing.append((f"{about}/**", entry))
                node.under += (entry,)
            else:
                node.here += (entry,)
            return
        plain = tuple(pattern)
        allowed = Allowed(
            entry=entry, pattern=plain, folded=all(folded_path(it) == it for it in plain)
        )
        if whole:
            node.allows_under += (allowed,)
            if entry.rule.tool == "read":
                node.allows += (allowed,)
        else:
            node.allows += (allowed,)

    def _reachable(self, roots: Sequence[str]) -> Iterator[tuple[str, Node]]:
        for root in sorted(roots, key=len, reverse=True):
            node: Node | None = self._top
            for segment in segments_of(folded_path(root)):
                node = None if node is None or node.busy else node.names.get(segment)
            if node is not None and node is not self._top:
                yield "/" + "/".join(segments_of(folded_path(root))) + "/", node


def _arrived(node: Node, folded: str, raw: str | None, certain: list[Entry]) -> None:
    """Add what stands where a path ends."""
    certain += node.here
    certain += node.under
    if node.allows and raw is not None:
        certain += _allowing(node.allows, folded, raw)


def _advanced(
    active: Iterable[Node], segment: str, folded: str, raw: str | None, certain: list[Entry]
) -> list[Node]:
    """One segment further on every way; what covers all below is added as it is passed."""
    following: list[Node] = []
    for node in active:
        if node.ruled:
            certain += node.under
            if node.allows_under and raw is not None:
                certain += _allowing(node.allows_under, folded, raw)
        child = node.names.get(segment)
        if child is not None:
            following.append(child)
            if child.deep is not None:
                following.append(child.deep)
        if node.globs:
            following += fitting(node, segment)
        if node.loops:
            following.append(node)
    return following if len(following) <= _MAX_REPEATED_NODES else [*dict.fromkeys(following)]


def _allowing(allows: Sequence[Allowed], folded: str, raw: str) -> list[Entry]:
    """What allows a path by its letters, not only by its folded ones."""
    plain = raw == folded
    return [
        allowed.entry
        for allowed in allows
        if (plain and allowed.folded) or path_fits(allowed.pattern, segments_of(raw))
    ]


def _meeting(node: Node, segment: str, passed: list[Entry]) -> Iterator[Node]:
    """Where a segment of a shell's pattern may lead."""
    if node.loops:
        yield node
    if not any(letter in segment for letter in "*?[("):
        if segment in node.names:
            yield node.names[segment]
    elif len(node.names) > _MAX_NAMES_COMPARED:
        passed.extend(node.below)
    else:
        yield from (child for name, child in node.names.items() if expands_to(segment, name))
    yield from (child for text, (_, child) in node.globs.items() if may_meet(segment, text))
