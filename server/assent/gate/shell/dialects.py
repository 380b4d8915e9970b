"""The shells, and the dialect that each of them reads."""

from typing import Final

from assent.gate.shell.script import bare_name
from assent.gate.text.lazy_patterns import late

__all__ = ["ODD_IN_ZSH", "OTHERS", "SHELLS", "dialect_of", "dialect_read"]

SHELLS: Final = frozenset("sh bash dash zsh ksh ash mksh rbash rzsh yash".split())
OTHERS: Final = frozenset("fish pwsh powershell cmd csh tcsh nu xonsh elvish ion".split())
"""Shells for whose language there is no reader."""

_ZSH_NAMES: Final = (
    r"\w*path|(?:MODULE_|CD|F|MAIL|MAN)?PATH|aliases|func\w+|commands|nameddirs|options|parameters"
    r"|galiases|saliases|histchars|prompt|psvar|PSVAR|fignore|FIGNORE|watch|WATCH|signals|builtins"
    r"|dirstack|dis_\w+|history\w*|job(?:dirs|states|texts)|keymaps|modules|patchars|reswords"
    r"|termcap|terminfo|userdirs|usergroups|widgets|zsh_\w+"
)
"""Variables that change what zsh does, or load code of it."""
ODD_IN_ZSH: Final = late(
    r"\$\{?\w+\}?:[A-Za-z&]|\w\[[^\]]*[$`]|(?:^|[;&|({\n])\s*<(?![<(])|!["
    rf"!$\w]|\b(?:{_ZSH_NAMES})(?:\[[^\]]*\])?\+?="
    # A part of a variable, a range of other letters, a descriptor above nine, and the path of a
    # program: bash takes each of these for letters.
    r"|\$[\w@*#?!-]+\[|(?<!\$)\{(?!\d+\.\.\d+\}|[a-z]\.\.[a-z]\})(?=\S)[^{}]*\.\.|(?<!\w)\d\d+[<>]"
    r"|[={,:]=[A-Za-z_/]"
    r"|(?:^|[\s;&|(])=|[*?\])\w]\(|\(\(?[#^]|\^|\$[^\w\s\"'({*@#?$!-]|[<>]!|&!"
)
"""What zsh takes for something else than bash, wherever it stands in a text."""


def dialect_of(name: str) -> str:
    """Which dialect a shell of this name reads; nobody knows more of an unknown one than of `sh`.

    >>> [dialect_of(it) for it in ("/bin/bash", "dash", "zsh")]
    ['bash', 'sh', 'zsh']
    """
    name = bare_name(name)
    if name in ("zsh", "rzsh"):
        return "zsh"
    return "bash" if name in ("bash", "rbash") else "sh"


# The shell that a call names, for which there is a reader or none.

_DIALECTS: Final = {"bash": "bash", "sh": "sh", "dash": "sh", "ksh": "sh", "zsh": "zsh", "": "bash"}
_NAMES: Final = {
    "powershell": "PowerShell",
    "pwsh": "PowerShell",
    "cmd": "the command prompt of Windows",
    "fish": "fish",
}
_FOLDERS: Final = (
    "", "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/", "c:/program files/git/bin/",
)  # fmt: skip
"""Where the shell of a name is the one that it names."""


def dialect_read(shell: str) -> tuple[str | None, str]:
    """What a shell reads, if it is one that everybody has; and what to call it.

    >>> dialect_read("/bin/dash"), dialect_read("pwsh"), dialect_read("./bash")
    (('sh', '/bin/dash'), (None, 'PowerShell'), (None, './bash'))
    """
    folder, slash, file = shell.lower().replace("\\", "/").rpartition("/")
    name = file.removesuffix(".exe")
    if name in _NAMES:
        return None, _NAMES[name]
    return (_DIALECTS.get(name), shell) if f"{folder}{slash}" in _FOLDERS else (None, shell)
