"""The wishes of a workspace, found while its settings are read.

A claim holds only where the workspace is trusted and a person granted exactly this claim.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from assent.gate.call.modes import NAMES, Mode
from assent.gate.settings.agents import AgentEntry
from assent.gate.settings.layers import shown
from assent.gate.settings.wishes import Standing, Wish
from assent.gate.values import define, evolve, field

__all__ = [
    "Claims",
    "Stand",
    "agent_wish",
    "asked_again",
    "bypass_wish",
    "folders_wish",
    "hooks_wish",
    "mode_wish",
    "rules_wish",
]

Stand = Callable[[Wish], Standing | None]
"""Tells how a person answered a wish; None where nobody was asked."""


@define
class Claims:
    """The wishes of one reading, each with its standing."""

    _trusted: bool
    _standing: Stand
    _standings: dict[str, tuple[Wish, Standing | None]] = field(factory=dict)
    _spared: dict[str, Wish] = field(factory=dict)

    def holds(self, wish: Wish) -> bool:
        """Note a wish; whether it is in force."""
        _, standing = self._standings.setdefault(wish.digest, (wish, self._standing(wish)))
        return self._trusted and standing is Standing.GRANTED

    def spare(self, wish: Wish) -> None:
        """Note a wish that changes nothing now: nobody is asked, and an answer to it stays."""
        self._spared[wish.digest] = wish

    @property
    def all(self) -> tuple[Wish, ...]:
        """Everything that the workspace asks for, however it was answered."""
        return (*(wish for wish, _ in self._standings.values()), *self._spared.values())

    @property
    def open(self) -> tuple[Wish, ...]:
        """What a person is still to answer; in an untrusted workspace, nothing."""
        if not self._trusted:
            return ()
        return tuple(wish for wish, standing in self._standings.values() if standing is None)


def mode_wish(mode: Mode) -> Wish:
    """The wish that new chats start in this mode."""
    effect = f"New chats in this workspace would start in {NAMES[mode]} mode. {_MODE_MEANS[mode]}"
    return Wish(key="mode", name="", value=mode.value, effect=effect)


def bypass_wish(agent: AgentEntry) -> Wish:
    """The wish that this agent, as it is started now, is not asked for any more."""
    return Wish(
        key="bypassPermissions",
        name=agent.id,
        value=True,
        effect=f"{agent.name} would read, change files, run commands and reach other machines"
        " from this workspace without asking you. Refusals still hold, and what would change"
        " what is allowed later is still asked about.",
        fingerprint=agent.fingerprint,
    )


def agent_wish(agent: AgentEntry, instead_of: AgentEntry | None = None) -> Wish:
    """The wish that this agent may be started, perhaps in the place of another."""
    verb = "adds" if instead_of is None else f"replaces {shown(instead_of.name)} by"
    return Wish(
        key="agents",
        name=agent.id,
        value={
            "name": agent.name,
            "command": agent.command,
            "args": list(agent.args),
            "env": dict(agent.env),
        },
        effect=f"This workspace {verb} the agent {shown(agent.name)}, which starts this on your"
        f" machine with all your rights: {_started(agent)}",
        fingerprint=agent.fingerprint,
    )


def rules_wish(rules: Sequence[str], parts: tuple[Wish, ...] = ()) -> Wish:
    """The wish that exactly these rules allow what they cover."""
    listed = _listed(rules)
    return Wish(
        key="rules",
        name="",
        value=list(rules),
        parts=parts,
        effect=f"Agents would do this in this workspace without asking you: {listed}. What other"
        " rules ask about or refuse still is.",
    )


def folders_wish(folders: Sequence[str]) -> Wish:
    """The wish that agents may work in exactly these folders beside the workspace."""
    listed = _listed(folders)
    return Wish(
        key="additionalDirectories",
        name="",
        value=list(folders),
        effect=f"Agents would work in these folders as if they lay in this workspace: {listed}.",
    )


def hooks_wish(hooks: Sequence[str]) -> Wish:
    """The wish that exactly these commands are run around calls."""
    listed = ", ".join(shown(hook) for hook in hooks)
    return Wish(
        key="hooks",
        name="",
        value=list(hooks),
        effect="This workspace would run these on your machine with all your rights, whenever an"
        f" agent calls a tool: {listed}.",
    )


def asked_again(wish: Wish, granted_under_other_keys: Sequence[Wish]) -> Wish:
    """The wish with why it is asked again, where other keys sealed an answer that allows it.

    Nobody can check such an answer, so only the words of the wish change.
    """
    wanted = _parts(wish)
    granted = frozenset[str]().union(*map(_parts, granted_under_other_keys))
    new = sorted(wanted - granted)
    if len(new) == len(wanted):
        return wish
    why = (_OTHER_KEYS, _SOME_KNOWN.format(_listed(new)) if new else _ALL_KNOWN)
    return evolve(wish, effect=" ".join((wish.effect, *why)))


def _parts(wish: Wish) -> frozenset[str]:
    """What a wish would allow: each rule by itself, and anything else as a whole."""
    if wish.key == "rules" and isinstance(wish.value, list):
        return frozenset(map(str, wish.value))
    return frozenset([wish.digest])


def _listed(texts: Iterable[str]) -> str:
    """Names in a sentence; none of them can end its own mark and go on as our words."""
    return ", ".join("`{}`".format(text.replace("`", "'")) for text in texts)


def _started(agent: AgentEntry) -> str:
    """The whole command, each word for itself, and which variables are set for it."""
    words = " ".join(shown(word) for word in (agent.command, *agent.args))
    variables = ", ".join(shown(name) for name in agent.env)
    return f"{words} (with {variables} set)" if variables else words


_OTHER_KEYS: Final = "Each browser and each profile seals your answers with its own key."
_ALL_KNOWN: Final = (
    "An answer under another key allows all of this. Assent cannot check that answer here, so it"
    " asks again."
)
_SOME_KNOWN: Final = (
    "An answer under another key, which Assent cannot check here, allows the rest but not this: {}."
)

_MODE_MEANS: Final[dict[Mode, str]] = {
    Mode.PLAN: "It refuses everything but reading.",
    Mode.ASK: "It asks before every call, also where you have set that it is refused.",
    Mode.DEFAULT: "Agents would read the workspace's files without asking you.",
    Mode.ACCEPT_EDITS: "Agents would read and change the workspace's files without asking you.",
    Mode.AUTO: (
        "Agents would read, change files, run commands and reach other machines without asking you."
    ),
}
