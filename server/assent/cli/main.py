"""The command `assent`, which loads only what its subcommand needs."""

import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

__all__ = ["main"]

_USAGE: Final = """usage: assent COMMAND | --version

  serve      speak to an editor over stdin and stdout; the editor starts this
  run        let the agent work on one task without an editor, under the same rules
  explain    say whether a call would be allowed, and by which rule; nothing is run
  try        run a command on a copy of the workspace, and see what it changed
  check      read every rule in reach, and say which are refused or can never match
  history    show what agents wanted to do, and what was decided
  insights   show what you were asked, and which rules would have saved questions
  verify     check that no row of what was decided was changed, moved or taken out
  connect    have an agent that you run in a terminal ask Assent; alone, say how each stands
  disconnect take that back
  hook       rule on one call of such an agent; its own settings run this
  eliza      an agent without a model, to try things with
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what the process should exit with."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    word = words[0] if words else "--help"
    command = _COMMANDS.get(word)
    if command is None:
        print(f"assent: there is no command {word!r}.\n{_USAGE}", file=sys.stderr, end="")
        return 2
    if arguments is None and word in _TALKS_TO_MODELS:
        from assent.gate.settings.environment import start_without_keys  # noqa: PLC0415 -- as below

        start_without_keys()
    try:
        status = command(words[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has had enough, as `head` has; nothing is to be said of that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        print("assent: not all of it could be written: the disk is full.", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _serve(rest: Sequence[str]) -> int:
    # Editors add `--stdio`; there is no other way to be spoken to.
    if [word for word in rest if word != "--stdio"]:
        print("assent: `serve` takes no arguments.", file=sys.stderr)
        return 2
    from assent.editor.lsp.start import serve  # noqa: PLC0415 -- only what is needed

    return serve()


def _run(rest: Sequence[str]) -> int:
    from assent.cli.run import main as work  # noqa: PLC0415 -- only what is needed

    return work(rest)


def _explain(rest: Sequence[str]) -> int:
    # It ends before there is anything worth collecting, and loading is what takes its time.
    gc.disable()
    from assent.cli.explain import main as tell  # noqa: PLC0415 -- only what is needed

    status = tell(rest)
    # All of it goes with the process, so Python need not look through it once more at the end.
    gc.freeze()
    return status


def _try(rest: Sequence[str]) -> int:
    if sys.platform != "linux":
        print("assent: `try` needs Linux.", file=sys.stderr)
        return 125
    from assent.cli.trying import main as trying  # noqa: PLC0415 -- only what is needed

    return trying(rest)


def _check(rest: Sequence[str]) -> int:
    from assent.cli.check import main as check  # noqa: PLC0415 -- only what is needed

    return check(rest)


def _history(rest: Sequence[str]) -> int:
    from assent.cli.history import main as show  # noqa: PLC0415 -- only what is needed

    return show(rest)


def _insights(rest: Sequence[str]) -> int:
    from assent.cli.insights import main as tell  # noqa: PLC0415 -- only what is needed

    return tell(rest)


def _verify(rest: Sequence[str]) -> int:
    from assent.cli.verify import main as verify  # noqa: PLC0415 -- only what is needed

    return verify(rest)


def _connect(rest: Sequence[str]) -> int:
    from assent.cli.connect import connect  # noqa: PLC0415 -- only what is needed

    return connect(rest)


def _disconnect(rest: Sequence[str]) -> int:
    from assent.cli.connect import disconnect  # noqa: PLC0415 -- only what is needed

    return disconnect(rest)


def _hook(rest: Sequence[str]) -> int:
    from assent.cli.connect import hook  # noqa: PLC0415 -- only what is needed

    return hook(rest)


def _eliza(rest: Sequence[str]) -> int:
    if rest:
        print("assent: `eliza` takes no arguments.", file=sys.stderr)
        return 2
    from assent.hosting.eliza.agent import main as talk  # noqa: PLC0415 -- only what is needed

    talk()
    return 0


def _version(_: Sequence[str]) -> int:
    from assent import __version__  # noqa: PLC0415 -- only what is needed

    print(f"assent {__version__}")
    return 0


def _help(_: Sequence[str]) -> int:
    print(_USAGE, end="")
    return 0


_TALKS_TO_MODELS: Final = frozenset({"serve", "run"})
"""The commands that need keys, and run what a model asks for."""

_COMMANDS: Final[dict[str, Callable[[Sequence[str]], int]]] = {
    "serve": _serve,
    "run": _run,
    "explain": _explain,
    "check": _check,
    "try": _try,
    "history": _history,
    "insights": _insights,
    "verify": _verify,
    "connect": _connect,
    "disconnect": _disconnect,
    "hook": _hook,
    "eliza": _eliza,
    "--version": _version,
    "--help": _help,
    "-h": _help,
}
