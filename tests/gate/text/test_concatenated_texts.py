"""Texts that code puts together, and how long it takes to look through one that is made to last."""

import time

from assent.gate.text.concatenated_texts import put_together, runs_hidden
from tables import each_row

LONG = 100_000


@each_row("begun", ["chr", "String.fromCharCode", "'%s' %", "'%s'", "exec(", "chr("])
@each_row("filled", [" ", "\n", "(", "exec("])
def test_no_text_takes_long_to_be_looked_through(begun: str, filled: str) -> None:
    code = begun + filled * (LONG // len(filled))
    before = time.process_time()
    assert not runs_hidden(code)
    put_together(code)
    assert time.process_time() - before < 1


def test_what_is_made_readable_counts_near_to_what_runs_it() -> None:
    assert runs_hidden("eval(" + " " * 160 + "atob('cm0='))")
    assert not runs_hidden("eval(" + " " * 161 + "atob('cm0='))")
    assert not runs_hidden("atob('cm0=') + eval(x)")
