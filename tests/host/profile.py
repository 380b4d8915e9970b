"""What a VS Code is started with, and the throw-away folders that it sees instead of the user's.

Nothing is read from or written to the user's own profile.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# Nothing moves, asks, updates or looks for a network while a test looks on, and nothing is drawn
# that no test looks at.
_CALM: Mapping[str, object] = {
    "workbench.startupEditor": "none",
    "workbench.enableExperiments": False,
    "workbench.tips.enabled": False,
    "chat.disableAIFeatures": True,
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "update.mode": "none",
    "workbench.reduceMotion": "on",
    "editor.minimap.enabled": False,
}
# Set in a terminal of VS Code, and by whoever started us; VS Code would take them for orders.
_NOT_INHERITED = ("VSCODE_", "CODE_SERVER_", "ELECTRON_", "NODE_OPTIONS", "PASSWORD", "PORT")


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """How an editor is to start.

    `trust` leaves workspace trust on, as it is for users. `offline` takes the network away from
    the editor and all that it starts; the module `offline` says how it is opened all the same.
    `machine` are settings of scope `machine`: this editor is a remote one, for which they stand in
    a file of their own.
    """

    vsix: Path | None = None
    beside: Path | None = None
    """Another extension, packaged."""
    trust: bool = False
    offline: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)
    machine: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    home: Path | None = None
    port: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """The folders of one editor, all below one root."""

    root: Path
    home: Path

    @property
    def config(self) -> Path:
        """The settings of the server itself."""
        return self.root / "config.yaml"

    @property
    def output(self) -> Path:
        """What the server prints."""
        return self.root / "server.log"

    @property
    def data(self) -> Path:
        """User data: settings, state, logs."""
        return self.root / "data"

    @property
    def extensions(self) -> Path:
        """Where extensions are installed."""
        return self.root / "extensions"

    @property
    def user_settings(self) -> Path:
        """The settings.json of the user."""
        return self.data / "User" / "settings.json"

    @property
    def machine_settings(self) -> Path:
        """The settings.json of the machine."""
        return self.data / "Machine" / "settings.json"

    @property
    def socket(self) -> Path:
        """Where an editor without a network listens."""
        return self.root / "editor.sock"

    def environment(self, setup: Setup) -> dict[str, str]:
        """The environment that the editor, and all that it starts, shall see."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(_NOT_INHERITED)}
        own = {
            "HOME": str(self.home),
            # Its sockets are deleted with the profile, and their paths have to be short.
            "XDG_RUNTIME_DIR": str(self.root),
            # No marketplace: looking for one would only fail later, without a network.
            "EXTENSIONS_GALLERY": json.dumps({"serviceUrl": ""}),
        }
        if setup.home is None:
            own |= {
                "XDG_CONFIG_HOME": str(self.home / ".config"),
                "XDG_DATA_HOME": str(self.home / ".local" / "share"),
                "XDG_CACHE_HOME": str(self.home / ".cache"),
                "XDG_STATE_HOME": str(self.home / ".local" / "state"),
            }
        return {**inherited, **own, **setup.environment}


def make_profile(setup: Setup) -> Profile:
    """Fresh folders with the settings that the setup asks for."""
    root = Path(tempfile.mkdtemp(prefix="assent-editor-")).resolve()
    profile = Profile(root=root, home=setup.home or root / "home")
    files = (profile.user_settings, profile.machine_settings)
    for folder in (profile.home, profile.extensions, *(file.parent for file in files)):
        folder.mkdir(parents=True, exist_ok=True)
    trust = {"security.workspace.trust.enabled": setup.trust}
    settings = {**_CALM, **trust, **setup.settings}
    profile.user_settings.write_text(json.dumps(settings, indent=2))
    profile.machine_settings.write_text(json.dumps(dict(setup.machine), indent=2))
    address = f"bind-addr: 127.0.0.1:{setup.port}\nauth: none\ncert: false\n"
    profile.config.write_text(address)
    return profile


def discard(profile: Profile) -> None:
    """Delete the folders, the user's own home excepted."""
    shutil.rmtree(profile.root, ignore_errors=True)
