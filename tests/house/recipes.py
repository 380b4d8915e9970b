"""The recipes of CONTRIBUTING.md, as they are written: steps, and what to run at the end."""

import ast
import re
from pathlib import Path

from attrs import frozen

from copies import ROOT

__all__ = ["CONTRIBUTING", "Recipe", "Step", "recipes", "words"]

CONTRIBUTING = ROOT / "server" / "CONTRIBUTING.md"

_STEP = re.compile(
    r"(?:(?P<whole>[Nn]ew file)|[Ii]n|(?P<end>[Aa]t the end of)) `(?P<path>[^`\n]+)`"
    r"(?:, (?:into `(?P<into>\w+)`|instead of `(?P<old>[^`\n]+)`|before `(?P<before>[^`\n]+)`"
    r"|(?P<imports>among the imports)))?:"
    r"\n\n(?P<code> *```(?:\w+)\n.*?\n *```)\n",
    re.DOTALL,
)
_RUN = re.compile(r"\n(?P<code> *```sh\n.*?\n *```)\n", re.DOTALL)
_FENCED = re.compile(r"^ *```", re.MULTILINE)
_WORD = re.compile(r"^\| \*\*(.+)\*\* \| .+ \| `(.+)` \|$", re.MULTILINE)


@frozen(kw_only=True)
class Step:
    """One block of code, and where it goes."""

    path: str
    code: str
    whole: bool = False
    """Whether it is a file of its own."""
    into: str = ""
    old: str = ""
    """The line that it stands for."""
    before: str = ""
    """The beginning of the line that follows it."""
    imports: bool = False

    @property
    def is_test(self) -> bool:
        """Whether it only adds a test, which is missed as soon as it is to be run."""
        name = self.path.rpartition("/")[2]
        return name.startswith("test_") and not (
            self.into or self.old or self.before or self.imports
        )

    def done_to(self, text: str | None) -> str:
        """The file after this step; None is no file."""
        if self.whole:
            assert text is None, f"{self.path} is there already"
            return self.code
        assert text is not None, f"{self.path} is not there"
        if self.old:
            (line,) = (it for it in text.splitlines(keepends=True) if it.strip() == self.old)
            return text.replace(line, self.code)
        if self.before:
            (line,) = (it for it in text.splitlines(True) if it.lstrip().startswith(self.before))
            return text.replace(line, self.code + line)
        if not self.into and not self.imports:
            return f"{text}\n\n{self.code}"
        lines = text.splitlines(keepends=True)
        at, gap = self._place(text, lines)
        return "".join([*lines[:at], gap, self.code, *lines[at:]])

    def _place(self, text: str, lines: list[str]) -> tuple[int, str]:
        """Behind which line it goes, and what stands between."""
        body = ast.parse(text).body
        if self.imports:
            found = [it for it in body if isinstance(it, ast.Import | ast.ImportFrom)]
            return found[-1].end_lineno or 0, ""
        (node,) = (it for it in body if _name(it) == self.into)
        end = node.end_lineno or 0
        if isinstance(node, ast.ClassDef):
            return end, "\n" if "def " in self.code.splitlines()[0] else ""
        # What holds it is closed by a line of its own, of which nothing is code.
        assert not re.search(r"\w", lines[end - 1]), lines[end - 1]
        return end - 1, ""


def _name(node: ast.stmt) -> str:
    """The name that a class or an assignment gives."""
    match node:
        case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case _:
            return ""


@frozen(kw_only=True)
class Recipe:
    """One recipe."""

    title: str
    steps: tuple[Step, ...]
    commands: tuple[str, ...]
    """What to run at the end, a line each."""

    def applied(self, copy: Path, *, without: int | None = None) -> dict[str, str | None]:
        """The text of each file that it is about, after all steps but one."""
        files = {it.path: _read(copy / it.path) for it in self.steps}
        for number, step in enumerate(self.steps):
            if number != without:
                files[step.path] = step.done_to(files[step.path])
        return files


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


def recipes() -> list[Recipe]:
    """All of them, in order."""
    parts = CONTRIBUTING.read_text("utf-8").split("\n## ")[1:]
    return [_recipe(part) for part in parts if part.startswith("Add ")]


def _recipe(part: str) -> Recipe:
    steps = tuple(_step(it) for it in _STEP.finditer(part))
    (run,) = (_code(it["code"]) for it in _RUN.finditer(part))
    # A block that no line says the place of would be passed over in silence.
    assert len(_FENCED.findall(part)) == 2 * (len(steps) + 1)
    return Recipe(title=part.partition("\n")[0], steps=steps, commands=tuple(run.splitlines()))


def _step(found: "re.Match[str]") -> Step:
    return Step(
        path=found["path"],
        code=_code(found["code"]),
        whole=bool(found["whole"]),
        into=found["into"] or "",
        old=found["old"] or "",
        before=found["before"] or "",
        imports=bool(found["imports"]),
    )


def _code(block: str) -> str:
    """What stands between the fences, as far to the left as these."""
    first, *lines, _ = block.split("\n")
    indent = first[: len(first) - len(first.lstrip())]
    return "".join(f"{line.removeprefix(indent)}\n" for line in lines)


def words() -> list[tuple[str, str]]:
    """Each word that is explained, and the module that it is found in."""
    return _WORD.findall(CONTRIBUTING.read_text("utf-8"))
