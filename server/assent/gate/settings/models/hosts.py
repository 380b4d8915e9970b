"""The host of a model: its name, its address, and its key, which is never shown."""

import ipaddress
import json
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from assent.gate.settings.models.hosters import AZURE, HOSTERS, names_by_place
from assent.gate.settings.models.model import NAMED, Dialect, Model
from assent.gate.values import field, frozen

__all__ = ["OLLAMA_URL", "Host", "host_of"]

OLLAMA_URL: Final = "http://127.0.0.1:11434"


@frozen(kw_only=True)
class Host:
    """One host, as one model is reached there."""

    dialect: Dialect
    name: str
    url: str
    """Without a slash at its end."""
    model: str
    key_name: str
    key: str | None = field(default=None, repr=False)
    needs_key: bool = False
    """Whether nothing is answered there without a key."""
    effort: str = ""
    """How much the model may think where nobody says otherwise."""
    is_own: bool = False
    """Whether it is whom the dialect is from."""
    path: str = ""
    """Where a model is asked, where that is not its dialect's own path."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """What is sent beside each request, with the keys in it."""
    body: str = ""
    """More members of each request, as a JSON object."""
    named: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """The keys that stand in headers, by name; an empty one is not there."""

    @property
    def shown(self) -> str:
        """The address without what may be secret in it."""
        return _shown(self.url)

    @property
    def place(self) -> str:
        """The host with the path below it, where the person names one."""
        return _shown(self.url + self.path)

    @property
    def asked_for(self) -> str:
        """The model that a request names in the end: what the person adds to each stands last."""
        named = json.loads(self.body).get("model", self.model) if self.body else self.model
        return "" if named is None else str(named)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What is never shown, the longest first."""
        secrets = {self.key or "", *(key for _, key in self.named)} - {""}
        return tuple(sorted(secrets, key=len, reverse=True))

    @property
    def missing(self) -> str:
        """The name of a key that a header wants and nobody has."""
        return next((name for name, key in self.named if not key), "")

    def giver(self, way: str) -> str:
        """Who gives what is handed back: the way that is spoken, the host, and the model."""
        return f"{way} {self.shown} {self.model}"

    @property
    def encrypted(self) -> bool:
        """Whether what is said there is said in secret, to whoever can prove who it is."""
        return urlsplit(self.url).scheme == "https"

    @property
    def offers_as_openai(self) -> bool:
        """Whether it offers OpenAI's models in the ways in which OpenAI does."""
        return self.dialect is Dialect.OPENAI and (self.is_own or self.url.endswith(AZURE))

    @property
    def near(self) -> bool:
        """Whether it is this machine, which no proxy stands before."""
        return _is_near(urlsplit(self.url).hostname or "")

    @property
    def reachable(self) -> bool:
        """Whether the address can be one."""
        return _is_address(self.url)


@frozen(kw_only=True)
class _Own:
    """The host that a dialect is from."""

    name: str
    url: str
    key_name: str = ""


_OWN: Final = {
    Dialect.OLLAMA: _Own(name="Ollama", url=OLLAMA_URL),
    **{
        hoster.dialect: _Own(name=hoster.name, url=hoster.url, key_name=hoster.key_name)
        for hoster in HOSTERS
        if hoster.is_own
    },
}

_MARKS: Final = re.compile(r"^([a-z][a-z0-9+.-]*://)?.*@|[?#].*$", re.IGNORECASE | re.DOTALL)
"""In what is no address: all before the last `@`, and all that follows the path."""

_KNOWN: Final = names_by_place()


def host_of(model: Model, key: str | None, named: Mapping[str, str] | None = None) -> Host:
    """The host of a model, with its key and those that its headers name."""
    keys = {name: (named or {}).get(name, "").strip() for name in model.named_keys}
    own = _OWN[model.dialect]
    url = (model.url or own.url).rstrip("/")
    is_own = url == own.url
    return Host(
        dialect=model.dialect,
        name=own.name if is_own or model.dialect is Dialect.OLLAMA else _name_at(url, own),
        url=url,
        model=model.model,
        key_name=model.key or (own.key_name if is_own else ""),
        key=(key or "").strip() or None,
        effort=model.effort,
        needs_key=is_own and bool(own.key_name),
        path=model.path,
        headers=tuple((name.lower(), _filled(value, keys)) for name, value in model.headers),
        body=model.body,
        named=tuple(keys.items()),
        is_own=f"{url}/".startswith(f"{own.url.removesuffix('/v1')}/"),
    )


def _filled(header: str, keys: Mapping[str, str]) -> str:
    return NAMED.sub(lambda match: keys.get(match[1], ""), header)


def _name_at(url: str, own: _Own) -> str:
    if url.startswith(f"{own.url}/"):
        return own.name
    shown = _shown(url)
    place = shown.partition("//")[2].partition("/")[0]
    return _KNOWN.get(place.casefold(), place or shown)


def _shown(url: str) -> str:
    """An address without who asks there, with a password, and without what follows its path.

    It goes by the host that is really asked, since rules are about that: an `@` may stand in a
    path. Where it is no address at all, nothing is sent, and only its marks can be gone by.
    """
    if not _is_address(url):
        return _MARKS.sub(r"\1", url)
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_near(name: str) -> bool:
    """Whether a host of that name is this machine."""
    if name.casefold() == "localhost" or name.casefold().endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
