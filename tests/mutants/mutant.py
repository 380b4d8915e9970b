"""A fault that is planted, and where it goes."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["PACKAGE", "Mutant", "Stale", "of"]

PACKAGE = Path("server/assent")


class Stale(Exception):
    """A mutant does not fit the source any more; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One fault: a stretch of one file, and what stands there instead."""

    id: str
    file: str
    """Below `server/assent`."""
    old: str
    """It stands in the file exactly once."""
    new: str
    broken: str
    """What does not hold any more, as a sentence."""
    tests: tuple[str, ...]
    """Below `tests`: what should notice, the nearest first."""
    equivalent: str = ""
    """Why no test could notice, where none could."""

    def applied(self, root: Path) -> str:
        """The file with the fault in it; raises `Stale`."""
        text = (root / PACKAGE / self.file).read_text("utf-8")
        if (found := text.count(self.old)) != 1:
            raise Stale(f"{self.id}: its text stands {found} times in {self.file}: {self.old!r}")
        return text.replace(self.old, self.new)


def of(file: str, tests: tuple[str, ...], *faults: tuple[str, str, str, str]) -> list[Mutant]:
    """Faults of one file: id, sentence, what stands there, what stands there instead."""
    return [
        Mutant(id=name, file=file, broken=broken, old=old, new=new, tests=tests)
        for name, broken, old, new in faults
    ]
