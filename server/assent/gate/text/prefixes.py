"""The common beginning of two texts."""

__all__ = ["shared"]


def shared(text: str, other: str, most: int | None = None) -> int:
    """How many letters are equal before the first that is not, of `most` at most.

    Whole stretches are compared, since letter by letter a large file takes a second.

    >>> shared("a card", "a cat")
    4
    >>> shared("a card", "a cat", 2)
    2
    """
    low, high = 0, min(len(text), len(other)) if most is None else most
    while low < high:
        middle = (low + high + 1) // 2
        if text[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
