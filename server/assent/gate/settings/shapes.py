"""The forms within settings: an agent, a rule, a model, a hook."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
)
from pydantic.alias_generators import to_camel

from assent.gate.call.modes import Mode
from assent.gate.settings.completion import EFFECT_FORMS, FORMS, RULE_SCHEMA, snippets
from assent.gate.settings.described import Described

__all__ = [
    "AGENT_NAME",
    "IDENTIFIER",
    "SHELLS",
    "AgentName",
    "AgentSetting",
    "Example",
    "HeaderName",
    "HeaderValue",
    "HookSetting",
    "Identifier",
    "KeepSetting",
    "ModeName",
    "ModelSetting",
    "RuleSetting",
    "RulesSetting",
    "ShellName",
    "Strict",
    "TelemetrySetting",
    "Variable",
    "Word",
]

IDENTIFIER: Final = r"^[a-z0-9][a-z0-9._-]{0,63}$"
"""An agent's id. One case only, so that no two ids look alike; `*` is none."""

AGENT_NAME: Final = r"^[A-Za-z0-9][ -~]{0,63}$"
"""What an agent is called in the settings: its id, or a name of which one is made."""

ShellName = Literal["bash", "sh", "zsh", "fish"]
"""Shells that it is known of how to start them so that they run a command and nothing else."""

SHELLS: Final[Mapping[ShellName, str]] = {
    "bash": "Assent reads commands as bash does. If there is no bash, `sh` runs them.",
    "sh": "Assent reads commands as a plain POSIX shell does.",
    "zsh": "What zsh may read in another way than bash asks.",
    "fish": "Assent cannot read fish: every command asks, unless a rule names it exactly.",
}
"""What each means for who chooses it."""


def _startable(text: str) -> str:
    """Refuse what no program can be given: NUL, or half of a character."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("cannot be handed to a program")
    return text


def _one_line(text: str) -> str:
    """Refuse names with characters that would not be seen, or that would break a line."""
    if not text.isprintable() or not text.strip():
        raise ValueError("cannot be shown as a name")
    return text


def _mode_named(value: Any) -> Any:
    """The mode of that name; what is no text is not even looked up, since that may go deep."""
    return _MODES.get(value, value) if isinstance(value, str) else value


_MODES: Final = {mode.value: mode for mode in Mode}

Word = Annotated[str, Field(max_length=4_096), AfterValidator(_startable)]
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=128)]
HeaderName = Annotated[str, Field(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$")]
HeaderValue = Annotated[str, Field(pattern=r"^[ -~]*$", max_length=2_000)]
Identifier = Annotated[str, Field(pattern=IDENTIFIER)]
AgentName = Annotated[str, Field(pattern=AGENT_NAME)]
ModeName = Annotated[Mode, BeforeValidator(_mode_named)]


RuleText = Annotated[str, Field(max_length=4_096, json_schema_extra=RULE_SCHEMA)]
Sentence = Annotated[str, Field(max_length=500)]
Example = Annotated[str, Field(max_length=4_096)]


class Strict(Described, BaseModel):
    """What all of them have in common: strict, frozen, nothing unknown, camelCase outside."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        defer_build=True,
        extra="forbid",
        frozen=True,
        strict=True,
    )


class AgentSetting(Strict):
    """How to start an agent."""

    name: Annotated[str, Field(max_length=80), AfterValidator(_one_line)] = ""
    """What cards call it. Its id, where nothing is said."""
    command: Annotated[Word, Field(min_length=1)]
    """The program to start."""
    args: Annotated[list[Word], Field(max_length=64)] = []
    """What it is started with, one word each; no shell reads them."""
    env: Annotated[dict[Variable, Word], Field(max_length=64)] = {}
    """Variables that are set for it, beside those that it inherits. In your own settings
    `${secret:NAME}` stands for a secret that the editor keeps, and `${env:NAME}` for a variable
    with which the editor was started."""


class KeepSetting(Strict):
    """How long chats are kept, and how much of them."""

    days: Annotated[int, Field(ge=0, le=3_650)] = 90
    """Days since something happened in one last; `0` keeps none beyond its window."""
    megabytes: Annotated[int, Field(ge=1, le=100_000)] = 1_000
    """Of more than that the oldest chats are deleted."""


class TelemetrySetting(Strict):
    """Where counts are sent, and how much is said."""

    endpoint: Annotated[str, Field(max_length=1_024)] = ""
    """Where the collector takes OTLP over HTTP, such as `http://127.0.0.1:4318`. Nothing is sent
    where nothing is said."""
    details: bool = False
    """Whether commands, paths, addresses and the ids of agents are sent too."""


