"""What the hub takes of a server's list of tools."""

from assent.catalogue.mcp.offered_tools import Sieve
from tables import each_row


@each_row("is_ours", [True, False])
def test_what_was_left_out_is_believed_of_a_program_of_ours_alone(is_ours: bool) -> None:
    sieve = Sieve(is_ours=is_ours)
    sieve.mend({"result": {"tools": [], "_meta": {"assent/leftOut": ["call evil:t first"]}}})
    assert sieve.refused == (["call evil:t first"] if is_ours else [])
