"""`assent insights`: statistics of your questions, and rules that would save some of them.

The figures are of the journal; what rules would have done is ruled on by the settings in reach.
Nothing is changed.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from assent.cli.journal_choice import add_journal, journals_of
from assent.cli.policy_of_files import standing_of_files
from assent.editor.insights.insight_page import PageContent, page_of
from assent.editor.insights.insights import Insights
from assent.editor.insights.journal_rows import MAX_DAYS, insights_since
from assent.editor.insights.proposals import Proposals, propose
from assent.gate.disk.places import Places
from assent.gate.journal.marked_sentences import in_english
from assent.gate.journal.reader import JournalUnread, reading
from assent.gate.settings.paths import state_path, user_settings_files
from assent.gate.settings.premises import premises_of_machine
from assent.gate.settings.private_files import OPEN_SAFELY

__all__ = ["main"]

_DAY_MS: Final = 86_400_000


def main(arguments: Sequence[str]) -> int:
    """Print the figures, or write the page; what the process should exit with."""
    options = _parser().parse_args(arguments)
    now = time.time_ns() // 1_000_000
    folder = None if options.workspace is None else str(Path(options.workspace).absolute())
    insights = Insights()
    try:
        for path in journals_of(options):
            with reading(path) as reader:
                insights = insights_since(reader, now - options.days * _DAY_MS, folder)
            break
    except JournalUnread as error:
        sys.stderr.write(f"assent: {error}\n")
        return 1
    proposals = _proposals(insights, folder or os.getcwd())  # noqa: PTH109 -- as it is spelled
    content = PageContent(
        insights=insights,
        proposals=proposals,
        days=options.days,
        until=datetime.now(UTC).astimezone().date().isoformat(),
        where=f"in {folder}" if folder else "in all your workspaces",
    )
    if options.html is None:
        sys.stdout.write(_summary(content))
        return 0
    return _write(options.html, in_english(page_of(content)))


def _proposals(insights: Insights, folder: str) -> Proposals:
    known = premises_of_machine(state_path(), Path.home(), [folder])
    places = Places(roots=(folder,), home=str(Path.home()))
    own = user_settings_files(Path.home())
    policy, _, places = standing_of_files(own, Path(folder), places, None, time.time(), known=known)
    return propose(insights.questions, lambda _: policy, places)


def _summary(page_content: PageContent) -> str:
    seen, rules = page_content.insights, page_content.proposals
    lines = [
        f"The last {page_content.days} days, {page_content.where}:",
        f"  {seen.decided:,} decisions, {seen.asked:,} questions",
        *(f"  {count:,} {who}" for who, count in seen.answered.items()),
        f"  {seen.needless:,} needless, {seen.unread:,} allowed unread",
        f"  half of them waited at most {seen.wait(0.5) / 1000:.1f} s",
    ]
    lines += [
        f"  {proposal.rule!r} would have saved {proposal.saved} of {rules.asked}, 0 of them denied"
        for proposal in rules.each
    ]
    return "\n".join(lines) + "\n"


def _write(path: Path, page: str) -> int:
    """Commands and paths stand in it, so it is for whoever asked alone."""
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | OPEN_SAFELY
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(page)
    except OSError as error:
        sys.stderr.write(f"assent: {path} cannot be written: {error.strerror}.\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "assent insights",
        description="Show what you were asked, and which rules would have saved questions.",
    )
    add_journal(parser)
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with pictures")
    parser.add_argument("--days", type=_days, default=30, metavar="N", help="so far back (30)")
    parser.add_argument("--workspace", metavar="FOLDER", help="only what was asked there")
    return parser


def _days(given: str) -> int:
    if not given.isdecimal() or not 0 < int(given) <= MAX_DAYS:
        raise argparse.ArgumentTypeError(f"{given!r} is no number of days up to {MAX_DAYS}")
    return int(given)
