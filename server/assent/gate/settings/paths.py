"""Where settings files lie; nothing here reads them, so asking for them is cheap."""

import os
import pathlib
import sys
from collections.abc import Mapping
from typing import Final

__all__ = [
    "MAX_SETTINGS_BYTES",
    "agent_host",
    "agent_hosts",
    "agents_folder",
    "browser_folder",
    "changes_folder",
    "chats_file",
    "collections_folder",
    "connected_folder",
    "editor_data_folders",
    "epochs_folder",
    "journal_file",
    "key_file",
    "logins_folder",
    "managed_file",
    "nodes_file",
    "sockets_folder",
    "state_path",
    "user_settings_files",
    "workspace_settings_file",
]

MAX_SETTINGS_BYTES: Final = 8_000_000
"""In bytes: what is read of one."""

_EDITORS: Final = {
    "Code": ".vscode-server",
    "Code - OSS": ".vscode-server-oss",
    "Code - Insiders": ".vscode-server-insiders",
    "Code - Exploration": ".vscode-server-exploration",
    "VSCodium": ".vscodium-server",
    "VSCodium - Insiders": ".vscodium-server-insiders",
    "Cursor": ".cursor-server",
    "Windsurf": ".windsurf-server",
    "Windsurf - Next": ".windsurf-server-next",
    "Antigravity": ".antigravity-server",
    "Kiro": ".kiro-server",
    "Trae": ".trae-server",
    "Positron": ".positron-server",
    "openvscode-server": ".openvscode-server",
}
"""What each editor calls the folder of a person's data, and that of its server in their home."""
_IN_BROWSERS: Final = ".local/share/code-server"
_SETTINGS: Final = ("User/settings.json", "Machine/settings.json")
_AGENT_HOST: Final = "agent-host"
_HOSTS: Final = ("stable", "insider", "exploration", "oss")
"""What the command line of an editor calls the builds of it whose agents it has run."""


def editor_data_folders(
    home: pathlib.Path,
    platform: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
) -> tuple[pathlib.Path, ...]:
    """The folders in which the usual editors keep a person's data, those that are there."""
    if platform == "win32":
        set_folder, usual = environment.get("APPDATA"), home / "AppData" / "Roaming"
    elif platform == "darwin":
        set_folder, usual = None, home / "Library" / "Application Support"
    else:
        set_folder, usual = environment.get("XDG_CONFIG_HOME"), home / ".config"
    # An editor that is started without these variables keeps its data in the usual folder.
    named = [
        pathlib.Path(folder) for folder in (environment.get("VSCODE_APPDATA"), set_folder) if folder
    ]
    portable = environment.get("VSCODE_PORTABLE")
    paths = [
        *([pathlib.Path(portable) / "user-data"] if portable else []),
        *(folder / editor for folder in dict.fromkeys([*named, usual]) for editor in _EDITORS),
        home / _IN_BROWSERS,
        *(home / server / "data" for server in _EDITORS.values()),
    ]
    return tuple(path for path in paths if os.path.lexists(path))


def user_settings_files(
    home: pathlib.Path,
    platform: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
) -> tuple[pathlib.Path, ...]:
    """The user settings of the editors that are usual, those that are there."""
    data = editor_data_folders(home, platform, environment)
    files = (folder / name for folder in data for name in _SETTINGS)
    return tuple(path for path in files if os.path.lexists(path))


def agent_host(data: pathlib.Path) -> pathlib.Path:
    """Where an editor says how its own agents are reached, with the token that lets one in.

    Whoever has that token answers each question of these agents.
    """
    return data / _AGENT_HOST


def agent_hosts(
    home: pathlib.Path,
    platform: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
) -> tuple[pathlib.Path, ...]:
    """Where the usual editors say how their agents are reached, and where agents without one do."""
    files = (
        home / server / "cli" / f"agent-host-{build}.lock"
        for server in _EDITORS.values()
        for build in _HOSTS
        if os.path.lexists(home / server)
    )
    return (*map(agent_host, editor_data_folders(home, platform, environment)), *files)


def managed_file(
    platform: str = sys.platform, environment: Mapping[str, str] = os.environ
) -> pathlib.Path:
    """Where the file lies on this kind of machine."""
    if platform == "win32":
        folder = environment.get("PROGRAMDATA") or "C:\\ProgramData"
        return pathlib.Path(folder) / "Assent" / "managed.json"
    if platform == "darwin":
        return pathlib.Path("/Library/Application Support/Assent/managed.json")
    return pathlib.Path("/etc/assent/managed.json")


def state_path(
    environment: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> pathlib.Path:
    """Where Assent keeps what it must remember: a folder of the person's, in no workspace."""
    if state_dir := environment.get("ASSENT_STATE_DIR"):
        return pathlib.Path(state_dir)
    home = pathlib.Path.home()
    if platform == "win32":
        return pathlib.Path(environment.get("LOCALAPPDATA") or home / "AppData/Local") / "Assent"
    if platform == "darwin":
        return home / "Library/Application Support/Assent"
    return pathlib.Path(environment.get("XDG_STATE_HOME") or home / ".local/state") / "assent"


def key_file(state: pathlib.Path) -> pathlib.Path:
    """The key of the attestations, where no editor keeps it."""
    return state / "attestations.key"


def sockets_folder(state: pathlib.Path) -> pathlib.Path:
    """Where the hooks of agents find the gate, with the keys that they prove."""
    return state / "sockets"


def connected_folder(state: pathlib.Path) -> pathlib.Path:
    """What the agents go by that people run in terminals."""
    return state / "connected"


def journal_file(state: pathlib.Path) -> pathlib.Path:
    """What was decided."""
    return state / "journal.db"


def logins_folder(state: pathlib.Path) -> pathlib.Path:
    """At which servers of tools the person logged in; what lets them in is not there."""
    return state / "logins"


def nodes_file(state: pathlib.Path) -> pathlib.Path:
    """What the tools of servers were when they were allowed."""
    return state / "nodes.json"


def agents_folder(state: pathlib.Path) -> pathlib.Path:
    """The agents that were installed here."""
    return state / "agents"


def browser_folder(state: pathlib.Path) -> pathlib.Path:
    """What browsers make, a folder for each."""
    return state / "browser"


def collections_folder(state: pathlib.Path) -> pathlib.Path:
    """The indexes of documents, a folder for each workspace."""
    return state / "collections"


def runs_file(state: pathlib.Path) -> pathlib.Path:
    """What was run of workflows."""
    return state / "workflows" / "runs.db"


def chats_file(state: pathlib.Path) -> pathlib.Path:
    """What was said."""
    return state / "chats.db"


def changes_folder(state: pathlib.Path) -> pathlib.Path:
    """What was changed in chats."""
    return state / "changes"


def epochs_folder(state: pathlib.Path) -> pathlib.Path:
    """The runs that have not ended in order."""
    return state / "epochs"


def workspace_settings_file(workspace: pathlib.Path) -> pathlib.Path:
    """The settings of a workspace: those of its folder, or the file that describes it."""
    if workspace.suffix == ".code-workspace":
        return workspace
    return workspace / ".vscode" / "settings.json"
