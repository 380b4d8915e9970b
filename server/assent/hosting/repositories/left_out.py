"""Says in the header of a chat what its agent is kept from, which it has where a person runs it."""

from collections.abc import Sequence
from typing import Final

from assent.hosting.recipes.recipe import OwnSettings
from assent.hosting.repositories.consent_answers import few_of

__all__ = ["left_out_words"]

_OWN: Final = {
    "all": "{name} runs here without your own settings, instructions, skills, servers and hooks.",
    "servers": "{name} runs here without your own MCP servers.",
    "servers and sub-agents": "{name} runs here without your own MCP servers and sub-agents.",
}
_FILES: Final = "Files of this workspace that it does not get whole: {files}."


def left_out_words(name: str, own: OwnSettings, files: Sequence[str]) -> str:
    """A sentence for each; nothing where nothing is left out.

    >>> left_out_words("Gemini", OwnSettings(), ["GEMINI.json"])
    'Files of this workspace that it does not get whole: `GEMINI.json`.'
    """
    sentences = [_OWN[own.lost].format(name=name)] if own.lost else []
    if files:
        sentences.append(_FILES.format(files=few_of([*dict.fromkeys(files)])))
    return " ".join(sentences)
