"""Insights as a page: without a script, in the theme's colours, with a table beside each picture.

The same page is shown in the editor and written by `assent insights --html`. What comes from a
journal is escaped; the page may load nothing, and only its own sheet styles it.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from attrs import frozen

from assent.history.charts import bars, cell, figure, stacks, table
from assent.history.insights import ANSWERERS, Insights
from assent.history.proposals import Proposals
from assent.history.table import moment

__all__ = ["Idle", "Told", "page_of"]

_MOST: Final = 20
"""So many lines of a list are shown."""

_SHEET: Final = """
:root { color-scheme: light dark; }
body { max-width: 860px; margin: 0 auto; padding: 16px 24px 48px;
  background: var(--vscode-editor-background, Canvas); color: var(--vscode-foreground, CanvasText);
  font: var(--vscode-font-size, 14px) / 1.5 var(--vscode-font-family, system-ui, sans-serif); }
h1 { font-size: 1.5em; margin: 0; } h2 { font-size: 1.15em; margin: 28px 0 6px; }
.muted, summary, th { color: var(--vscode-descriptionForeground, inherit); }
.facts { display: flex; flex-wrap: wrap; gap: 8px 28px; padding: 0; list-style: none; }
.facts b { display: block; font-size: 1.5em; }
figure { margin: 12px 0; } .chart { width: 100%; height: auto; }
.chart text { font-size: 10px; fill: var(--vscode-descriptionForeground, currentColor); }
.chart line { stroke: var(--vscode-widget-border, currentColor); }
.a { fill: var(--vscode-charts-green, #388a34); } .b { fill: var(--vscode-charts-red, #c72e0f); }
.c { fill: var(--vscode-charts-yellow, #d7a800); }
.d { fill: var(--vscode-charts-purple, #8a5fbf); }
rect { stroke: var(--vscode-editor-background, Canvas); stroke-width: 1; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 0; list-style: none;
  font-size: .9em; }
.key { width: 10px; height: 10px; margin-inline-end: 6px; }
table { border-collapse: collapse; width: 100%; font-size: .92em; }
th, td { text-align: start; padding: 3px 10px 3px 0; vertical-align: top; overflow-wrap: anywhere;
  border-bottom: 1px solid var(--vscode-widget-border, #8884); }
.n { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
code { font-family: var(--vscode-editor-font-family, monospace); overflow-wrap: anywhere; }
.rule { margin: 12px 0; padding: 10px 14px; border: 1px solid var(--vscode-widget-border, #8886);
  border-radius: 6px; }
.rule p { margin: 4px 0; }
:focus-visible { outline: 2px solid var(--vscode-focusBorder, Highlight); }
"""


@frozen(kw_only=True)
class Idle:
    """A rule in reach that could go."""

    rule: str
    verdict: str
    where: str
    why: str


@frozen(kw_only=True)
class Told:
    """What a page tells."""

    insights: Insights
    proposals: Proposals
    idle: tuple[Idle, ...] = ()
    days: int = 30
    until: str = ""
    """The last day, as a date."""
    where: str = "in all your workspaces"


def page_of(told: Told) -> str:
    """The whole page."""
    body = "".join(
        part(told) for part in (_head, _daily, _waiting, _asked, _rules, _proposed, _idle)
    )
    digest = base64.b64encode(hashlib.sha256(_SHEET.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Insights</title><style>{_SHEET}</style></head><body><main>{body}</main></body></html>\n"
    )


def _head(told: Told) -> str:
    seen = told.insights
    facts = (
        (seen.decided, "decisions"),
        (seen.asked, "questions"),
        (seen.answered[ANSWERERS[0]], "you allowed"),
        (seen.answered[ANSWERERS[1]], "you denied"),
        (seen.needless, "needless"),
        (seen.unread, "allowed unread"),
    )
    listed = "".join(f"<li><b>{count:,}</b>{cell(name)}</li>" for count, name in facts)
    return (
        f"<h1>Insights</h1><p class=muted>The last {told.days} days until {cell(told.until)},"
        f' {cell(told.where)}.</p><ul class="facts">{listed}</ul>'
        "<p class=muted>Needless: you allowed exactly this again and again, and never denied it."
        " Unread: you allowed it within a second of its card being shown.</p>"
    )


def _daily(told: Told) -> str:
    days = told.insights.days
    last = date.fromisoformat(told.until)
    names = [(last - timedelta(days=ago)).isoformat() for ago in reversed(range(told.days))]
    counts: dict[str, Mapping[str, int]] = {name: days.get(name, {}) for name in names}
    rows = [
        (name, *(counts[name].get(it, 0) for it in ANSWERERS), sum(counts[name].values()))
        for name in names
    ]
    beside = table(("Day", *ANSWERERS, "all"), rows, 1)
    says = f"{told.insights.asked} questions in {told.days} days"
    title = "Questions a day, and who answered"
    return f"<h2>{title}</h2>" + figure(title, stacks(names, ANSWERERS, counts, says), beside)


def _waiting(told: Told) -> str:
    seen = told.insights
    title = "How long questions waited"
    shares = ", ".join(f"{name} {_seconds(seen.wait(it))}" for name, it in _SHARES)
    beside = table(("Waited", "questions"), seen.spread, 1)
    return f"<h2>{title}</h2><p>{shares}.</p>" + figure(title, bars(seen.spread, shares), beside)


_SHARES: Final = (("half of them at most", 0.5), ("nine of ten at most", 0.9), ("the longest", 1.0))


def _asked(told: Told) -> str:
    often = told.insights.questions[:_MOST]
    rows = [
        (it.what[:400], it.tool, it.asked, it.allowed, it.denied, it.needless, it.unread)
        for it in often
    ]
    head = ("What was asked", "tool", "asked", "allowed", "denied", "needless", "unread")
    return "<h2>What you were asked most</h2>" + (
        table(head, rows, 2) if rows else "<p>You were asked nothing.</p>"
    )


def _rules(told: Told) -> str:
    uses = told.insights.rules[:_MOST]
    rows = [
        (it.rule, it.uses, it.allowed, it.refused, it.denied_elsewhere, moment(it.last))
        for it in uses
    ]
    head = ("Rule", "decided", "allowed", "denied", "you denied elsewhere", "last")
    unasked = sorted(told.insights.unasked.items(), key=lambda it: -it[1])
    by = [(who, outcome, count) for (who, outcome), count in unasked]
    return (
        "<h2>What was decided without a question</h2>"
        + table(("By", "outcome", "decisions"), by, 2)
        + "<h2>Rules, by how often they decided</h2>"
        + (table(head, rows, 1) if rows else "<p>No rule decided anything.</p>")
    )


_SAVING: Final = "Rules that would save questions"


def _proposed(told: Told) -> str:
    found = told.proposals
    if not found.each:
        return f"<h2>{_SAVING}</h2><p>None would, without letting pass what you denied.</p>"
    listed = "".join(
        f'<li class="rule"><p><code>{cell(it.rule)}</code></p>'
        f"<p>Would have saved {it.saved} of {found.asked} questions, 0 of which you denied.</p>"
        f"<p>Would have let pass: {_codes(it.passes)}</p>"
        f"<p>Would also have allowed: {_codes(it.also) or 'nothing that is known'}</p></li>"
        for it in found.each
    )
    return (
        f"<h2>{_SAVING}</h2><p>Together they would have saved"
        f" <b>{found.saved} of {found.asked} questions</b>,"
        f" {found.denied} of which you denied. None of them is in force: make one of a record in"
        " History, or write it under <code>assent.rules</code>.</p>"
        f'<ul class="facts">{listed}</ul>'
    )


def _idle(told: Told) -> str:
    if not told.idle:
        return ""
    rows = [(it.rule, it.verdict, it.where, it.why) for it in told.idle]
    return "<h2>Rules that could go</h2>" + table(("Rule", "says", "where", "why"), rows)


def _codes(texts: Sequence[str]) -> str:
    return ", ".join(f"<code>{cell(text)}</code>" for text in texts)


def _seconds(milliseconds: int) -> str:
    seconds = milliseconds / 1000
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.0f} min"  # noqa: PLR2004
