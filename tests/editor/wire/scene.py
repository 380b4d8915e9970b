"""A person at a real server: a workspace on the disk, a chat with Eliza, and cards to answer."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import orjson
from attrs import define, field

from assent.editor.protocol.chats import TurnEnd
from editor.wire.client import Client, Refusal
from editor.wire.editor import Editor

__all__ = ["Scene", "Stage"]

IN_TIME: Final = 60.0
"""How long an agent's process may take to start on a busy machine."""

Stage = Callable[..., Awaitable["Scene"]]


@define
class Scene:
    """One window."""

    client: Client
    folder: Path
    state: Path
    chats: list[str] = field(factory=list)

    @property
    def editor(self) -> Editor:
        return self.client.editor

    async def chat(
        self, agent: str = "eliza", mode: str | None = None, model: str | None = None
    ) -> str:
        """Open a chat."""
        wanted = {"agentId": agent, "mode": mode, "model": model}
        params = {name: value for name, value in wanted.items() if value is not None}
        ref = await self.client.request("agent/newChat", params, within=IN_TIME)
        self.chats.append(ref.chat_id)
        return str(ref.chat_id)

    def say(self, chat: str, text: str) -> "asyncio.Future[Any]":
        """Say something; the future is how the turn ended."""
        return self.client.ask("agent/prompt", {"chatId": chat, "text": text})[1]

    async def turn(self, chat: str, text: str) -> Any:
        """Say something, and wait for the turn's end."""
        async with asyncio.timeout(IN_TIME):
            return await self.say(chat, text)

    async def outcome(self, chat: str, text: str) -> Any:
        """The same; that the agent was not given the message is an end by an error, too."""
        try:
            return await self.turn(chat, text)
        except Refusal as refusal:
            return TurnEnd(reason="error", because=refusal.message)

    async def card(self, where: Callable[[Any], bool] = lambda _: True) -> Any:
        """The next ticket that is told of."""
        return await self.client.expect("tool/approvalRequest", where, timeout=IN_TIME)

    async def settled(self, ticket: Any) -> Any:
        """How a ticket ended, as all replicas are told."""
        found: list[Any] = []

        def ended() -> bool:
            found[:] = [
                told
                for told in self.client.told("tool/approvalSettled")
                if told.approval_id == ticket.approval_id
            ]
            return bool(found)

        await self.client.until(ended)
        return found[0]

    async def answer(self, ticket: Any, option: str, **changed: Any) -> Any:
        """Answer a card as the webview does; `changed` forges a member."""
        return await self.client.request(
            "tool/approvalResponse", self.answering(ticket, option, **changed)
        )

    def answering(self, ticket: Any, option: str, **changed: Any) -> dict[str, Any]:
        """The parameters of an answer."""
        return {
            "approvalId": ticket.approval_id,
            "chatId": ticket.chat_id,
            "revision": ticket.revision,
            "digest": ticket.digest,
            "optionId": option,
            "shownMs": 900,
            **changed,
        }

    def rows(self, kind: str | None = None) -> list[dict[str, Any]]:
        """The journal, read from the disk by somebody else."""
        path = self.state / "journal.db"
        if not path.exists():
            return []
        with sqlite3.connect(path) as database:
            database.row_factory = sqlite3.Row
            # A file that is made right now has no table yet.
            made = database.execute("select 1 from sqlite_master where name = 'entries'").fetchall()
            found = database.execute("select * from entries order by seq") if made else ()
            rows = [dict(row) for row in found]
        database.close()
        for row in rows:
            row["body"] = orjson.loads(row["body"])
        return [row for row in rows if kind in {None, row["kind"]}]

    def record(self, chat: str, *, title: str = "", state: str = "") -> Any | None:
        """The newest state of the last call whose title has this in it, if it is in this state."""
        found: dict[str, Any] = {}
        for told in self.client.told("agent/event"):
            if told.chat_id == chat and told.event.kind == "call":
                found[told.event.call.call_id] = told.event.call
        fits = [it for it in found.values() if title in "".join(span.text for span in it.title)]
        return fits[-1] if fits and state in {"", fits[-1].state} else None

    async def reaches(self, chat: str, state: str, title: str = "") -> Any:
        """The call whose title has this in it, once it has come to this state."""
        found: list[Any] = []

        def there() -> bool:
            found[:] = [self.record(chat, title=title, state=state)]
            return found[0] is not None

        await self.client.until(there, within=IN_TIME)
        return found[0]

    def heard(self, chat: str) -> str:
        """All that the agent said in a chat."""
        return "".join(
            told.event.append
            for told in self.client.told("agent/event")
            if told.chat_id == chat and told.event.kind == "said" and told.event.who == "agent"
        )

    def printed(self, chat: str) -> str:
        """All that the calls of a chat put out."""
        return "".join(
            told.event.append
            for told in self.client.told("agent/event")
            if told.chat_id == chat and told.event.kind == "output"
        )

    def notices(self, chat: str) -> list[str]:
        """All notices in a chat."""
        return [
            told.event.notice.text
            for told in self.client.told("agent/event")
            if told.chat_id == chat and told.event.kind == "notice"
        ]

    async def change_settings(self, **layers: dict[str, Any]) -> None:
        """Write settings by hand, as a person does in the file, and let the editor tell."""
        for layer, keys in layers.items():
            self.editor.layers.setdefault(layer, {}).update(keys)
        self.editor.save()
        await self.tell_of_change()

    async def tell_of_change(self) -> None:
        """Let the editor tell that settings changed, and wait until the server has read them.

        Settings are read one time after the other: where the server asks for them a second time,
        what it was told the first time holds.
        """
        for _ in range(2):
            before = self.editor.inspections
            self.client.notify("workspace/didChangeConfiguration", {"settings": None})
            await self.client.until(lambda before=before: self.editor.inspections > before)
