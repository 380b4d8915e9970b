"""What a repository's server asks a person for holds nobody up, and is asked for once."""

import asyncio
from typing import Any

from attrs import define, field

from assent.editor.protocol import editor
from assent.editor.window.servers.server_inputs import ServerInputs
from assent.editor.window.spawn import spawn_in
from assent.gate.settings.inputs import ServerInput
from assent.gate.settings.tool_servers import ServerEntry
from gate.admit.scene import within

ENTRY = ServerEntry(name="workspace-db", command="sh")
KEY, OTHER = (ServerInput(id=it, secret="serverInput." + it * 32) for it in "ab")


@define
class Person:
    """Somebody who says nothing until they do."""

    kept: dict[str, str] = field(factory=dict)
    asked: list[str] = field(factory=list)
    speaks: asyncio.Event = field(factory=asyncio.Event)

    async def request(self, method: str, wanted: Any, _: type) -> Any:
        if method == "secret/get":
            return editor.SecretValue(value=self.kept.get(wanted.name))
        self.asked.append(wanted.name)
        await self.speaks.wait()
        self.kept[wanted.name] = "open sesame"
        return editor.SecretAsked(kept=True)


async def test_who_has_not_answered_yet_is_waited_for_by_nobody_and_not_asked_twice() -> None:
    person = Person()
    async with asyncio.TaskGroup() as group:
        inputs = ServerInputs(person, spawn_in(group), patience=0.0)  # type: ignore[arg-type]
        for _ in range(2):
            assert await within(inputs.said(ENTRY, KEY)) is None
            assert await within(inputs.said(ENTRY, OTHER)) is None
        person.speaks.set()
    assert person.asked == [KEY.secret, OTHER.secret]
    assert await within(inputs.said(ENTRY, KEY)) == "open sesame"


async def test_what_was_said_in_time_is_had_at_once() -> None:
    person = Person()
    person.speaks.set()
    async with asyncio.TaskGroup() as group:
        inputs = ServerInputs(person, spawn_in(group))  # type: ignore[arg-type]
        assert await within(inputs.said(ENTRY, KEY)) == "open sesame"
