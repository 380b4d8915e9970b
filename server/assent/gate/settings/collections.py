"""`assent.collections`: the documents that our own agent may search.

A workspace may name some of its own files, which the agent could read one by one as well. Where a
text of theirs is sent to a host, and whatever lies elsewhere, counts in the person's own settings
alone, and so does every collection of a name that the person has given.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from pydantic import ValidationError

from assent.gate.settings.collection_shape import COLLECTION, CollectionSetting, EmbeddingSetting
from assent.gate.settings.complaints import Complaints
from assent.gate.settings.layers import Layer, said, shown
from assent.gate.settings.models.model import Dialect, Model
from assent.gate.text.addresses import is_private
from assent.gate.values import frozen

__all__ = ["Area", "CollectionEntry", "collections_of"]

_MAX_COLLECTIONS: Final = 50
_WILD: Final = re.compile(r"[*?\[{]")
_ELSEWHERE: Final = ("~/", "/")


@frozen(kw_only=True)
class Area:
    """Where some of a collection's files lie."""

    base: str
    """The folder, or the file, below which they are: from the workspace, `~/…` or `/…`."""
    pattern: str
    """Which of those below it."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether the person said that they lie outside the workspace."""
        return f"{self.base}/".startswith(_ELSEWHERE)


@frozen(kw_only=True)
class CollectionEntry:
    """One collection, as it was written down."""

    name: str
    paths: tuple[str, ...]
    embed: Model | None = None
    """What makes vectors of its texts."""

    @property
    def areas(self) -> tuple[Area, ...]:
        """Where its files lie."""
        return tuple(map(area_of, self.paths))


def collections_of(
    keys: object, complaints: Complaints, *, trusted: bool
) -> tuple[CollectionEntry, ...]:
    """The collections of all layers; each that cannot be understood is left out."""
    collections: dict[str, CollectionEntry] = {}
    for layer, value in said(keys, "collections").items():
        if layer is not Layer.USER and not trusted:
            continue
        for name, given in _entries(layer, value, complaints):
            entry = _entry(name, given)
            why = _why_not(entry, layer)
            if entry is not None and not why:
                # The person's come first, and nobody takes the place of one of them.
                collections.setdefault(entry.name, entry)
            else:
                place = f"The collection {shown(name)} in assent.collections of {layer.words}"
                sentence = f"{place} {why}, so it is left out."
                complaints.refuse(layer.value, ("collections", str(name)), sentence)
    return tuple(collections.values())[:_MAX_COLLECTIONS]


def area_of(path: str) -> Area:
    """Where the files of a pattern lie.

    >>> area_of("./docs/**/*.md")
    Area(base='docs', pattern='**/*.md')
    >>> area_of("~/notes").is_elsewhere
    True
    """
    before = "/" if path.startswith("/") else ""
    parts = [part for part in path.split("/") if part not in {"", "."}]
    plain = next((at for at, part in enumerate(parts) if _WILD.search(part)), len(parts))
    base = before + "/".join(parts[:plain])
    return Area(base=base or ".", pattern="/".join(parts[plain:]) or "**")


def _entries(
    layer: Layer, value: object, complaints: Complaints
) -> Iterator[tuple[object, object]]:
    if isinstance(value, Mapping) and len(value) <= _MAX_COLLECTIONS:
        yield from value.items()
        return
    sentence = f"assent.collections in {layer.words} could not be understood, so it adds none."
    complaints.refuse(layer.value, ("collections",), sentence)


def _entry(name: object, given: object) -> CollectionEntry | None:
    if not isinstance(name, str) or not re.fullmatch(COLLECTION, name):
        return None
    try:
        setting = CollectionSetting.model_validate(given)
    except (ValidationError, RecursionError):
        return None
    return CollectionEntry(
        name=name,
        paths=tuple(setting.paths),
        embed=_model(setting.embed) if setting.embed else None,
    )


def _why_not(entry: CollectionEntry | None, layer: Layer) -> str:
    """Why a collection is not taken; nothing where it is."""
    if entry is None:
        return "could not be understood"
    if any(".." in path.split("/") or not path.isprintable() for path in entry.paths):
        return "has a path that leads up, or that cannot be seen"
    if layer is not Layer.USER and any(area.is_elsewhere for area in entry.areas):
        return "names files outside the workspace, which only your own settings may"
    if layer is not Layer.USER and entry.embed is not None:
        return "names a model that its texts would be sent to, which only your own settings may"
    if entry.embed is not None and entry.embed.url and not is_private(entry.embed.url):
        return "names an address that no key should be sent to"
    return ""


def _model(said_: str | EmbeddingSetting) -> Model:
    """The model of an embedding, as it is asked."""
    if isinstance(said_, str):
        provider, _, model = said_.partition(":")
        return Model(id=said_, name=said_, dialect=Dialect(provider), model=model)
    name = f"{said_.provider}:{said_.model}"
    return Model(
        id=name,
        name=name,
        dialect=Dialect(said_.provider),
        model=said_.model,
        url=said_.url.rstrip("/"),
        key=said_.key,
    )
