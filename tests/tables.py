"""Tables of cases: a test runs once for each row, and names every row that fails."""

import functools
import inspect
import reprlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import pytest
from attrs import frozen

__all__ = ["Part", "each_row", "in_steps_of"]

_TIMEOUT: Final = "from pytest-timeout"
"""Part of the failure of a test that took too long; no further row is tried then."""

_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 200
_SHORT.maxtuple = _SHORT.maxlist = _SHORT.maxset = _SHORT.maxdict = 12

_Case = TypeVar("_Case")
_Test = Callable[..., Any]
_Ids = Callable[[Any], object] | Iterable[object] | None


def each_row(names: str | Sequence[str], rows: Iterable[Any], *, ids: _Ids = None) -> Any:
    """Run a test for each row of a table, and fail with a list of the rows that are wrong.

    It is written as `pytest.mark.parametrize` is. It makes one test of all rows, which costs less
    than a test for each. Each row has `tmp_path` and `monkeypatch` to itself; the rows share
    every other fixture, so use it only where no row changes what a fixture gave.
    """
    words = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    table = _read(words, list(rows), ids)
    assert table, f"The table of {', '.join(words)} is empty."

    def decorated(test: _Test) -> _Test:
        signature = inspect.signature(test)
        fixtures = [it for it in signature.parameters.values() if it.name not in words]
        assert len(fixtures) + len(words) == len(signature.parameters), f"{words} is not taken"

        if inspect.iscoroutinefunction(test):

            @functools.wraps(test)
            async def run(*args: Any, **given: Any) -> None:
                failures = _Failures(len(table))
                for number, row in enumerate(table):
                    with failures.noted(row), _own(given, number) as own:
                        await test(*args, **own, **row.values)
                failures.tell()

        else:

            @functools.wraps(test)
            def run(*args: Any, **given: Any) -> None:
                failures = _Failures(len(table))
                for number, row in enumerate(table):
                    with failures.noted(row), _own(given, number) as own:
                        test(*args, **own, **row.values)
                failures.tell()

        run.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run

    return decorated


@frozen
class Part:
    """Some of many cases: those `step` apart, or those `long` apart that are not among these."""

    step: int
    long: int | None = None

    def of(self, cases: Iterable[_Case]) -> list[_Case]:
        """The cases of this part."""
        return [case for place, case in enumerate(cases) if self._has(place)]

    def _has(self, place: int) -> bool:
        if self.long is None:
            return place % self.step == 0
        return place % self.step != 0 and place % self.long == 0


def in_steps_of(step: int, *, long: int = 1) -> pytest.MarkDecorator:
    """Run a test on every `step`-th of its cases, and in the long run also on the others.

    With `long`, the long run takes only every `long`-th case. The test takes `part` and looks at
    `part.of(cases)`.
    """
    rest = pytest.param(Part(step, long), id="rest", marks=pytest.mark.long)
    return pytest.mark.parametrize("part", [pytest.param(Part(step), id="some"), rest])


def _read(words: list[str], rows: list[Any], ids: _Ids) -> list["_Row"]:
    """The rows of a table, which may be anything that `pytest.mark.parametrize` takes."""
    names = None if ids is None or callable(ids) else [str(it) for it in ids]
    assert names is None or len(names) == len(rows), "Each row needs an id."
    table = []
    for number, row in enumerate(rows):
        name, values = names[number] if names else "", row
        if isinstance(row, type(pytest.param())):
            assert not row.marks, f"A row of {words} has marks: give it a test of its own."
            name, values = row.id or name, row.values if len(words) > 1 else row.values[0]
        values = dict(zip(words, values if len(words) > 1 else [values], strict=True))
        table.append(_Row(name, values, ids if callable(ids) else None))
    return table


@frozen
class _Row:
    """One case of a test."""

    id: str
    values: dict[str, Any]
    id_of: Callable[[Any], object] | None

    def __str__(self) -> str:
        ids = [self.id, *(str(self.id_of(it)) for it in self.values.values() if self.id_of)]
        shown = (f"{word}={_SHORT.repr(value)}" for word, value in self.values.items())
        return ", ".join((*filter(None, ids), *shown))


@contextmanager
def _own(given: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """The fixtures of a test, and for this row a folder and changes of its own."""
    own = dict(given)
    with pytest.MonkeyPatch.context() as patch:
        if "monkeypatch" in own:
            own["monkeypatch"] = patch
        if "tmp_path" in own:
            own["tmp_path"] = own["tmp_path"] / f"row-{number}"
            own["tmp_path"].mkdir()
        yield own


class _Failures:
    """The rows of one test that failed."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._failed: list[tuple[_Row, BaseException]] = []

    @contextmanager
    def noted(self, row: _Row) -> Iterator[None]:
        """Note how this row fails, and let the next one run."""
        try:
            yield
        except pytest.skip.Exception as skipped:
            raise AssertionError(f"A row must not be skipped: {row}") from skipped
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001
            error.add_note(f"in the row {row}")
            self._failed.append((row, error))
            if _TIMEOUT in str(error):
                self.tell()

    def tell(self) -> None:
        """Fail where a row did."""
        if self._failed:
            rows = "\n".join(f"  {row}" for row, _ in self._failed)
            title = f"{len(self._failed)} of {self._total} rows fail:\n{rows}\n"
            raise BaseExceptionGroup(title, [error for _, error in self._failed])
