"""Ten thousand short papers of words that nobody speaks, and questions that one of them answers.

The words are made of syllables by a seed, and stand as often as words of a language do: a few
everywhere, most seldom. A word with a `q` behind it stands in no paper; to the played model of
meaning it is the same word, so a question that uses some is answered by its meaning alone.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, product
from pathlib import Path
from typing import Any, Final

__all__ = ["FILES", "KINDS", "made"]

FILES: Final = 10_000
KINDS: Final = ("words", "sentence", "meaning", "both")
"""What is asked: three words, a sentence with two, and by vectors alone or beside words."""
_QUESTIONS: Final = 300
_WORDS: Final = 200
_VOCABULARY: Final = 20_000
_OFTEN: Final = "the of and to in a is that for it as was with be by on not he his but at are"
_LEAST: Final = 30
_MOST: Final = FILES // 20
"""In so many papers stands a word that is asked for."""


def made(folder: Path) -> dict[str, Any]:
    """Write the papers into a folder; their texts, and the questions with their answers."""
    chance = random.Random(7)  # noqa: S311 -- the same each time
    papers = [*_papers(chance)]
    folder.mkdir(parents=True)
    for number, paper in enumerate(papers):
        text = f"# Paper {number}\n\n{' '.join(paper)}\n"
        (folder / f"{number:05}.md").write_text(text, "utf-8")
    return {
        "folder": str(folder),
        "papers": [" ".join(it) for it in papers],
        "questions": _questions(papers, chance),
    }


def _papers(chance: random.Random) -> Iterator[list[str]]:
    syllables = ["".join(it) for it in product("bdfgklmnprstvz", "aeiou")]
    pairs = product(syllables, repeat=3)
    words = chance.sample(["".join(it) for it in pairs], _VOCABULARY)
    often = [*accumulate(1 / (rank + 20) for rank in range(_VOCABULARY))]
    for _ in range(FILES):
        seldom = chance.choices(words, cum_weights=often, k=_WORDS * 2 // 3)
        paper = [*seldom, *chance.choices(_OFTEN.split(), k=_WORDS - len(seldom))]
        chance.shuffle(paper)
        yield paper


def _questions(papers: list[list[str]], chance: random.Random) -> dict[str, list[Any]]:
    """By kind, each question with the number of the paper that it was made of."""
    common = Counter(word for paper in papers for word in set(paper))
    questions: dict[str, list[Any]] = {it: [] for it in KINDS}
    for number in chance.sample(range(len(papers)), _QUESTIONS):
        telling = sorted(it for it in set(papers[number]) if _LEAST <= common[it] <= _MOST)
        one, two, three, *others = chance.sample(telling, 5)
        said = f"{one} {two} {three}"
        meant = " ".join([one, two, *(f"{it}q" for it in (three, *others))])
        sentence = f"what is that with the {one} and the {two} in it"
        told = (said, sentence, meant, meant)
        for kind, question in zip(KINDS, told, strict=True):
            questions[kind].append([question, number])
    return questions
