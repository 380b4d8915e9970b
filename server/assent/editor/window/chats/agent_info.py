"""What replicas are told about agents, and the person's choices about them."""

from collections.abc import Sequence

from assent.editor.protocol import chats
from assent.editor.window.models.models import NO_MODEL
from assent.gate.call.errors import AssentError
from assent.gate.journal.agent_events import Image
from assent.gate.journal.events import AgentMoved
from assent.gate.settings.agents import AgentEntry
from assent.hosting.connection.shown_contents import text_of_block

__all__ = ["agent_info", "image_of", "own_info"]


def agent_info(entry: AgentEntry, moved: AgentMoved | None, *, bypassed: bool) -> chats.AgentInfo:
    """An agent of other people, as it stands."""
    state = "needsAnswer" if entry.waits else moved.state if moved else "ready"
    return chats.AgentInfo(
        id=entry.id,
        name=entry.name,
        state=state,  # type: ignore[arg-type]  # one of the five by `AgentMoved`
        because=moved.because if moved else "",
        bypassed=bypassed,
    )


def own_info(
    entry: AgentEntry, models: Sequence[chats.ModelInfo], *, bypassed: bool
) -> chats.AgentInfo:
    """Our own, with what it can think with."""
    return chats.AgentInfo(
        id=entry.id,
        name=entry.name,
        state="ready" if models else "failed",
        because="" if models else NO_MODEL,
        bypassed=bypassed,
        models=list(models),
    )


def image_of(data: str) -> Image:
    """A picture that the person says something with."""
    shown = text_of_block({"type": "image", "data": data})
    if not isinstance(shown, Image):
        raise AssentError(
            "Only pictures that are PNG, JPEG, WebP or GIF, of 1 MiB at most, are sent."
        )
    return shown
