"""Secrets that one command reads while another of the same line reaches somebody else's machine.

Whether they are sent only a run would tell; a name like that beside a host is enough to look twice.
"""

from collections.abc import Iterable
from typing import Final

from assent.policy.findings import Judged
from assent.programs.deeds import Kind
from assent.text.patterns import late

__all__ = ["leak_in", "names_secret"]

_SECRET: Final = late(
    r"(?i)(?:.*/)?(?:\.env(?!\.(?:example|sample|template|dist)$)[^/]*"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials"
    r"|\.?credentials(?:\.\w+)?|[^/]*\.(?:pem|key|p12|pfx|jks|keystore)|[^/]*secrets?(?:\.\w+)?"
    r"|\.?(?:token|password)s?(?:\.\w+)?|shadow|.*/\.(?:ssh|aws|gnupg|kube)/.*)"
)
"""Names under which people keep keys, tokens and passwords."""
_HERE: Final = frozenset({"?", "localhost", "127.0.0.1", "[::1]", "0.0.0.0"})  # noqa: S104 -- what is reached, not served
_MOST: Final = 3


def names_secret(path: str) -> bool:
    """Whether people keep keys, tokens or passwords in a file of that name.

    >>> names_secret("docs/.env.local"), names_secret("docs/guide.md")
    (True, False)
    """
    return _SECRET.fullmatch(path) is not None


def leak_in(judged: Iterable[Judged]) -> str | None:
    """What a line may give away, in a sentence."""
    all_ = [*judged]
    hosts = dict.fromkeys(it for one in all_ for it in one.deeds.hosts)
    away = [it for it in hosts if it not in _HERE and "://" not in it]
    if not away:
        return None
    readers = (one for one in all_ if one.deeds.reading and not one.where)
    read = (place for one in readers for place in one.places if place.kind is Kind.READ)
    found = dict.fromkeys(
        place.target.shown
        for place in read
        if place.target and _SECRET.fullmatch(place.target.shown)
    )
    if not found:
        return None
    return f"May send {_listed([*found])} to {_listed(away)}."


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(f"`{it.replace('`', '')}`" for it in names[:_MOST]) + more
