"""By which seeds a test makes up its lines."""

import os
from random import SystemRandom
from typing import Final

import pytest

__all__ = ["SEEDS"]

_NEW: Final = {} if os.environ.get("CI") else {"new": SystemRandom().randrange(10**9)}
"""A change is held against the same lines each time; new ones are tried at a desk."""

_ALL: Final = {"fixed": 20261121, **_NEW}

SEEDS: Final = pytest.mark.parametrize(
    "seed",
    [
        pytest.param(seed, id=name, marks=[pytest.mark.long] if name == "new" else [])
        for name, seed in _ALL.items()
    ],
)
