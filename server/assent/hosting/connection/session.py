"""One chat's session with an agent: what the agent says and does in it.

An update that is not known, or not well formed, changes nothing and ends nothing.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from uuid import uuid4

from assent.catalogue.nodes.catalogue import Catalogue
from assent.gate.admit import Gate
from assent.gate.call.calls import AgentId, CallId, ChatId
from assent.gate.call.verdicts import Actor
from assent.gate.disk.places import Places
from assent.gate.journal.agent_events import (
    MAX_MEDIA_A_TURN,
    MORE_SHOWN,
    AgentTitled,
    Command,
    CommandsTold,
    Image,
    OptionsTold,
    Pictured,
    Setting,
    Shown,
    Sounded,
)
from assent.gate.journal.events import CallPrinted, GateSeen, Noticed, Said
from assent.gate.journal.speech import Speech
from assent.gate.settings.wishes import Wish
from assent.gate.text.redactor import Redactor
from assent.gate.text.sounds import Sound
from assent.gate.values import define, evolve, field
from assent.hosting.connection.options import Options
from assent.hosting.connection.self_description import commands_in, plan_in, title_in, used_in
from assent.hosting.connection.shapes import Updated
from assent.hosting.connection.shown_contents import text_of_block
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.permission.agent_forms import AgentForms
from assent.hosting.permission.alarms import Alarms
from assent.hosting.permission.call_ids import ToldCallIds
from assent.hosting.permission.calls import Reader
from assent.hosting.permission.coverage import Coverage
from assent.hosting.permission.requests import Questions
from assent.hosting.permission.still_running import still_running
from assent.hosting.permission.toolcall import MAX_OUTPUT_LETTERS, End, ToolCall
from assent.hosting.permission.toolcalls import HOOK_GRACE_S, UNASKED_GRACE_S, ToolCalls
from assent.hosting.recipes.recipe import (
    GENERAL,
    NO_SETTINGS,
    NO_WORDS,
    FolderWords,
    OwnSettings,
    Recipe,
)
from assent.hosting.repositories.left_out import left_out_words
from assent.hosting.repositories.sources import Taken
from assent.hosting.servers.served_calls import ServedCalls
from assent.hosting.servers.session_servers import SessionServers

__all__ = ["Session"]

_LOG = logging.getLogger(__name__)

_SPEAKERS: Final = {"agent_message_chunk": "agent", "agent_thought_chunk": "thought"}
_OF_CALLS: Final = frozenset({"tool_call", "tool_call_update"})
_TOLD_ONCE: Final = frozenset({*_SPEAKERS, "user_message_chunk", *_OF_CALLS})
"""What stands in a chat for good, and not as it is now."""
_NO_HOOK: Final = "{} has not run the hook that Assent gave it, so it asks only when it likes to."


@define(eq=False)
class Session:
    """What goes on between one chat and one agent."""

    chat: ChatId
    spec: AgentSpec
    cwd: str
    _gate: Gate
    _speech: Speech
    _places: Callable[[], Places]
    recipe: Recipe = GENERAL
    clean: Redactor = Redactor()
    """What no text of the agent tells on; what it wants to do stays as it is."""
    keeper: int | None = None
    """The process below which is all that the agent started."""
    is_hooked: bool = False
    """Whether the agent was given the gate's hook."""
    is_told_again: bool = False
    """Whether the agent tells what is in the chat already."""
    seen: ToldCallIds = field(factory=ToldCallIds)
    """The calls that the agent told of in this chat while it made them."""
    is_taken_up: bool = False
    """Whether it goes on with what was said before."""
    taken: tuple[Taken, ...] = ()
    """What a person lets the repository tell the agent."""
    own: OwnSettings = NO_SETTINGS
    """Which of the person's own settings the agent uses."""
    words: FolderWords = NO_WORDS
    """What the folders of the workspace tell the agent."""
    wish: Wish | None = None
    """What the repository asked for and nobody had answered when the session was opened."""
    kept_from: tuple[str, ...] = ()
    """Files of the repository that the agent does not get whole."""
    nodes: Catalogue = field(factory=Catalogue)
    """The tools of servers that the person set up."""
    handed: SessionServers = field(init=False)
    served: ServedCalls = field(init=False)
    options: Options = field(init=False)
    questions: Questions = field(init=False)
    forms: AgentForms = field(init=False)
    coverage: Coverage = field(init=False)
    _calls: ToolCalls = field(init=False)
    _alarms: Alarms = field(init=False)
    _commands: tuple[Command, ...] = ()
    _title: str = ""
    _is_guided: bool = False
    """Whether the agent was told what the folders say, behind a message."""
    _pictures: int = 0
    """How many were shown in this turn."""
    _message: str = ""
    _speaker: str = ""

    def __attrs_post_init__(self) -> None:
        self.options = self._own_options()
        self.handed, self.coverage = (
            SessionServers(self.nodes),
            Coverage(self._tell_tally, self.is_hooked),
        )
        self._alarms = Alarms(
            chat=self.chat,
            agent=self.spec,
            gate=self._gate,
            recipe=self.recipe,
            reader=self._reader,
            coverage=self.coverage,
            notice=partial(self.notice, "error", alarm=True),
        )
        self._calls = ToolCalls(
            recipe=self.recipe,
            comes_here=self.handed.has,
            moment=HOOK_GRACE_S if self.is_hooked else UNASKED_GRACE_S,
            alarm=self._alarms.raised,
            clean=self.clean,
            printed=self._print,
            pictured=self._picture_of,
        )
        self.questions = Questions(
            chat=self.chat,
            name=self.spec.name,
            gate=self._gate,
            calls=self._calls,
            recipe=self.recipe,
            coverage=self.coverage,
            reader=self._reader,
            flush=self.begin_paragraph,
            look=self.handed.look,
            left_since=partial(still_running, self.keeper),
            wanders=self.is_hooked and bool(self.recipe.stays_by),
            warn=lambda text: self.notice("warning", text),
        )
        self.forms = AgentForms(
            chat=self.chat,
            agent=AgentId(self.spec.id),
            name=self.spec.name,
            cwd=self.cwd,
            gate=self._gate,
            flush=self.begin_paragraph,
            is_over=lambda: self.questions.is_over,
            clean=self.clean,
        )
        self.served = ServedCalls(
            gate=self._gate,
            nodes=self.nodes,
            questions=self.questions,
            calls=self._calls,
            coverage=self.coverage,
            reader=self._reader,
            flush=self.begin_paragraph,
            printed=self._print_served,
            pictured=lambda call, image: self._picture(image, call),
        )

    def _own_options(self) -> Options:
        return Options(
            name=self.spec.name,
            tell=self._tell_options,
            warn=partial(self.notice, "warning"),
            is_held=self.is_hooked and self.recipe.hook_holds,
        )

    def hear(self, params: dict[str, Any]) -> None:
        """Take in a `session/update`."""
        update = Updated.model_validate(params).update
        kind = update.get("sessionUpdate")
        if kind == "tool_call":
            self.seen.tell(update.get("toolCallId"), again=self.is_told_again)
        if self.is_told_again and kind in _TOLD_ONCE:
            return
        if kind not in _OF_CALLS:
            update = self.clean.of_json(update)
        match kind:
            case "agent_message_chunk" | "agent_thought_chunk":
                self._say(_SPEAKERS[kind], update)
            case "tool_call" | "tool_call_update":
                self.begin_paragraph()
                self._calls.take_update(update, new=kind == "tool_call")
                self.questions.reworded(update.get("toolCallId"))
            case "plan":
                self._speech.tell(plan_in(self.chat, update))
            case "current_mode_update":
                self.options.mode_is(update.get("currentModeId"))
            case "config_option_update":
                self.options.config_is(update.get("configOptions"))
            case _:
                self._hear_of_itself(kind, update)

    async def turn_over(self) -> None:
        """The agent ended its turn: see its calls to their end, and tell the rest of the alarms."""
        await self.questions.turn_over()
        self._pictures = 0
        self._alarms.turn_over()
        if self.is_hooked and not self.coverage.is_proven and self.coverage.tools:
            self.is_hooked = self.options.is_held = False
            self.options.tell()
            self.notice("warning", _NO_HOOK.format(self.spec.name))

    def folders_say(self, text: str) -> list[dict[str, Any]]:
        """What the folders say, once, behind a message to an agent that is told so in no other way.

        A command is read by itself; whoever goes on with a session was told before.
        """
        is_told = self.is_taken_up or not self.recipe.hears_guides
        if is_told or self._is_guided or not self.words.guides or text.startswith("/"):
            return []
        self._is_guided = True
        return [{"type": "text", "text": self.words.guides}]

    def is_left_running(self, agent: str) -> bool:
        """Whether a sub-agent works on after the call by which it was started has ended."""
        return self._calls.has_ended(agent)

    def leave(self, by: Actor, because: str) -> None:
        """The agent hears nothing more of this session: settle what is open, end what runs."""
        self.questions.gone = True
        self.settle(by, because)
        self._calls.end_all(End.AGENT_GONE, wanted=by is Actor.STOP)
        self.handed.close()

    def settle(self, by: Actor, because: str) -> None:
        """Refuse what waits, and break off what runs here and not at the agent."""
        self.forms.settle()
        self.questions.settle(by, because)
        self.served.stop()

    def notice(self, level: str, text: str, *, alarm: bool = False) -> None:
        """Tell the person something that nobody said."""
        text = self.clean(text)
        self._speech.tell(Noticed(chat=self.chat, level=level, text=text, alarm=alarm))

    def begin_paragraph(self) -> None:
        """What is said next is a message of its own, and stands behind what happens now."""
        self._speech.flush(self.chat)
        self._speaker = ""

    def _reader(self, tool: ToolCall | None = None) -> Reader:
        """Return what reads a call: from the folder that its hook told, else from the session's."""
        agent, later = AgentId(self.spec.id), self.recipe.types_later
        places, chat = self._places(), self.chat
        places = evolve(places, own_files=self.recipe.own_files(places.home, self.cwd))
        reader = Reader(
            chat=chat,
            agent=agent,
            cwd=self.cwd,
            places=places,
            seen=self.handed.seen,
            types_later=later,
        )
        return reader if tool is None or tool.folder is None else reader.in_folder(tool.folder)

    def _hear_of_itself(self, kind: object, update: dict[str, Any]) -> None:
        """Take in what it says of itself; only what is new is told on."""
        if kind == "usage_update":
            if (used := used_in(self.chat, update)) is not None:
                self._speech.tell(used)
        elif kind == "available_commands_update":
            before, self._commands = self._commands, commands_in(update)
            if self._commands != before:
                self._speech.tell(CommandsTold(chat=self.chat, commands=self._commands))
        elif kind == "session_info_update":
            before_it, self._title = self._title, title_in(update) or self._title
            if self._title != before_it:
                self._speech.tell(AgentTitled(chat=self.chat, title=self._title))
        else:
            _LOG.debug("%s sent an update of the kind %r: %r", self.spec.id, kind, update)

    def _tell_options(self, settings: tuple[Setting, ...], loose: str) -> None:
        files = (*self.kept_from, *self.words.left_out)
        left_out = self.clean(left_out_words(self.spec.name, self.own, files))
        self._speech.tell(
            OptionsTold(chat=self.chat, settings=settings, loose=loose, left_out=left_out)
        )

    def _say(self, who: str, update: dict[str, Any]) -> None:
        text = text_of_block(update.get("content"))
        if isinstance(text, Image | Sound):
            self._picture(text)
            return
        if who != self._speaker:
            self._speaker = who
            # Unlike a count, it is not met again after the agent was started anew.
            self._message = str(uuid4())
        self._speech.tell(Said(chat=self.chat, who=who, message=self._message, text=text))

    def show_own(self, images: tuple[Image, ...]) -> None:
        """Show the pictures that the person says with a prompt."""
        for image in images:
            self._speech.tell(Pictured(chat=self.chat, image=image, is_own=True))

    def _picture_of(self, tool: ToolCall, image: Shown) -> None:
        self._picture(image, tool.call)

    def _picture(self, image: Shown, call: CallId | None = None) -> None:
        """Show a picture or a sound, unless there were too many in this turn."""
        self._pictures += 1
        if self._pictures > MAX_MEDIA_A_TURN:
            if self._pictures == MAX_MEDIA_A_TURN + 1:
                self.notice("info", MORE_SHOWN.format(self.spec.name))
            return
        self.begin_paragraph()
        if isinstance(image, Sound):
            self._speech.tell(Sounded(chat=self.chat, sound=image, call=call))
        else:
            self._speech.tell(Pictured(chat=self.chat, image=image, call=call))

    def _print(self, tool: ToolCall, text: str, is_error: bool) -> None:  # noqa: FBT001
        if tool.call is not None:
            printed = CallPrinted(chat=self.chat, call=tool.call, text=text, is_error=is_error)
            self._speech.tell(printed)

    def _print_served(self, call: CallId, text: str) -> None:
        text = self.clean(text)[:MAX_OUTPUT_LETTERS]
        self._speech.tell(CallPrinted(chat=self.chat, call=call, text=text))

    def _tell_tally(self, coverage: Coverage) -> None:
        self._speech.tell(
            GateSeen(
                chat=self.chat, gate=coverage.gate, passed=coverage.passed, tools=coverage.tools
            )
        )
