"""What the server itself is made of, while more of it is being loaded."""

import gc
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from assent.gate.disk.premises.process import premises_of_process


@pytest.fixture
def busy() -> Iterator[None]:
    """Each time that memory is cleared up, another module comes."""
    names = [f"assent_loads_{number}" for number in range(10_000)]
    left, before = iter(names), gc.get_threshold()

    def load(*_: object) -> None:
        name = next(left)
        sys.modules[name] = ModuleType(name)

    gc.callbacks.append(load)
    gc.set_threshold(10)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(load)
    for name in names:
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("busy")
def test_modules_may_be_loaded_while_it_is_listed() -> None:
    for _ in range(5):
        assert any(premise.run for premise in premises_of_process(()))
