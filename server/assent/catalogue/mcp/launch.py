"""How a server is started: finds its program, and fills in its variables."""

import hashlib
import json
from typing import Any

from assent.gate.text.redactor import Redactor
from assent.gate.values import field, frozen

__all__ = ["Launch"]


@frozen(kw_only=True)
class Launch:
    """One server, as the hub starts it."""

    name: str
    """What the person calls it."""
    program: str = ""
    """The file that is run."""
    args: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    """The same as they stand written, before what a person said was put in."""
    env: dict[str, str] = field(factory=dict, hash=False, repr=False)
    """All of its variables."""
    named: tuple[str, ...] = ()
    """The variables, or the headers, that the person set for it, by their names."""
    given: tuple[str, ...] = field(default=(), repr=False)
    """What is taken out of all that it says: what the references among these stand for."""
    url: str = ""
    """Where it is, where it is no program."""
    headers: dict[str, str] = field(factory=dict, hash=False, repr=False)
    """What is sent beside each message."""
    known: dict[str, str] = field(factory=dict, hash=False)
    """Who it is, where its command is one of ours."""
    absent: str = ""
    """What is said where nobody answers at its address, a clause; nothing where that is enough."""
    patience: float = 600.0
    """In seconds: how long one call may take."""
    workspace: str = ""
    """The folder whose files name it; nothing where the person's own settings do."""
    bound: dict[str, str] = field(factory=dict, hash=False)
    """The files that are compared before it starts, each with its mark."""
    client: str = ""
    """As whom one logs in there, where it was agreed beforehand."""
    client_secret: str = field(default="", repr=False)
    port: int = 0
    """Where its page comes back to; none where any will do."""

    @property
    def has_account(self) -> bool:
        """Whether one logs in there: nobody does where what to send was written down."""
        return bool(self.url) and "authorization" not in map(str.lower, self.headers)

    @property
    def clean(self) -> Redactor:
        """Takes its secrets out of what it says: before that is cut, or half of one would stay."""
        return Redactor.of(self.given)

    @property
    def account(self) -> str:
        """Under which name a log-in there is kept: of what it comes to, and not its name alone.

        Two repositories may call their servers alike; what is kept for one is not the other's.
        """
        place = json.dumps([self.url, self.workspace]).encode()
        return f"{self.name}.{hashlib.sha256(place).hexdigest()[:32]}"

    @property
    def identity(self) -> dict[str, Any]:
        """Who it is, but for what it says of itself; what its variables hold is nobody's."""
        if self.known:
            return dict(self.known)
        if self.url:
            return {"url": self.url, "headers": sorted(self.named)}
        return {"command": self.program, "arguments": list(self.written), "env": sorted(self.named)}

    def as_json(self) -> dict[str, Any]:
        """As the hub is told of it."""
        return {
            "name": self.name,
            "program": self.program,
            "args": list(self.args),
            "written": list(self.written),
            "env": self.env,
            "named": list(self.named),
            "given": list(self.given),
            "url": self.url,
            "headers": self.headers,
            "known": self.known,
            "absent": self.absent,
            "patience": self.patience,
            "workspace": self.workspace,
            "bound": self.bound,
            "client": self.client,
            "client_secret": self.client_secret,
            "port": self.port,
        }

    @classmethod
    def of(cls, members: dict[str, Any]) -> "Launch":
        """Read a launch from its members, as the hub receives them."""
        return cls(
            **{
                **members,
                **{
                    member: tuple(members[member])
                    for member in ("args", "written", "named", "given")
                },
            }
        )
