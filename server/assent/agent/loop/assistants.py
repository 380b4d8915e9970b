"""Our own agent as the rest of the server sees it: its chats, their turns and their ends.

It is hosted as other people's agents are. Enter it with `async with`: it leaves nothing running.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Self

from assent.agent.loop.attachments import Prompt, prompt_of
from assent.agent.loop.budget import Budget
from assent.agent.loop.chat import Chat, Turn
from assent.agent.loop.compaction import asked_to_compact
from assent.agent.loop.conversation import Conversation
from assent.agent.loop.loop import Ending, compact, work_on
from assent.agent.loop.outputs import Outputs
from assent.agent.loop.ports import Ports, Work
from assent.agent.loop.retry_delays import RetryDelays
from assent.agent.loop.setup import Setup
from assent.agent.loop.situation_notes import begin
from assent.agent.loop.speech import Voice
from assent.agent.loop.subtasks import work_on_part
from assent.agent.loop.turn_report import report_turn
from assent.agent.loop.undo_stack import Undoable
from assent.agent.loop.wording import shell_ended
from assent.agent.loop.workflow_rerun import run_again
from assent.gate.admit import Gate
from assent.gate.call.calls import AgentId, Call, CallId, ChatId
from assent.gate.call.errors import AgentFailed
from assent.gate.call.verdicts import Actor
from assent.gate.disk.places import Places
from assent.gate.journal.agent_events import ALONE, Beside, Pictured
from assent.gate.journal.events import Said, Tell
from assent.gate.journal.speech import Speech
from assent.gate.processes.shell import BY_PERSON, Shell, ShellState
from assent.gate.processes.shell_registry import ShellRegistry
from assent.gate.settings.private_files import spare_folder
from assent.gate.values import define, evolve, field

__all__ = ["Assistants"]


@define(eq=False)
class Assistants:
    """The chats with our own agent."""

    _gate: Gate
    _tell: Tell
    _places: Callable[[], Places]
    _setup: Setup
    _ports: Ports = field(init=False)
    _chats: dict[ChatId, Chat] = field(factory=dict, init=False)
    _closed: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._ports = Ports(
            gate=self._gate,
            speech=Speech(self._tell),
            places=self._places,
            setup=self._setup,
            outputs=Outputs(folder=self._setup.state_folder / "outputs"),
            subtask=work_on_part,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end_all()
        await self._setup.close()

    async def forget(self, chats: Iterable[str]) -> None:
        """Keep nothing of the graphs that were run in these chats; raises `RunsUnkept`."""
        if self._setup.runs is not None:
            await self._setup.runs.forget(chats)

    async def forget_but(self, chats: Iterable[str]) -> None:
        """Forget every chat but these and those of open windows."""
        if self._setup.runs is not None:
            await self._setup.runs.keep_only(chats)

    def is_running(self, chat: ChatId) -> bool:
        """Whether a turn is under way in a chat."""
        return chat in self._chats and self._chats[chat].turn is not None

    def open(self, chat: ChatId, agent: AgentId, model_id: str, cwd: str) -> None:
        """Begin a chat; its model is asked for with the first prompt."""
        folder = spare_folder(self._setup.state_folder, "shells")
        shell_registry = ShellRegistry(
            chat=chat, changed=partial(self._changed_shell, chat), folder=folder
        )
        self._chats.setdefault(
            chat, Chat(id=chat, agent=agent, cwd=cwd, model=model_id, shell_registry=shell_registry)
        )

    def go_on(self, chat: ChatId, conversation: Conversation, prompts: int) -> None:
        """Go on with what was said before, after so many prompts."""
        running = self._chat(chat)
        running.conversation, running.prompts = conversation, prompts

    def conversation(self, chat: ChatId) -> Conversation | None:
        """What was said in a chat, as its model is told."""
        return self._chats[chat].conversation if chat in self._chats else None

    def set_model(self, chat: ChatId, model_id: str) -> None:
        """Go on with another model, from the next request on."""
        running = self._chat(chat)
        running.model, running.effort = model_id, None

    def model(self, chat: ChatId) -> str:
        """The id of the model that a chat goes on with."""
        return self._chat(chat).model

    def set_effort(self, chat: ChatId, effort: str) -> None:
        """Let the model think so much, from the next request on."""
        self._chat(chat).effort = effort

    async def prompt(self, chat: ChatId, text: str, beside: Beside = ALONE) -> tuple[str, str]:
        """Say something to the agent, and wait for its turn to end: how, and why."""
        wish = asked_to_compact(text)
        if wish is not None:
            if beside != ALONE:
                raise AgentFailed("Nothing can go with /compact. Take off what is beside it.")
            return await self._compact(self._open_chat(chat), text, wish)
        said = await prompt_of(text, beside, self._setup.provider, self._chat(chat).model)
        running = self._open_chat(chat)  # it may be closed meanwhile
        said = evolve(said, key=self._tell_prompt(running, text, beside))
        if running.turn is not None:
            return await self._steer(running, running.turn, said)
        return await self._turn(running, partial(_answer, said=said))

    async def retry(self, chat: ChatId) -> tuple[str, str]:
        """Ask a model that failed the same again; nothing is said anew."""
        running = self._chat(chat)
        if running.turn is not None or not running.has_failed:
            raise AgentFailed("There is nothing to ask the model again.")
        return await self._turn(running, partial(_answer, said=None))

    async def run_again(self, chat: ChatId, call: CallId, step: str) -> tuple[str, str]:
        """Run a workflow again from a step; the model is told of it with what is said next."""
        return await run_again(self._work(self._chat(chat), Conversation()), call, step)

    async def stop(self, chat: ChatId) -> None:
        """Stop the turn at once: refuse what waits, end what runs, and wait until it is over.

        What a command left behind ends too; what was let go on in the background does not.
        """
        running = self._chat(chat)
        await self._break_off(running, "You stopped the agent, so it was not run.")
        await running.shell_registry.stop("You stopped the agent.")

    def try_now(self, chat: ChatId) -> None:
        """Ask a model that failed again at once; does nothing where nobody waits."""
        for turn in self._chat(chat).turns.values():
            turn.patience.skip()

    async def close(self, chat: ChatId) -> None:
        """End a chat, with all that it started."""
        running = self._chats.pop(chat, None)
        if running is not None:
            await self._end(running, "The chat was closed, so it was not run.")

    async def end_all(self) -> None:
        """End all chats, and take up no work any more; what was said can still be looked at."""
        self._closed = True
        async with asyncio.TaskGroup() as group:
            for chat in tuple(self._chats.values()):
                group.create_task(self._end(chat, "Assent was ended, so it was not run."))

    async def kill(self, chat: ChatId, call: CallId) -> None:
        """End a call that runs, with all that it started; raise where nothing of it runs."""
        running = self._chat(chat)
        shell, flight = running.shell_registry.of_call(call), running.flight(call)
        if shell is not None and shell.state is ShellState.RUNNING:
            await shell.kill()
        elif flight is not None and flight.is_running and flight.task is not None:
            flight.lost = BY_PERSON
            flight.task.cancel()
            await asyncio.wait([flight.task])
        else:
            raise AgentFailed("It does not run any more.")

    def background(self, chat: ChatId, call: CallId) -> None:
        """Let a command go on in the background; raise where it does not run."""
        shell = self._chat(chat).shell_registry.of_call(call)
        if shell is None or shell.state is not ShellState.RUNNING:
            raise AgentFailed("It does not run any more.")
        if shell.is_walled:
            raise AgentFailed("A trial cannot go on in the background.")
        shell.to_background()

    def shell_registry(self, chat: ChatId) -> ShellRegistry:
        """The shells of a chat."""
        return self._chat(chat).shell_registry

    def undoable(self, chat: ChatId, call: CallId) -> Undoable | None:
        """The call as it was carried out, if it changed files and is still known."""
        return self._chats[chat].shelf.find(call) if chat in self._chats else None

    def tell_news(self, chat: ChatId, line: str) -> None:
        """Tell the model with the next prompt what the person did meanwhile."""
        if chat in self._chats:
            self._chats[chat].news.append(line)

    async def _turn(self, chat: Chat, do: Callable[[Work], Awaitable[Ending]]) -> tuple[str, str]:
        """Do a turn, and tell of it: how it ended, and why."""
        work = self._work(chat, chat.conversation)

        async def turn() -> Ending:
            with chat.working(work.turn):
                ending = await do(work)
                work.turn.ending = (ending.reason, ending.because)
                return ending

        return await report_turn(self._ports.speech.tell, chat, turn())

    async def _compact(self, chat: Chat, text: str, wish: str) -> tuple[str, str]:
        if chat.turn is not None:
            raise AgentFailed("The agent is at work. Sum the conversation up when it is done.")
        self._tell_prompt(chat, text, ALONE)
        return await self._turn(chat, partial(compact, wish=wish))

    def _work(self, chat: Chat, conversation: Conversation) -> Work:
        turn = Turn(
            conversation=conversation,
            voice=Voice(partial(self._say, chat.id)),
            budget=Budget(limits=self._setup.limits()),
            patience=RetryDelays(chance=self._setup.chance),
        )
        return Work(ports=self._ports, chat=chat, turn=turn)

    async def _steer(self, chat: Chat, turn: Turn, said: Prompt) -> tuple[str, str]:
        """Say more while it works; what a stopped turn leaves unheard comes before what is next."""
        chat.words.append(said)
        await turn.over.wait()
        return turn.ending

    def _tell_prompt(self, chat: Chat, text: str, beside: Beside) -> str:
        chat.prompts += 1
        key, tell = f"{chat.id}:prompt:{chat.prompts}", self._ports.speech.tell
        if chat.turn is None:
            chat.conversation.mark(key)
        tell(Said(chat=chat.id, who="user", message=key, text=text, references=beside.names))
        for image in beside.images:
            tell(Pictured(chat=chat.id, image=image, is_own=True))
        return key

    def _changed_shell(self, chat: ChatId, shell: Shell) -> None:
        """Tell that a shell took a step, and the model that one ended that nobody waits for."""
        self._setup.changed_shell(chat, shell)
        running = self._chats.get(chat)
        if running is not None and shell.in_background and shell.state is not ShellState.RUNNING:
            running.news.append(shell_ended(shell))

    def _say(self, chat: ChatId, who: str, message: str, text: str) -> None:
        self._ports.speech.tell(Said(chat=chat, who=who, message=message, text=text))

    async def _break_off(self, chat: Chat, because: str) -> None:
        """Break off the turn of a chat, if there is one, and wait until it is over."""
        turn = chat.turn
        tickets = [ticket for ticket in self._gate.room.tickets if ticket.chat == chat.id]
        waiting = frozenset(ticket.asks.id for ticket in tickets if isinstance(ticket.asks, Call))
        self._gate.stop(chat.id, Actor.STOP, because)
        chat.break_off(waiting)
        if turn is not None:
            await turn.over.wait()

    async def _end(self, chat: Chat, because: str) -> None:
        await self._break_off(chat, because)
        await chat.shell_registry.end()
        await asyncio.to_thread(chat.shelf.clear)
        self._ports.speech.forget(chat.id)

    def _open_chat(self, chat: ChatId) -> Chat:
        if self._closed:
            raise AgentFailed("Assent is being ended, so the agent does not work any more.")
        return self._chat(chat)

    def _chat(self, chat: ChatId) -> Chat:
        if chat not in self._chats:
            raise AgentFailed("There is no such chat.")
        return self._chats[chat]


async def _answer(work: Work, said: Prompt | None) -> Ending:
    """The turn for one prompt; without words, for the last one once more."""
    work.chat.let_parts_go_on()
    seen = await begin(work)
    if said is None:
        work.chat.resume(seen)
    else:
        work.chat.say(said, seen)
    return await work_on(work)
