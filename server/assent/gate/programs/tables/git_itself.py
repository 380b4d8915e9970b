"""Git's own options, between `git` and its command."""

from typing import Final

from assent.gate.programs.rows import Row

__all__ = ["GIT_ITSELF", "HARMLESS_KEYS", "HARMLESS_SECTIONS"]

HARMLESS_SECTIONS: Final = ("color.", "column.", "advice.")
HARMLESS_KEYS: Final = frozenset(
    """core.quotepath core.abbrev core.precomposeunicode core.ignorecase log.date log.decorate
    log.abbrevcommit log.follow log.showroot log.mailmap log.graphcolors log.excludedecoration
    diff.renames diff.renamelimit diff.context diff.interhunkcontext diff.algorithm
    diff.mnemonicprefix diff.noprefix diff.wserrorhighlight diff.colormoved diff.colormovedws
    diff.indentheuristic diff.relative diff.statgraphwidth diff.suppressblankempty diff.wordregex
    blame.date blame.coloring blame.showroot blame.showemail blame.blankboundary user.name
    user.email init.defaultbranch grep.linenumber grep.column grep.fullname grep.patterntype
    tag.sort branch.sort versionsort.suffix status.aheadbehind status.branch
    status.displaycommentprefix status.relativepaths status.renamelimit status.renames
    status.short status.showstash status.showuntrackedfiles""".split()
)
"""The settings of git that change only how things look; `-c` may set no others.

Each is named whole: `diff.renames.command` is a setting of a driver that is called `renames`.
"""

GIT_ITSELF: Final = Row(
    names="git",
    form="git",
    operands=None,
    operand_ends_flags=True,
    flags="-C^ -c=!may_change -P --no-pager --no-replace-objects --bare!works_elsewhere"
    " --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks"
    " --namespace= --no-advice --no-lazy-fetch --attr-source= --git-dir=!works_elsewhere"
    " --work-tree=!works_elsewhere --exec-path?!runs --config-env=!may_change --super-prefix="
    " -p!runs --paginate!runs",
)
