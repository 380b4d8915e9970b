"""What a person may widen, each time by the editor's own dialog.

A webview should not decide these things, so a native dialog does. What is agreed to is attested
first and written then, so that a crash between the two leaves it off.
"""

from typing import Any

from assent.editor.cards.spans import line, text_of
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import editor
from assent.editor.window.consent.wish_questions import wish_row
from assent.editor.window.settings.setting_writes import twice, write
from assent.editor.window.settings.workspace import Workspace
from assent.gate.approvals.tickets import Option, Outcome, Ticket
from assent.gate.call.calls import AgentId
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import LOOSENESS, NAMES, Mode
from assent.gate.journal.journal import Journal
from assent.gate.settings.claims import bypass_wish
from assent.gate.settings.wishes import Wish
from assent.gate.values import define

__all__ = ["UNTRUSTED", "WideningConsent"]

UNTRUSTED = "Nothing can be widened in a workspace that you do not trust."
_KEY = "bypassPermissions"
_FORBIDDEN = "Your organisation does not let agents work here unasked."
_ALWAYS_ASKED = (
    "changes to settings, hooks and start-up files, removals of everything, and what cannot be read"
    " or leaves a sandbox"
)
_WAITING = {0: "", 1: " A question waits here; if Auto covers it, it runs at once."}
_MANY = " {} questions wait here; those that Auto covers run at once."
_IN_SANDBOX = (
    "Whatever it covers runs in the sandbox without a card again, and what it changes in the"
    " workspace becomes real. You are still asked about hosts, and about files that every mode or"
    " another rule asks about."
)
_SWITCH = {
    True: (
        "Switch this rule on?",
        (
            "Whatever it covers passes without a card again; what would change what is allowed"
            " later is still asked about."
        ),
        "Switch it on",
    ),
    False: (
        "Switch this rule off?",
        "It denies or asks now, and would do so no more until you switch it on again.",
        "Switch it off",
    ),
}
_DREW_BACK = "You drew back, so nothing was changed."


