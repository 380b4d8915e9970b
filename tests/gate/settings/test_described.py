"""Models are built at their first use, and described by the text below their members."""

import subprocess
import sys

from pydantic import BaseModel

from assent.gate.settings.described import Described


class _Shown(Described, BaseModel):
    size: int
    """How large it is,

    in letters.
    """
    bare: str = ""


class _More(_Shown):
    bare: str = ""
    """Said by the one that extends it."""
    kept: _Shown | None = None
    """A member of its own."""


def descriptions(model: type[BaseModel]) -> dict[str, str | None]:
    properties = model.model_json_schema()["properties"]
    return {name: member.get("description") for name, member in properties.items()}


def test_a_member_is_described_by_the_text_below_it() -> None:
    assert descriptions(_Shown) == {"size": "How large it is,\n\nin letters.", "bare": None}


def test_a_model_has_the_descriptions_of_the_one_that_it_extends_and_its_own() -> None:
    assert descriptions(_More) == {
        "size": "How large it is,\n\nin letters.",
        "bare": "Said by the one that extends it.",
        "kept": "A member of its own.",
    }


def test_to_load_all_messages_builds_none_of_them() -> None:
    """Each takes a millisecond, and the first card is waited for."""
    counted = """
import assent.editor.protocol.methods
from assent.editor.protocol.shapes import Shape

def below(model):
    return {one for each in model.__subclasses__() for one in (each, *below(each))}

models = below(Shape)
print(len(models), [model for model in models if model.__pydantic_complete__])
"""
    ran = subprocess.run(
        [sys.executable, "-c", counted], capture_output=True, text=True, check=True
    )
    count, _, built = ran.stdout.strip().partition(" ")
    assert int(count) > 200
    assert built == "[]"
