"""Every setting, once: its type, its default, its scope, and its description.

What the editor offers, what `docs/settings.md` lists and what the server accepts are made from
this model. It says what a setting may look like, never whether a layer may set it.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from assent.gate.call.modes import NAMES, Mode
from assent.gate.settings.collection_shape import CollectionName, CollectionSetting
from assent.gate.settings.server_shape import ServerName, ServerSetting
from assent.gate.settings.shapes import (
    SHELLS,
    AgentName,
    AgentSetting,
    Example,
    HookSetting,
    Identifier,
    KeepSetting,
    ModelSetting,
    ModeName,
    RulesSetting,
    ShellName,
    Strict,
    TelemetrySetting,
)

__all__ = ["DEFAULTS", "Settings"]

MODE_SAYS: Final[dict[Mode, str]] = {
    Mode.PLAN: (
        "Reads the workspace, by commands too. Asks before it reads elsewhere, and refuses the"
        " rest."
    ),
    Mode.ASK: "Asks before every call.",
    Mode.DEFAULT: (
        "Reads the workspace, by commands too. Runs other commands in the sandbox where it can, and"
        " asks before everything else."
    ),
    Mode.ACCEPT_EDITS: (
        "Reads the workspace and edits its files. Runs commands in the sandbox where it can, and"
        " asks before everything else."
    ),
    Mode.AUTO: (
        "Runs commands in the sandbox where it can. Asks only about what leaves it, and outside of"
        " it about changes to settings, hooks and start-up files, removals of everything, and what"
        " cannot be read."
    ),
}
"""What each mode does, for the list that the settings editor offers."""

_ALONE: Final = "User settings only."
_LESS: Final = "A workspace can only lower it."
MAX_WAIT_S: Final = 7 * 24 * 60 * 60
"""In seconds: a week."""


def _setting(default: Any, *, title: str, says: str, scope: str, **more: Any) -> Any:
    """A field, with what the editor wants to know about it beside its type."""
    extra = {"scope": scope, **more}
    return Field(default=default, title=title, description=says, json_schema_extra=extra)


class Settings(Strict):
    """The section `assent`, in the order in which the settings editor shows it."""

    mode: ModeName = _setting(
        Mode.DEFAULT,
        title="Mode",
        says="How much agents may do without asking in a new chat. You can change the mode in the"
        " chat. A workspace can make it stricter at once, and looser only after you agree.",
        scope="resource",
        enumItemLabels=[NAMES[mode] for mode in Mode],
        enumDescriptions=[MODE_SAYS[mode] for mode in Mode],
        restricted=True,
    )
    bypass_permissions: dict[Identifier, bool] = _setting(
        {},
        title="Bypass permissions",
        says="Agents that work in this workspace without asking you: the agent's id and `true`,"
        ' such as `{"eliza": true}`. Workspace settings only, and only after you agree;'
        " `false` counts at once. Rules that deny or ask still hold, and so do the questions of"
        " every mode.",
        scope="resource",
        ignoreSync=True,
        restricted=True,
    )
    sandbox: Literal["auto", "offer", "off"] = _setting(
        "auto",
        title="Sandbox",
        says="Which commands of Assent's own agent run on a copy of the workspace, where this"
        " machine can do that. A workspace can only make it stricter.",
        scope="resource",
        enumDescriptions=[
            "In Default and Accept edits, those you would be asked about. In Auto, most commands.",
            "Those for which you choose it on their card.",
            "None.",
        ],
    )
    agents: dict[AgentName, AgentSetting] = _setting(
        {},
        title="Agents",
        says="Agents that speak the Agent Client Protocol, by a name of your choice, beside Assent"
        " and Eliza. For example:\n\n```json\n"
        '"assent.agents": {\n  "claude": {\n    "name": "Claude Code",\n    "command": "npx",\n'
        '    "args": ["-y", "@agentclientprotocol/claude-agent-acp"]\n  }\n}\n```\n\n'
        "An agent that a workspace names starts only after you agree to its exact command.",
        scope="machine-overridable",
        restricted=True,
    )
    rules: RulesSetting = _setting(
        RulesSetting.model_construct(),
        title="Rules",
        says="Calls to allow, ask about or deny in every mode. Deny wins over ask, and ask over"
        " allow. For example:\n\n```json\n"
        '"assent.rules": {\n  "allow": ["shell(npm test:*)", "read(~/notes/**)"],\n'
        '  "ask": ["shell(git push:*)"],\n'
        '  "deny": [{ "rule": "read(./.env)", "why": "It has passwords in it." }]\n}\n```\n\n'
        "`shell(git status:*)` is a command that begins with these words, `shell(npm test)` exactly"
        " this command. Paths begin with `./` for the workspace, `~/` or `/`. There are also"
        " `fetch(domain:example.org)`, `network(example.org:443)`, `mcp(server:tool)`,"
        " `mcp(server:get_*)`, `run(workflow:NAME)`, `agent(NAME)`, and, to ask or deny,"
        " `effect(write:outside)`. What a workspace allows counts only after you agree; what it"
        " asks about or denies counts at once.",
        scope="resource",
        restricted=True,
    )
    additional_directories: Annotated[list[Example], Field(max_length=100)] = _setting(
        [],
        title="Additional directories",
        says="Folders outside the workspace that count as part of it, such as"
        ' `["~/notes"]`. Those that a workspace names count only after you agree.',
        scope="resource",
        restricted=True,
    )
    models: Annotated[list[ModelSetting], Field(max_length=50)] = _setting(
        [],
        title="Models",
        says="The models of Assent's own agent, beside those of an Ollama that runs on this"
        " machine. For example:\n\n```json\n"
        '"assent.models": [\n  { "provider": "anthropic", "model": "claude-sonnet-4-5" },\n'
        '  { "provider": "openai", "model": "qwen3-coder", "url": "http://127.0.0.1:1234/v1" }\n]'
        "\n```\n\nKeys come from the environment (`ANTHROPIC_API_KEY`, `OPENAI_API_KEY`) or"
        f" from the editor's secret storage (“Assent: Set a Model's Key…”). {_ALONE}",
        scope="machine",
        restricted=True,
    )
    search_url: Annotated[str, Field(max_length=1_024)] = _setting(
        "",
        title="Search URL",
        says="Where Assent's own agent searches the web: the address of a SearXNG instance that"
        f" answers in JSON, such as `https://searx.example.org/search`. {_ALONE}",
        scope="machine",
        restricted=True,
    )
    mcp_servers: Annotated[dict[ServerName, ServerSetting], Field(max_length=100)] = _setting(
        {},
        title="MCP servers",
        says="Servers of the Model Context Protocol, by a name of your choice. Assent's own agent"
        " and agents that Assent starts can use their tools. For example:\n\n```json\n"
        '"assent.mcpServers": {\n  "github": {\n    "command": "github-mcp-server",\n'
        '    "args": ["stdio"],\n'
        '    "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "${secret:GITHUB}" }\n  }\n}\n```\n\n'
        "A server at an address has a `url`, and may have `headers`, instead. A server starts when"
        " an agent first looks for a tool. Rules name a call as `mcp(github:create_issue)`."
        f" {_ALONE}",
        scope="machine",
        restricted=True,
    )
    nodetool: Annotated[str, Field(max_length=1_024)] = _setting(
        "",
        title="Nodetool",
        says="The path of the Python of an environment with `nodetool-core` and node packs, such as"
        " `~/nodetool/bin/python`. It loads the packs when an agent first looks for a tool. Rules"
        f" name a run of a node as `mcp(nodetool:NODE)`. {_ALONE}",
        scope="machine",
        restricted=True,
    )
    nodes: Annotated[list[Annotated[str, Field(max_length=1_024)]], Field(max_length=20)] = (
        _setting(
            [],
            title="Nodes",
            says='Python files whose functions agents may use, such as `["~/nodes/*.py"]`. Each'
            " public function with type hints and a docstring is a node `functions:NAME`. Assent"
            " runs the files to find them when an agent first looks for a tool. Rules name a run"
            f" of a function as `mcp(functions:NAME)`. {_ALONE}",
            scope="machine",
            restricted=True,
        )
    )
    collections: Annotated[dict[CollectionName, CollectionSetting], Field(max_length=50)] = (
        _setting(
            {},
            title="Collections",
            says="Documents that Assent's own agent may search, by a name of your choice. For"
            ' example:\n\n```json\n"assent.collections": {\n  "docs": {\n'
            '    "paths": ["./docs/**/*.md"],\n    "embed": "ollama:nomic-embed-text"\n  }\n}'
            "\n```\n\nWithout `embed`, the agent searches by words only. The model must be on this"
            " machine. Assent makes an index when the agent first searches, without files that a"
            " rule denies or that hold secrets. A workspace can name files of the workspace, and no"
            " model.",
            scope="resource",
            restricted=True,
        )
    )
    collections_url: Annotated[str, Field(max_length=1_024)] = _setting(
        "",
        title="Collections URL",
        says="A team's PostgreSQL that keeps the indexes of collections, instead of this machine,"
        " such as `postgresql://me:${secret:TEAM}@db.example.org/docs`. The texts of your"
        " collections are sent there. Without `${secret:…}`, the password is in `PGPASSFILE` or"
        f" `~/.pgpass`, never here. {_ALONE}",
        scope="machine",
        restricted=True,
    )
    shell: ShellName = _setting(
        "bash",
        title="Shell",
        says="The shell that runs the commands of Assent's own agent, without your start-up files."
        f" {_ALONE}",
        scope="machine",
        restricted=True,
        enumDescriptions=[*SHELLS.values()],
    )
    keep_chats: KeepSetting = _setting(
        KeepSetting.model_construct(),
        title="Keep chats",
        says="How long chats, and the cards in History, are kept on this machine, and how much of"
        ' them: `{"days": 90, "megabytes": 1000}`. When a window opens, Assent deletes what is'
        f" more, the oldest first; `0` days deletes all chats then. {_ALONE}",
        scope="machine",
        restricted=True,
    )
    telemetry: TelemetrySetting = _setting(
        TelemetrySetting.model_construct(),
        title="Telemetry",
        says="A collector of your own that gets numbers about decisions, by OpenTelemetry:"
        ' `{"endpoint": "http://127.0.0.1:4318"}`. Assent sends nothing unless you name one, and'
        " no command, path, host or word of an agent unless you add"
        f' `"details": true`. {_ALONE}',
        scope="machine",
        restricted=True,
    )
    hooks: Annotated[list[HookSetting], Field(max_length=20)] = _setting(
        [],
        title="Hooks",
        says="Commands that run before Assent judges a call (`PreToolUse`), after the call ran"
        " (`PostToolUse`), and when a card waits (`Notification`). Each gets the call as JSON, and"
        " can deny it, make it ask, allow what the mode would ask about, or change its input."
        " For example:\n\n```json\n"
        '"assent.hooks": [{ "event": "PreToolUse", "tools": ["write"], "command": "~/bin/check" }]'
        "\n```\n\nThose that a workspace names run only after you agree to their exact"
        " commands.",
        scope="resource",
        restricted=True,
    )
    requests_per_turn: Annotated[int, Field(ge=1, le=10_000)] = _setting(
        100,
        title="Requests per turn",
        says=f"Requests of Assent's own agent to its model in one turn. {_LESS}",
        scope="window",
    )
    tokens_per_turn: Annotated[int, Field(ge=1, le=1_000_000_000)] = _setting(
        50_000_000,
        title="Tokens per turn",
        says="Tokens that the model of Assent's own agent may read and write in one turn, cached"
        f" tokens included. {_LESS}",
        scope="window",
    )
    tokens_per_part: Annotated[int, Field(ge=1, le=1_000_000_000)] = _setting(
        10_000_000,
        title="Tokens per part",
        says="Tokens for one part of a turn (`run_subtask`), with the parts within it. Then the"
        f" turn ends, and *Continue* resumes the part. {_LESS}",
        scope="window",
    )
    writes_per_turn: Annotated[int, Field(ge=0, le=10_000)] = _setting(
        100,
        title="Writes per turn",
        says=f"Changes to files by Assent's own agent in one turn. {_LESS}",
        scope="window",
    )
    approval_timeout: Annotated[float, Field(ge=0, le=MAX_WAIT_S, allow_inf_nan=False)] = _setting(
        300,
        title="Approval timeout",
        says="Seconds after which a card that nobody has answered is denied. `0` waits for"
        " ever. A workspace can only shorten it.",
        scope="window",
    )
    hook_without_editor: Literal["leave", "deny"] = _setting(
        "leave",
        title="Hook without editor",
        says="What happens to a question of an agent in a terminal (`assent connect`) while no"
        f" editor is open: `leave` leaves it to the agent, `deny` refuses the call. {_ALONE}",
        scope="application",
        enumDescriptions=[
            "The agent asks its own question. If it cannot ask, the call is refused.",
            "Calls that would ask are refused.",
        ],
    )
    notifications: bool = _setting(
        True,
        title="Notifications",
        says="Show a notification when a card has waited for ten seconds and nobody has seen it.",
        scope="application",
    )
    interpreter: str = _setting(
        "",
        title="Interpreter",
        says="The Python, 3.11 to 3.14, that runs Assent's server. If it is empty, Assent looks for"
        " one. One that a workspace names is used only after you agree.",
        scope="machine-overridable",
        restricted=True,
    )
    server_command: list[str] = _setting(
        [],
        title="Server command",
        says="The command that starts another Assent server than the one in the extension, one word"
        ' each, such as `["/path/to/venv/bin/assent", "serve"]`.',
        scope="machine",
        restricted=True,
    )


DEFAULTS: Final = Settings.model_construct()
"""What holds where nothing is said. What checks a setting is built once one is said."""
