"""The path patterns of rules as a tree: names one by one, patterns apart, `**` as a loop."""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from assent.gate.rules.entries import Entry, first_of
from assent.gate.rules.globs import SegmentGlob, is_wild
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import caseless
from assent.gate.values import define, field, frozen

__all__ = [
    "Allowed",
    "Node",
    "fitting",
    "folded_path",
    "gather",
    "led_to",
    "next_node",
    "opened",
    "segments_of",
]

_HEAD_LETTERS: Final = 4
"""So many letters at the beginning of a pattern tell it from others."""

_UNSEEN: Final = late("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]")
"""Some file systems take these letters for nothing."""


@frozen(kw_only=True, eq=False)
class Allowed:
    """A rule that allows, as it is compared at the end of a walk."""

    entry: Entry
    pattern: tuple[str, ...]
    folded: bool
    """Whether folding leaves its pattern as it is."""


@define(eq=False)
class Node:
    """What stands at one folder or name of the rules' patterns."""

    names: dict[str, "Node"] = field(factory=dict)
    globs: dict[str, tuple[SegmentGlob, "Node"]] = field(factory=dict)
    patterns: dict[str, dict[str, tuple[tuple[SegmentGlob, "Node"], ...]]] = field(factory=dict)
    """The same patterns, by how the names end that fit them, and then by how they begin."""
    deep: "Node | None" = None
    """What follows any number of folders."""
    loops: bool = False
    """Whether this is what follows them."""
    here: tuple[Entry, ...] = ()
    """What denies or asks about just this path."""
    under: tuple[Entry, ...] = ()
    """What denies or asks about this path, and about everything below it."""
    allows: tuple[Allowed, ...] = ()
    allows_under: tuple[Allowed, ...] = ()
    ruled: bool = False
    """Whether any of the four is not empty."""
    busy: bool = False
    """Whether anything stands here, or more than names follow."""
    below: tuple[Entry, ...] = ()
    """The first of what denies or asks about something below."""
    below_seen: tuple[Entry, ...] = ()
    """The first of those that need no name that begins with a dot."""


def next_node(node: Node, step: str) -> Node:
    """The node behind one more step, made where there is none.

    >>> root = Node()
    >>> next_node(root, "src") is next_node(root, "src")
    True
    >>> next_node(next_node(root, "**"), "**") is root.deep
    True
    """
    if step == "**":
        if node.loops:
            return node
        node.deep = node.deep or Node(loops=True)
        return node.deep
    if not is_wild(step):
        child = node.names.get(step)
        if child is None:
            child = node.names[step] = Node()
        return child
    if step not in node.globs:
        found = (SegmentGlob.of(step), Node())
        node.globs[step] = found
        head = found[0].head[:_HEAD_LETTERS] if len(found[0].head) >= _HEAD_LETTERS else ""
        heads = node.patterns.setdefault(_ending(found[0].tail), {})
        heads[head] = (*heads.get(head, ()), found)
    return node.globs[step][1]


def _ending(name: str) -> str:
    """What a name ends with, from its last dot on."""
    at = name.rfind(".")
    return name[at:] if at >= 0 else ""


def gather(node: Node) -> None:
    """Work out for each node what denies or asks below it.

    >>> from assent.gate.rules.entries import ranked
    >>> from assent.gate.rules.notation import written
    >>> from assent.gate.call.verdicts import Verdict
    >>> root = Node()
    >>> key = next_node(next_node(root, "src"), "key")
    >>> key.here = tuple(ranked([written("read(./src/key)", Verdict.DENY)], lambda _: ()))
    >>> gather(root)
    >>> [it.rule.text for it in root.below]
    ['read(./src/key)']
    """
    every: list[Entry] = []
    seen: list[Entry] = []
    children = [(name, child) for name, child in node.names.items()]
    children += [(text, child) for text, (_, child) in node.globs.items()]
    # Of a name at any depth nothing says that it begins with a dot.
    children += [("", node.deep)] if node.deep is not None else []
    for name, child in children:
        gather(child)
        every.extend((*child.here, *child.under, *child.below))
        if not name.startswith("."):
            seen.extend((*child.here, *child.under, *child.below_seen))
    node.below, node.below_seen = first_of(every), first_of(seen)
    node.ruled = bool(node.here or node.under or node.allows or node.allows_under)
    node.busy = node.ruled or node.loops or bool(node.globs) or node.deep is not None


def segments_of(path: str) -> list[str]:
    """The names in a path.

    >>> segments_of("/w/./src//a.py")
    ['w', 'src', 'a.py']
    """
    return [it for it in path.split("/") if it not in {"", "."}]


def folded_path(path: str) -> str:
    r"""A path as a file system sees it that ignores case, and letters that nobody sees.

    >>> folded_path("/w/Src/A.PY")
    '/w/src/a.py'
    >>> folded_path("/w/.e\u200bnv")
    '/w/.env'
    """
    if path.isascii():
        return path.lower()
    composed = unicodedata.normalize("NFC", _UNSEEN.sub("", path))
    return unicodedata.normalize("NFC", caseless(composed))


def fitting(node: Node, name: str) -> list[Node]:
    """Where the patterns of a node lead that a name fits.

    >>> root = Node()
    >>> python = next_node(root, "*.py")
    >>> fitting(root, "a.py") == [python], fitting(root, "a.js")
    (True, [])
    """
    nodes: list[Node] = []
    at = name.rfind(".")
    for ending in (name[at:], "") if at >= 0 else ("",):
        heads = node.patterns.get(ending)
        if heads is None:
            continue
        for head in ("", name[:_HEAD_LETTERS]):
            for glob, child in heads.get(head, ()):
                if glob.fits(name):
                    nodes.append(child)
                    if child.deep is not None:
                        nodes.append(child.deep)
    return nodes


def opened(nodes: Iterable[Node]) -> Iterator[Node]:
    """These nodes, and what follows any number of folders behind each: none is a number too.

    >>> root = Node()
    >>> deep = next_node(root, "**")
    >>> list(opened([root])) == [root, deep]
    True
    """
    for node in nodes:
        yield node
        if node.deep is not None:
            yield node.deep


def led_to(node: Node, segment: str) -> Iterator[Node]:
    """The nodes to which a name leads from one node.

    >>> root = Node()
    >>> src, any_s, deep = (next_node(root, it) for it in ["src", "s*", "**"])
    >>> list(led_to(root, "src")) == [src, any_s]
    True
    >>> list(led_to(deep, "src")) == [deep]
    True
    """
    if segment in node.names:
        yield node.names[segment]
    yield from fitting(node, segment)
    if node.loops:
        yield node
