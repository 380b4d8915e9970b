"""Value classes with attrs, whose comparing, hashing and printing is written once for all.

attrs writes a text of these for every class and compiles it when the class is loaded. A question
to `assent explain` loads a hundred and more, and that was a fifth of its time.

That nothing changes a frozen value is shown by the type checkers, and by every test that sets
`ASSENT_FROZEN` before it loads this. Elsewhere attrs does not watch over it: to fill the fields of
a class that it watches costs several times as much, and a ruling on one command makes hundreds of
values.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import Factory, asdict, astuple, evolve, field, fields

__all__ = [
    "Factory",
    "asdict",
    "astuple",
    "define",
    "derived",
    "evolve",
    "field",
    "fields",
    "frozen",
]

T = TypeVar("T")


def derived(work: Callable[[Any], T]) -> T:
    """A field that is worked out of the others once; it is never given, compared or shown."""
    made: T = field(default=Factory(work, takes_self=True), init=False, eq=False, repr=False)
    return made


if TYPE_CHECKING:
    from attrs import define, frozen
else:
    import os
    from functools import partial
    from operator import attrgetter
    from reprlib import recursive_repr

    import attrs

    def define(cls: type | None = None, /, **options: Any) -> Any:
        """`attrs.define`, whose options it takes."""
        return _made(cls, **options) if cls is not None else partial(_made, **options)

    _WATCHED = bool(os.environ.get("ASSENT_FROZEN"))

    def frozen(cls: type | None = None, /, **options: Any) -> Any:
        """`attrs.frozen`, whose options it takes; two that are equal are hashed alike as there."""
        return define(cls, frozen=True, **options)

    _OWN = frozenset(("__eq__", "__hash__", "__repr__"))
    _LEFT = frozenset(("order", "unsafe_hash", "hash", "cache_hash", "repr", "str"))

    def _made(cls: type, *, eq: bool | None = None, frozen: bool = False, **options: Any) -> type:
        # What a class says of these itself, attrs knows to keep.
        if issubclass(cls, BaseException) or _OWN & vars(cls).keys() or _LEFT & options.keys():
            return attrs.define(cls, eq=eq, frozen=frozen, **options)
        if frozen:
            options |= {"frozen": True} if _WATCHED else {"on_setattr": attrs.setters.NO_OP}
        made = attrs.define(cls, eq=False, repr=False, **options)
        made.__repr__ = _shown
        if eq is not False:
            made.__eq__, made.__hash__ = _compared(made, frozen=frozen)
        return made

    def _compared(
        made: type, *, frozen: bool
    ) -> tuple[Callable[..., bool], Callable[..., int] | None]:
        """How two of a class are compared, and one is hashed where it cannot change."""
        parts = _parts([part.name for part in fields(made) if part.eq])
        # A field that cannot be hashed may be compared all the same.
        counted = _parts(
            [part.name for part in fields(made) if (part.eq if part.hash is None else part.hash)]
        )

        def equals(value: object, other: object) -> bool:
            return (
                parts(value) == parts(other)
                if value.__class__ is other.__class__
                else NotImplemented
            )

        def hashed(value: object) -> int:
            return hash(counted(value))

        return equals, hashed if frozen else None

    def _parts(names: list[str]) -> Callable[[Any], Any]:
        return attrgetter(*names) if names else lambda _: ()

    @recursive_repr()
    def _shown(value: object) -> str:
        """Its class and its fields, as attrs shows them."""
        name = type(value).__qualname__.rsplit(">.", 1)[-1]
        names = [part.name for part in fields(type(value)) if part.repr]
        shown = (
            f"{field_name}={getattr(value, field_name, attrs.NOTHING)!r}" for field_name in names
        )
        return f"{name}({', '.join(shown)})"
