"""What stands between `git` and its command."""

from typing import Final

from assent.policy.shell.rows import Row

__all__ = ["GIT_ITSELF", "HARMLESS_KEYS"]

HARMLESS_KEYS: Final = (
    "color.",
    "column.",
    "log.",
    "advice.",
    "core.quotepath",
    "core.abbrev",
    "core.precomposeunicode",
    "core.ignorecase",
    "diff.renames",
    "diff.renamelimit",
    "diff.context",
    "diff.algorithm",
    "diff.colormoved",
    "diff.mnemonicprefix",
    "diff.noprefix",
    "blame.",
    "status.",
    "user.name",
    "user.email",
    "init.defaultbranch",
    "grep.linenumber",
    "tag.sort",
    "branch.sort",
    "versionsort.",
)
"""The settings of git that change only how things look; `-c` may set no others."""

GIT_ITSELF: Final = Row(
    names="git",
    form="git",
    operands=None,
    stops=True,
    flags="-C^ -c=!change -P --no-pager --no-replace-objects --bare --literal-pathspecs"
    " --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --namespace="
    " --no-advice --no-lazy-fetch --attr-source= --git-dir=!place --work-tree=!place"
    " --exec-path?!run --config-env=!change --super-prefix= -p!run --paginate!run",
)
