"""Shows Assent in a real VS Code on a sample project: `python -m host.demo dist/assent.vsix`.

The last line printed is the address to open. It ends with Ctrl-C, and leaves nothing behind. The
sample project comes with a model that follows a script, for whoever has no other.
"""

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from . import AbsentError
from .editor import Editor, EditorError
from .install import ensure_host
from .profile import Setup
from .progress import say
from .sample import make_sample

_STORY = Path(__file__).with_name("fixing.json")
# Of a script each reply comes once, and a person may try the same thing again and again.
_TIMES = 100


def main() -> int:
    """Start the demo and stay until it is stopped."""
    wanted = _arguments()
    # A shell that runs us in the background lets us ignore Ctrl-C; ask for it all the same.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, _stop)
    try:
        if wanted.folder:
            _show(wanted, wanted.folder, {})
        else:
            with _sample() as (folder, models):
                _show(wanted, folder, models)
    except (AbsentError, EditorError) as failure:
        say(str(failure))
        return 1
    except KeyboardInterrupt:
        say("\nStopped.")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="demo", description=__doc__)
    parser.add_argument("vsix", type=Path, help="the packaged extension")
    parser.add_argument("--folder", type=Path, help="open this folder instead of a sample")
    parser.add_argument("--home", type=Path, help="where agents find their logins (default: none)")
    parser.add_argument("--port", type=int, default=0, help="listen here (default: any free port)")
    parser.add_argument("--once", action="store_true", help="start, print the address, and end")
    return parser.parse_args()


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def _sample() -> Iterator[tuple[Path, Mapping[str, object]]]:
    with tempfile.TemporaryDirectory(prefix="assent-demo-", ignore_cleanup_errors=True) as root:
        script = Path(root) / _STORY.name
        yield make_sample(Path(root) / "till"), scripted_model(script)


def scripted_model(script: Path) -> Mapping[str, object]:
    """Write the story into a script; the setting with the model that follows it."""
    replies = [reply for reply in json.loads(_STORY.read_text()) for _ in range(_TIMES)]
    script.write_text(json.dumps(replies))
    model = {"provider": "replay", "model": str(script), "name": "A scripted demonstration"}
    return {"assent.models": [model]}


def _show(wanted: argparse.Namespace, folder: Path, models: Mapping[str, object]) -> None:
    setup = Setup(vsix=wanted.vsix, home=wanted.home, port=wanted.port, machine=models)
    with Editor(ensure_host(), setup) as editor:
        say("VS Code runs, with Assent in the bar at its right. Ctrl-C here ends it.")
        if models:
            say("Say “Fix the failing test” there: a script stands in for a model.")
        say("Open:")
        say(editor.url(folder))
        if not wanted.once:
            editor.wait()
            raise EditorError(f"VS Code ended by itself. {editor.log()[-2000:]}")


if __name__ == "__main__":
    sys.exit(main())
