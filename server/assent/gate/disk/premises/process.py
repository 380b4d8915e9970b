"""What the running process knows of itself: its program, its Python, its PATH.

Nothing here is a list of names: each path is where the process really takes something from.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import assent
from assent.gate.call.calls import Premise
from assent.gate.disk.executables import fixed, path_in
from assent.gate.text.plain_paths import is_within

__all__ = ["premises_of_process"]

_PYTHON = "the Python that runs Assent"


def premises_of_process(roots: Iterable[str]) -> list[Premise]:
    """The program, the Python that runs it, and the folders in which it looks for others."""
    return [
        *(Premise(path=path, name="Assent's own program") for path in _program()),
        *_python(),
        *_searched(tuple(map(os.path.realpath, roots))),
    ]


def _program() -> Iterator[str]:
    """Our package, and what started it."""
    yield str(Path(assent.__file__).parent)
    started = getattr(sys.modules.get("__main__"), "__file__", None)
    if started is not None:
        yield str(Path(started).absolute())


def _python() -> Iterator[Premise]:
    """The interpreter: itself, what it imports from, and the folders that all of this lies in."""
    prefixes = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
    roots = [os.path.abspath(root) for root in sys.path]  # noqa: PTH100 -- a string in, a string out
    # A folder that was only added may be one that somebody works in; what was loaded counts.
    added = [root for root in roots if not any(is_within(root, prefix) for prefix in prefixes)]
    for root in roots:
        yield Premise(path=root, name=_PYTHON, yields=root in added)
    for path in _loaded():
        if any(is_within(path, root) for root in added):
            yield Premise(path=path, name=_PYTHON)
    own = getattr(sys, "_base_executable", None)
    for executable in filter(None, (sys.executable, own)):
        yield Premise(path=executable, name=_PYTHON, run=True)
        # Here it is told where its own modules are, even if it is told to look nowhere else.
        for folder in (Path(executable).parent, Path(executable).parent.parent):
            yield Premise(path=str(folder / "pyvenv.cfg"), name=_PYTHON)
    for prefix in prefixes:
        yield Premise(path=prefix, name=_PYTHON, yields=True, run=True)


def _loaded() -> set[str]:
    """The modules that are loaded: each file, or the folder of a whole package."""
    # A copy is made in one step; others may load modules in the middle of a list.
    tops = [module for name, module in sys.modules.copy().items() if "." not in name]
    files = (getattr(module, "__file__", None) for module in tops)
    return {
        os.path.dirname(file) if os.path.basename(file).startswith("__init__.") else file  # noqa: PTH119, PTH120 -- strings in, strings out
        for file in files
        if isinstance(file, str)
    }


def _searched(roots: tuple[str, ...]) -> Iterator[Premise]:
    """The folders in which programs are looked for, but for those of the workspace."""
    for folder in fixed(path_in(os.environ)):
        if not any(is_within(os.path.realpath(folder), root) for root in roots):
            name = "a folder of programs that are run by their names"
            yield Premise(path=folder, name=name, yields=True, run=True)