@define
class WideningConsent:
    """Each method tells why it was not done, or None where it was."""

    _wire: Wire
    _journal: Journal
    _workspace: Workspace

    async def bypass(self, agent: AgentId) -> str | None:
        """Stop asking for an agent in this workspace, if the person says so once more."""
        return await self.agree_to_bypass(agent) or await self.grant_bypass(agent)

    async def agree_to_bypass(self, agent: AgentId) -> str | None:
        """Ask once more about a bypass."""
        if not self._workspace.reading.may_bypass:
            return _FORBIDDEN
        if not self._workspace.reading.trusted:
            return UNTRUSTED
        name = self._workspace.agent_name(agent)
        agreed = await self._confirm(
            f"Stop asking for {name} in this workspace?",
            f"{name} will run commands and change files here without a card. Still asked: changes"
            " to settings, hooks and start-up files, and whatever cannot be read."
            " It is written to this workspace's settings; the status bar shows it while it lasts.",
            "Stop asking",
        )
        return None if agreed else _DREW_BACK

    async def grant_bypass(self, agent: AgentId) -> str | None:
        """Attest and write a bypass that the person has agreed to."""
        entry = self._workspace.agent(agent)
        if entry is None:
            return f"There is no agent called {agent}."
        wish = bypass_wish(entry)

        async def grant() -> None:
            # What was written by hand a moment ago is not to be lost.
            await self._workspace.reload()
            await self._workspace.attest(wish, Outcome.ALLOWED)
            await self._write_or_revoke(wish, {**self._written(), agent: True})

        try:
            await self._journal.keep(wish_row(wish, Outcome.ALLOWED, "You stopped asking"))
            await twice(grant)
        except AssentError as error:
            return str(error)
        await self._workspace.reload()
        return None

    async def ask_again(self, agent: AgentId) -> None:
        """Ask for an agent again, from now on; tightening needs no second question.

        It holds before anything is written, and also where nothing can be: what stands in a
        folder's settings, or cannot be taken out, is declined.
        """
        entry, unkept = self._workspace.agent(agent), None
        try:
            if entry is not None:
                await self._workspace.attest(bypass_wish(entry), Outcome.REFUSED)
        except Exception as error:  # noqa: BLE001 -- told below; the bypass is taken out all the same
            unkept = error

        async def take_out() -> None:
            await self._workspace.reload()
            left = {name: value for name, value in self._written().items() if name != agent}
            if len(left) < len(self._written()):
                await self._write(left or None)
                await self._workspace.reload()

        await twice(take_out)
        if unkept is not None:
            raise unkept

    async def agree_to_wish(self, ticket: Ticket) -> str | None:
        """Ask once more about what the workspace's files ask for."""
        if not isinstance(ticket.asks, Wish):
            return "There is nothing to grant here."
        agreed = await self._confirm(ticket.ruling.because, ticket.asks.effect, "Allow this")
        return None if agreed else _DREW_BACK

    async def agree_to_rules(
        self, rules: str, where: str, *, in_sandbox: bool = False
    ) -> str | None:
        """Ask once more about rules that may be wider than what was suggested."""
        if in_sandbox:
            agreed = await self._confirm(
                f"Always run this in the sandbox {where}?",
                f"{rules}\n\nThis may cover more than what was suggested. Whatever it covers runs"
                " in the sandbox without a card, and what it changes in the workspace becomes"
                " real. You are still asked about hosts, and about files that every mode or another"
                " rule asks about.",
                "Always apply",
            )
            return None if agreed else _DREW_BACK
        agreed = await self._confirm(
            f"Always allow this {where}?",
            f"{rules}\n\nThis may cover more than what was suggested. Whatever it covers passes"
            " without a card; what would change what is allowed later is still asked about.",
            "Always allow",
        )
        return None if agreed else _DREW_BACK

    async def agree_to_remove(self, rules: str) -> str | None:
        """Ask once more about taking out rules that deny or ask."""
        agreed = await self._confirm(
            "Take out these rules?",
            f"{rules}\n\nThey deny or ask now, and would do so no more.",
            "Take them out",
        )
        return None if agreed else _DREW_BACK

    async def agree_to_switch(self, rule: str, *, on: bool, in_sandbox: bool = False) -> str | None:
        """Ask once more about a rule that would allow again, or refuse and ask no more."""
        if not self._workspace.reading.trusted:
            return UNTRUSTED
        title, detail, action = _SWITCH[on]
        detail = _IN_SANDBOX if in_sandbox else detail
        agreed = await self._confirm(title, f"{rule}\n\n{detail}", action)
        return None if agreed else _DREW_BACK

    async def agree_to_remember(self, ticket: Ticket, option: Option) -> str | None:
        """Ask once more about an answer that the agent would remember by itself."""
        agreed = await self._confirm(
            "Let the agent remember this answer itself?",
            f"{text_of(line(option.label))}. It may then do such things without asking, and Assent"
            " will not see them.",
            "Let it remember",
        )
        return None if agreed and ticket.chat else _DREW_BACK

    async def agent_option(self, becomes: str) -> str | None:
        """Let an agent have a setting of its own with which it may ask less."""
        if not self._workspace.reading.trusted:
            return UNTRUSTED
        agreed = await self._confirm(
            "Let the agent ask less?",
            f"{becomes} It may then do things without asking Assent first, unless the gate is"
            " verified for it. What ran unasked raises an alarm.",
            "Change it",
        )
        return None if agreed else _DREW_BACK

    async def mode(self, now: Mode, wanted: Mode, agent: AgentId, waiting: int = 0) -> str | None:
        """Let a chat work in a looser mode than both its own and the one new chats start with.

        Auto is asked about each time that a chat goes into it, whatever new chats start with.
        """
        usual = self._workspace.reading.mode
        held = now if wanted is Mode.AUTO else max(now, usual, key=LOOSENESS.index)
        return await self.looser_mode(held, wanted, agent, waiting)

    async def looser_mode(
        self, held: Mode, wanted: Mode, agent: AgentId, waiting: int = 0
    ) -> str | None:
        """Let a chat work in a looser mode than this one; so many of its questions wait."""
        if wanted in self._workspace.reading.forbidden:
            return f"Your organisation does not let chats work in {NAMES[wanted]} mode."
        if LOOSENESS.index(wanted) <= LOOSENESS.index(held):
            return None
        if not self._workspace.reading.trusted:
            return UNTRUSTED
        if wanted is Mode.AUTO:
            return await self._auto(self._workspace.agent_name(agent), waiting)
        name = NAMES[wanted]
        agreed = await self._confirm(
            f"Let this chat work in {name} mode?",
            f"In {name} mode more of what the agent does passes without a card.",
            f"Use {name}",
        )
        return None if agreed else _DREW_BACK

    async def _auto(self, name: str, waiting: int) -> str | None:
        """Ask once more about Auto, whose first button leaves all as it is."""
        agreed = await self._confirm(
            "Run everything unasked in this chat?",
            f"{name} edits files, runs commands and reaches the network without a card."
            f" Still asked: {_ALWAYS_ASKED}. Rules that deny or ask hold."
            f"{_WAITING.get(waiting, _MANY.format(waiting))}"
            " It ends with this chat or this window.",
            "Turn on Auto",
            keeps="Keep asking",
        )
        return None if agreed else _DREW_BACK

    async def _write_or_revoke(self, wish: Wish, value: dict[str, Any]) -> None:
        """Write the setting; a grant whose setting could not be written does not lie in wait."""
        try:
            await self._write(value)
        except BaseException:
            self._workspace.revoke(wish)
            raise

    def _written(self) -> dict[str, Any]:
        """The bypasses that stand in the workspace's settings."""
        bypasses = self._read_setting()
        return bypasses if isinstance(bypasses, dict) else {}

    def _read_setting(self) -> object:
        return self._workspace.keys.get(_KEY, {}).get("workspace")

    async def _write(self, value: object) -> None:
        await write(self._wire, "workspace", _KEY, before=self._read_setting(), value=value)

    async def _confirm(self, title: str, detail: str, action: str, *, keeps: str = "") -> bool:
        asked = editor.Confirm(title=title, detail=detail, actions=[action], keeps=keeps)
        confirmed = await self._wire.request("ui/confirm", asked, editor.Confirmed)
        return confirmed.action == action
