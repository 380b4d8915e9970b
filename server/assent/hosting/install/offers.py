"""The list of agents that can be added, as new as possible.

It is asked for when a person opens it, and at no other time. Where the registry does not answer,
the copy of the last time serves, and where there is none, the one that comes with Assent.
"""

import ssl
from http import HTTPStatus
from pathlib import Path
from typing import Final

import assent
from assent.gate.settings.private_files import UnfitFile, read_private, write_private
from assent.gate.values import frozen
from assent.hosting.install.registry import (
    PROGRAM,
    Offer,
    RegistryUnread,
    address,
    bundled,
    offers_in,
)

__all__ = ["Listing", "kept_listing", "listing"]

_REQUEST_TIMEOUT_S: Final = 5.0
_MAX_LIST_BYTES: Final = 2_000_000
_OLD: Final = "The registry of agents did not answer, so this list is {!s}."


@frozen(kw_only=True)
class Listing:
    """What can be added, and what a person should know of the list."""

    offers: tuple[Offer, ...]
    note: str = ""


async def listing(copy: Path) -> Listing:
    """The offers; `copy` is where the last list is kept."""
    try:
        text = await _fetched(address())
        offers = offers_in(text)
    except RegistryUnread as error:
        return _kept(copy, str(error))
    try:
        write_private(copy, text)
    except UnfitFile:
        return Listing(offers=_with_ours(offers))
    return Listing(offers=_with_ours(offers))


def kept_listing(copy: Path) -> tuple[Offer, ...]:
    """The packages of the last time, first those that this was tried with; nobody is asked."""
    tried = {offer.id: place for place, offer in enumerate(bundled())}
    packages = [offer for offer in _kept(copy, "").offers if offer.installer != PROGRAM]
    return tuple(sorted(packages, key=lambda offer: tried.get(offer.id, len(tried))))


def _kept(copy: Path, because: str) -> Listing:
    try:
        text = read_private(copy)
        offers = None if text is None else offers_in(text)
    except (UnfitFile, RegistryUnread):
        offers = None
    which = "the one that comes with Assent" if offers is None else "that of the last time"
    note = f"{_OLD.format(which)} {because}"
    return Listing(offers=_with_ours(offers or ()), note=note)


def _with_ours(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """The offers of a list, and those that this Assent was tried with in the place of theirs."""
    packages = {offer.package for offer in offers}
    more = [offer for offer in bundled() if offer.package not in packages]
    every = {offer.id: offer for offer in (*more, *offers)}
    return tuple(sorted(every.values(), key=lambda offer: offer.name.casefold()))


async def _fetched(url: str) -> bytes:
    import httpx2  # noqa: PLC0415 -- a server that adds no agent does without it

    try:
        async with (
            httpx2.AsyncClient(timeout=_REQUEST_TIMEOUT_S, headers=_headers()) as client,
            client.stream("GET", url) as answer,
        ):
            if answer.status_code != HTTPStatus.OK:
                raise RegistryUnread(f"It answered {answer.status_code}.")
            text = b""
            async for piece in answer.aiter_bytes():
                text += piece
                if len(text) > _MAX_LIST_BYTES:
                    raise RegistryUnread("It told more than a list of agents takes.")
            return text
    except (httpx2.HTTPError, httpx2.InvalidURL, ssl.SSLError, OSError, ValueError) as error:
        raise RegistryUnread(f"{type(error).__name__}.") from None


def _headers() -> dict[str, str]:
    return {"user-agent": f"Assent/{assent.__version__}", "accept": "application/json"}
