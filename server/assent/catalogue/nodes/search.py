"""Finds nodes by words: BM25 over names and descriptions, with synonyms."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from assent.catalogue.nodes.lexicon import LEXICON
from assent.gate.values import define, field

__all__ = ["Index", "terms_in"]

_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_STOPS: Final = frozenset(
    "a an and are as at be by can do for from given how i in into is it its me my of on or our"
    " please so some that the them then there this to use using want was we what when where which"
    " will with you your".split()
)
_ENDINGS: Final = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("ing", ""), ("ed", ""), ("s", ""))
_MIN_STEM_LETTERS: Final = 3
_WEIGHTS: Final = {"name": 8.0, "title": 4.0, "source": 4.0, "description": 2.0, "inputSchema": 0.5}
_MAX_TERMS_OF_PART: Final = 400
"""So many terms of one part count; whoever writes more is not found more often."""
_MAX_PART_LETTERS: Final = 8_000
"""The same in letters, so that nobody's take long to be read."""
_MAX_QUERY_TERMS: Final = 32
_WIDENED_WEIGHT: Final = 0.5
"""What a word of the lexicon counts beside one that was said."""
_SATURATION: Final = 1.2
_SLOPE: Final = 0.75


def terms_in(text: str) -> list[str]:
    """The words of a text, as they are compared.

    >>> terms_in("createIssues for the repo_URL")
    ['creat', 'issu', 'repo', 'url']
    """
    parts = (part.lower() for part in _PARTS.findall(text))
    return [_stem(part) for part in parts if part not in _STOPS]


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM_LETTERS:
            word = word[: -len(ending)] + instead
            break
    # What ends in an `e` loses it before another ending: create, creating.
    return word[:-1] if word.endswith("e") and len(word) > _MIN_STEM_LETTERS else word


@define
class Index:
    """Some nodes, by the words that are said of them."""

    _lengths: list[float] = field(factory=list)
    _at: dict[str, dict[int, float]] = field(factory=dict)
    """How much of each term each node has."""
    _names: list[str] = field(factory=list)

    def add(self, source: str, definition: Mapping[str, Any]) -> None:
        """Take a node in."""
        place, length = len(self._names), 0.0
        self._names.append(f"{source}:{definition['name']}")
        for part, weight in _WEIGHTS.items():
            text = source if part == "source" else _words_of(definition.get(part))
            for term, count in Counter(
                terms_in(text[:_MAX_PART_LETTERS])[:_MAX_TERMS_OF_PART]
            ).items():
                has = self._at.setdefault(term, {})
                has[place] = has.get(place, 0.0) + weight * count
                length += weight * count
        self._lengths.append(length)

    def find(self, words: str, limit: int) -> list[str]:
        """The names of those that the words are about, the best first."""
        if not self._names:
            return []
        usual = sum(self._lengths) / len(self._lengths) or 1.0
        scores: dict[int, float] = {}
        for term, share in _asked(words).items():
            has = self._at.get(term, {})
            rare = math.log(1 + (len(self._names) - len(has) + 0.5) / (len(has) + 0.5))
            for place, much in has.items():
                damped = _SATURATION * (1 - _SLOPE + _SLOPE * self._lengths[place] / usual)
                gain = share * rare * much * (_SATURATION + 1) / (much + damped)
                scores[place] = scores.get(place, 0.0) + gain
        best = sorted(scores, key=lambda score: (-scores[score], self._names[score]))
        return [self._names[row] for row in best[:limit]]

    def first(self, limit: int) -> list[str]:
        """The first of all, where nothing is asked."""
        return sorted(self._names)[:limit]


def _asked(words: str) -> dict[str, float]:
    """The terms of a question, each with its share."""
    said = re.findall(r"[^\W_]+", words.lower())[:_MAX_QUERY_TERMS]
    wider = (term for word in said for term in terms_in(LEXICON.get(word, "")))
    widened = dict.fromkeys(wider, _WIDENED_WEIGHT)
    return widened | dict.fromkeys(terms_in(words)[:_MAX_QUERY_TERMS], 1.0)


def _words_of(value: Any) -> str:
    """What stands in a part of a definition: of a schema the names and descriptions."""
    if isinstance(value, str):
        return value
    return " ".join(_in_schema(value, _MAX_TERMS_OF_PART))


def _in_schema(value: Any, left: int) -> Iterable[str]:
    texts: list[str] = []
    waiting: list[Any] = [value]
    while waiting and len(texts) < left:
        schema = waiting.pop()
        if isinstance(schema, dict):
            members = schema.get("properties")
            texts += [str(member) for member in members] if isinstance(members, dict) else []
            texts += [str(schema["description"])] if "description" in schema else []
            waiting += schema.values()
        elif isinstance(schema, Sequence) and not isinstance(schema, str):
            waiting += schema
    return texts
