"""Describes the members of a model in its JSON schema, by the text that stands below each.

Pydantic's own setting for this reads the source of each class when it is imported, and so makes
every start wait for what only the documents need.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, cast

from pydantic import BaseModel, GetJsonSchemaHandler

__all__ = ["Described"]


class Described:
    """A base for models beside `BaseModel`."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: Any, handler: GetJsonSchemaHandler, /
    ) -> dict[str, Any]:
        """Its schema with the descriptions."""
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        fields = cast("type[BaseModel]", cls).model_fields
        for name, text in _texts(cls).items():
            alias = fields[name].alias if name in fields else None
            properties.get(alias or name, {}).setdefault("description", text)
        return schema


def _texts(model: type[Described]) -> dict[str, str]:
    """The text below each member of a model and of its bases."""
    described = [each for each in reversed(model.__mro__) if issubclass(each, Described)]
    return {name: text for each in described for name, text in _texts_in(each)}


def _texts_in(model: type[Described]) -> Iterator[tuple[str, str]]:
    module = ast.parse(textwrap.dedent(inspect.getsource(model)))
    for member, below in pairwise(cast("ast.ClassDef", module.body[0]).body):
        match member, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, inspect.cleandoc(text)
