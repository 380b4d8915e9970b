"""Rewinds a chat to before a message: the files that our edits changed since, and the words.

What it would do is said first, and bound by a digest: files that come back, those that somebody
else wrote into since, which are left unless the person says otherwise for each, and what ran, of
which nothing is undone. It is the person's own act and widens nothing: no mode, rule or grant is
another afterwards, and a call that waits is refused before anything is touched.
"""

from collections.abc import Awaitable, Callable
from typing import Final
from uuid import uuid4

from assent.agent.loop.assistants import Assistants
from assent.editor.cards.spans import line
from assent.editor.protocol import changes as shapes
from assent.editor.protocol.chats import ChatRef, Nothing
from assent.editor.window.changes.change_lines import kept_line
from assent.editor.window.changes.changes import CHANGED, Changes
from assent.editor.window.changes.commands_since import ran_since
from assent.editor.window.changes.rewind_plan import FileRewind, rewind_plan
from assent.editor.window.changes.steps import UNDO
from assent.editor.window.changes.write_back import WriteBack
from assent.editor.window.chats.transcript import Transcript
from assent.gate.call.calls import digest_of
from assent.gate.call.errors import AssentError
from assent.gate.journal import events
from assent.gate.settings.agents import ASSENT
from assent.gate.values import frozen

__all__ = ["ChatRewind"]

_UNKNOWN: Final = "What was changed since this message is not known any more."
_THEIRS: Final = "Its agent cannot be made to forget what was said: only files come back."
_SUMMED_UP: Final = (
    "The conversation was summed up since, or is not remembered, so it cannot be taken back."
)
_NEITHER: Final = "There is nothing to take back."
_FILES: Final = "[The person put these files back to how they stood before: {}.]"
_STAY: Final = "[The person took the conversation back to here; files stay as they are now.]"


@frozen(kw_only=True)
class ChatRewind:
    """One for each window."""

    changes: Changes
    restoring: WriteBack
    assistants: Assistants
    wake: Callable[[Transcript], Awaitable[None]]
    stop: Callable[[ChatRef], Awaitable[Nothing]]

    async def plan(self, params: shapes.WantRewind) -> shapes.RewindPlan:
        """`chat/planRewind`: what it would do; nothing is done."""
        chat = self.changes.here(params.chat_id)
        return (await self._planned(chat, params.message_id))[0]

    async def rewind(self, params: shapes.Rewind) -> shapes.ChangesDone:
        """`chat/rewind`: what the plan said, if that still is the plan."""
        chat = self.changes.here(params.chat_id)
        async with self.changes.turn:
            await self._stop(chat)
            plan, returns = await self._planned(chat, params.message_id)
            if plan.digest != params.digest:
                raise AssentError(CHANGED)
            if params.conversation and not plan.conversation:
                raise AssentError(plan.because)
            if not (params.files or params.conversation):
                raise AssentError(_NEITHER)
            wanted = [
                file_rewind
                for file_rewind in returns
                if params.files and file_rewind.is_wanted(params.over)
            ]
            words = _describe_rewind(params, wanted, returns, plan)
            await self.changes.keep_row(
                chat,
                "rewound",
                words,
                message=params.message_id,
                files=[file_rewind.back.path for file_rewind in wanted],
                conversation=params.conversation,
            )
            return await self._rewound(chat, params, wanted, words)

    async def _rewound(
        self, chat: Transcript, params: shapes.Rewind, wanted: list[FileRewind], words: str
    ) -> shapes.ChangesDone:
        failed, done = list[str](), list[str]()
        act = f"{UNDO}{uuid4()}"
        for file_rewind in wanted:
            try:
                await self.restoring.write(chat.chat, file_rewind.back, act)
                self._hold(chat, params.message_id, file_rewind)
                done.append(file_rewind.back.shown)
            except AssentError as error:
                failed.append(str(error))
        own = self.assistants.conversation(chat.chat)
        if params.conversation and own is not None:
            own.take_back(params.message_id)
        if done:
            self.changes.tell_model(chat.chat, _FILES.format(", ".join(done)))
        elif params.conversation:
            self.changes.tell_model(chat.chat, _STAY)
        text = " ".join((words, *failed))
        back_to = params.message_id if params.conversation else ""
        notice = events.Noticed(chat=chat.chat, level="info", text=text, back_to=back_to)
        self.changes.board.tell(notice)
        self.changes.tell(chat.chat)
        return shapes.ChangesDone(because=" ".join(failed))

    def _hold(self, chat: Transcript, message: str, file_rewind: FileRewind) -> None:
        """Hold a file that came back against what it was held against at the message."""
        path, then = file_rewind.back.path, file_rewind.back.then
        base = self.changes.of(chat.chat).bases.get(message, {}).get(path, then)
        if not file_rewind.back.lines:
            self.changes.add(chat.chat, kept_line(path, base, then))

    async def _stop(self, chat: Transcript) -> None:
        """What waits is refused and what runs is ended, before anything is taken back."""
        if chat.running or any(
            ticket.chat == chat.chat for ticket in self.changes.gate.room.tickets
        ):
            await self.stop(ChatRef(chat_id=chat.chat))
        if chat.running:
            raise AssentError("Its agent is still at work; try again once it has stopped.")

    async def _planned(
        self, chat: Transcript, message: str
    ) -> tuple[shapes.RewindPlan, list[FileRewind]]:
        changed = self.changes.of(chat.chat)
        steps = changed.since(message)
        if steps is None:
            raise AssentError(_UNKNOWN)
        returns = [
            file_rewind
            for file_rewind in rewind_plan(steps, chat, self.restoring)
            if file_rewind.fate
        ]
        ran, more = ran_since(steps, chat, self.changes.gate)
        because = await self._why_words_stay(chat, message)
        plan = shapes.RewindPlan(
            digest="",
            files=[file_rewind.shape for file_rewind in returns],
            ran=[line(command) for command in ran],
            more_ran=more,
            conversation=not because,
            because=because,
        )
        plan_parts = [message, [file_rewind.bound for file_rewind in returns], ran, more, because]
        return plan.model_copy(update={"digest": digest_of(plan_parts)}), returns

    async def _why_words_stay(self, chat: Transcript, message: str) -> str:
        """Why the conversation cannot be taken back; nothing where it can."""
        if chat.agent != ASSENT.id:
            return _THEIRS
        await self.wake(chat)
        own = self.assistants.conversation(chat.chat)
        return "" if own is not None and message in own.places else _SUMMED_UP


def _describe_rewind(
    params: shapes.Rewind,
    wanted: list[FileRewind],
    returns: list[FileRewind],
    plan: shapes.RewindPlan,
) -> str:
    """What the person did, in sentences."""
    said = ["You rewound to before your message."]
    gone = [
        file_rewind
        for file_rewind in wanted
        if file_rewind.back.then is None and not file_rewind.back.lines
    ]
    if back := [file_rewind for file_rewind in wanted if file_rewind not in gone]:
        said.append(f"Brought back: {_names(back)}.")
    if gone:
        said.append(f"Taken away: {_names(gone)}.")
    left = [file_rewind for file_rewind in returns if file_rewind not in wanted]
    if left:
        said.append(f"Left as they are: {_names(left)}.")
    if params.files and plan.ran:
        count = len(plan.ran) + plan.more_ran
        said.append(f"Not undone: {'one thing' if count == 1 else f'{count} things'} that ran.")
    if params.conversation:
        said.append("The agent does not know what was said since.")
    return " ".join(said)


def _names(returns: list[FileRewind]) -> str:
    return ", ".join(file_rewind.back.shown for file_rewind in returns)