class ModelSetting(Strict):
    """A model that our own agent can work with."""

    provider: Literal["ollama", "openai", "anthropic", "replay"]
    """How it is spoken to; `openai` is every host that speaks OpenAI's chat completions."""
    model: Annotated[Word, Field(min_length=1)]
    """What its host calls it."""
    name: Annotated[str, Field(max_length=80)] = ""
    """What you call it. Its model and host, where nothing is said."""
    url: Annotated[str, Field(max_length=1_024)] = ""
    """Where its host is, such as `https://openrouter.ai/api/v1`. The provider's own place, where
    nothing is said."""
    key: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$", max_length=128)] = ""
    """The name of its key: a variable of the environment, or what you named it in the command
    “Assent: Set a Model's Key…”. Never the key itself."""
    window: Annotated[int, Field(ge=2_048, le=16_000_000)] | None = None
    """How many tokens it can read, where its host does not say."""
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    """How much it may think. As its host likes, where nothing is said; can be changed in a chat."""
    path: Annotated[str, Field(pattern=r"^(/[!-~]*)?$", max_length=1_024)] = ""
    """Where it is asked below `url`, such as `/chat/completions?api-version=2024-10-21`. The
    provider's own path, where nothing is said."""
    headers: Annotated[dict[HeaderName, HeaderValue], Field(max_length=20)] = {}
    """What is sent beside each request, such as `{"api-key": "${AZURE_KEY}"}`: a name in `${…}`
    stands for the key of that name. Never a key itself."""
    body: Annotated[dict[str, Any], Field(max_length=50)] = {}
    """More members of each request; `null` leaves one out."""
    kinds: Annotated[
        list[Literal["chat", "image", "speech"]], Field(min_length=1, max_length=3)
    ] = ["chat"]
    """What it is for: `image` makes pictures, by OpenAI's `/images/generations`, and `speech`
    speaks, by `/audio/speech`."""


class HookSetting(Strict):
    """A command that is run around calls."""

    event: Literal["PreToolUse", "PostToolUse", "Notification"]
    """When it is run."""
    command: Annotated[Word, Field(min_length=1)]
    """What the shell is given. It gets the call as JSON."""
    name: Annotated[str, Field(max_length=80)] = ""
    """What sentences call it."""
    tools: Annotated[
        list[
            Literal[
                "shell",
                "read",
                "write",
                "fetch",
                "network",
                "mcp",
                "run",
                "agent",
                "catalogue",
                "plan",
                "question",
                "form",
                "other",
            ]
        ],
        Field(max_length=20),
    ] = []
    """The kinds of tools that it is about. All of them, where nothing is said."""
    seconds: Annotated[float, Field(gt=0, le=10, allow_inf_nan=False)] = 10
    """How long it may take, at most 10."""


class RuleSetting(Strict):
    """A rule with what else there is to say of it."""

    rule: RuleText
    """The rule itself."""
    why: Sentence = ""
    """Why it is there, for whoever is asked or refused by it."""
    matches: Annotated[list[Example], Field(max_length=100)] = []
    """Calls that it must cover: commands, paths, hosts or names. If it does not, it is refused."""
    spares: Annotated[list[Example], Field(max_length=100)] = []
    """Calls that it must not cover. If it does, it is refused."""
    agent: Identifier | None = None
    """The only agent that it is about."""
    mode: ModeName | None = None
    """The only mode in which it counts."""
    until: str | None = Field(default=None, max_length=40, examples=["2030-12-31"])
    """The last day on which it counts, or the time until which it does, such as `2030-12-31`."""
    folder: str | None = Field(default=None, alias="in", max_length=1_024, examples=["~/code/app"])
    """The only folder in which it counts, where that is the whole workspace. For rules that allow,
    in your own settings."""
    sandbox: bool = False
    """Whether it counts only where the command runs in the sandbox. What the command changes in
    the workspace becomes real then. For rules that allow commands."""
    off: bool = False
    """Whether it is switched off: it stays where it stands, and counts for nothing."""


def _offering(*examples: str) -> Any:
    """What the editor offers as an item of a list of rules."""
    offered: dict[str, Any] = {"defaultSnippets": snippets(examples)}
    return Field(json_schema_extra=offered)


Rule = RuleText | RuleSetting
MostRules = Field(max_length=20_000)


class RulesSetting(Strict):
    """What is allowed, asked about and denied, whatever the mode says."""

    allow: Annotated[list[Annotated[Rule, _offering(*FORMS)]], MostRules] = []
    """What is done without asking, unless another rule asks or denies."""
    ask: Annotated[list[Annotated[Rule, _offering(*FORMS, *EFFECT_FORMS)]], MostRules] = []
    """What is asked about in every mode."""
    deny: Annotated[list[Annotated[Rule, _offering(*FORMS, *EFFECT_FORMS)]], MostRules] = []
    """What is refused in every mode."""
