"""Which Makefiles are so plain that their lines show certainly what make runs.

Every line has to be of one of a few forms. Make knows many others, and much of what it does by
itself: what is not on this list is not followed, whatever it may mean.
"""

import os
import re
from typing import Final

from assent.gate.programs.variables import is_dangerous
from assent.gate.values import define, field

__all__ = ["unsure"]

_NAMES: Final = r"[\w-]+(?: +[\w-]+)*"
_SET: Final = re.compile(r"([A-Za-z_]\w*) *:?= *([^$#\\]*)", re.ASCII)
_PHONY: Final = re.compile(rf"\.PHONY *:(?: *({_NAMES}))? *", re.ASCII)
_RULE: Final = re.compile(rf"({_NAMES}) *:(?: *({_NAMES}))? *", re.ASCII)
_USE: Final = re.compile(r"\$(?:\$|@|\(([A-Za-z_]\w*)\))", re.ASCII)
_ODD: Final = re.compile(r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f\ufeff]")
"""What ends a line, or parts words, for some readers and not for others."""
_KEPT: Final = frozenset(
    "include sinclude -include define endef ifdef ifndef ifeq ifneq else endif export unexport"
    " override private undefine vpath load -load makefile Makefile GNUmakefile".split()
)
"""No names of a target or a variable: make reads something else in them."""
_OWN: Final = re.compile(r"MAKE\w*|VPATH|GPATH|SUFFIXES|USER|LOGNAME|TMPDIR|TEMP|TMP")
"""Variables that make or its programs take something from, beside those that steer any program."""
_MAX_SHOWN_LETTERS: Final = 40
_MAX_TARGETS: Final = 8
"""So many of one rule."""


@define
class _Plain:
    sets: set[str] = field(factory=set)
    uses: set[str] = field(factory=set)
    needs: set[str] = field(factory=set)
    made: dict[str, bool] = field(factory=dict)
    """The targets, and whether each has a recipe."""
    phony: set[str] = field(factory=set)
    _now: list[str] = field(factory=list)

    def takes(self, line: str) -> bool:
        """Whether a line is plain."""
        if line.startswith("\t"):
            return self._recipe(line)
        self._now = []
        if not line.strip(" ") or line.startswith("#"):
            return not line.endswith("\\")
        phony, set_, rule = _PHONY.fullmatch(line), _SET.fullmatch(line), _RULE.fullmatch(line)
        if phony is not None:
            self.phony.update((phony[1] or "").split())
            return True
        if set_ is not None:
            return self._sets(set_[1])
        return rule is not None and self._rule(rule[1].split(), (rule[2] or "").split())

    def _recipe(self, line: str) -> bool:
        if not self._now or line.endswith("\\") or "$" in _USE.sub("", line):
            return False
        self.uses.update(filter(None, (match[1] for match in _USE.finditer(line))))
        self.made.update(dict.fromkeys(self._now, True))
        return True

    def _sets(self, name: str) -> bool:
        steers = name in os.environ or is_dangerous(name) or _OWN.fullmatch(name) is not None
        plain = not steers and name not in self.sets and name not in _KEPT
        self.sets.add(name)
        return plain

    def _rule(self, names: list[str], needs: list[str]) -> bool:
        plain = not _KEPT & {*names} and not any(
            name.startswith("-") or name in self.made for name in names
        )
        plain = plain and len(names) <= _MAX_TARGETS
        self._now = names[:_MAX_TARGETS]
        self.made.update(dict.fromkeys(names, False))
        self.needs.update(needs)
        return plain

    def lacks(self) -> str:
        """What make would look for outside of the file, or make by a rule of its own."""
        unknown = sorted((self.uses - self.sets) | (self.needs - self.made.keys()))
        bare = (target for target, has in self.made.items() if not has and target not in self.phony)
        return next(iter([*unknown, *bare]), "")


def unsure(text: str) -> str:
    """The first of it that is not plain; nothing where it is a plain Makefile."""
    odd = _ODD.search(text)
    if odd is not None:
        return repr(odd[0])
    read = _Plain()
    wrong = next((line for line in text.split("\n") if not read.takes(line)), None)
    return read.lacks() if wrong is None else wrong.strip()[:_MAX_SHOWN_LETTERS]
