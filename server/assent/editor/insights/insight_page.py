"""The page of Insights: no scripts, the theme's colours, a table beside each chart.

The same page is shown in the editor, which says its sentences in its own language, and written by
`assent insights --html` in English. It may load nothing, and only its own sheet styles it.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from assent.editor.insights.charts import bars, figure, stacks, table
from assent.editor.insights.insights import ANSWERERS, Insights
from assent.editor.insights.proposals import Proposals
from assent.gate.journal.marked_sentences import Markup, cell, say
from assent.gate.journal.table import moment
from assent.gate.values import frozen

__all__ = ["Idle", "PageContent", "page_of"]

_MAX_LINES: Final = 20
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
class PageContent:
    """What a page tells."""

    insights: Insights
    proposals: Proposals
    idle: tuple[Idle, ...] = ()
    days: int = 30
    until: str = ""
    """The last day, as a date."""
    where: str = "in all your workspaces"


def page_of(page_content: PageContent) -> str:
    """The whole page, in which sentences are marked (`saying`)."""
    body = "".join(
        part(page_content) for part in (_head, _daily, _waiting, _asked, _rules, _proposed, _idle)
    )
    digest = base64.b64encode(hashlib.sha256(_SHEET.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{say('Insights')}</title><style>{_SHEET}</style></head><body><main>{body}</main></body></html>\n"
    )


def _head(page_content: PageContent) -> str:
    seen = page_content.insights
    facts = (
        (seen.decided, say("decisions")),
        (seen.asked, say("questions")),
        (seen.answered[ANSWERERS[0]], say(ANSWERERS[0])),
        (seen.answered[ANSWERERS[1]], say(ANSWERERS[1])),
        (seen.needless, say("needless")),
        (seen.unread, say("allowed unread")),
    )
    listed = "".join(f"<li><b>{count:,}</b>{cell(name)}</li>" for count, name in facts)
    needless = "Needless: you allowed exactly this again and again, and never denied it."
    unread = "Unread: you allowed it within a second of its card being shown."
    where = say(
        "The last {a} days until {b}, {c}.",
        page_content.days,
        page_content.until,
        page_content.where,
    )
    return (
        f'<h1>{say("Insights")}</h1><p class=muted>{where}</p><ul class="facts">{listed}</ul>'
        f"<p class=muted>{say(needless)} {say(unread)}</p>"
    )


def _daily(page_content: PageContent) -> str:
    days = page_content.insights.days
    last = date.fromisoformat(page_content.until)
    names = [(last - timedelta(days=ago)).isoformat() for ago in reversed(range(page_content.days))]
    called = [say(answerer) for answerer in ANSWERERS]
    counts: dict[str, Mapping[str, int]] = {
        name: {say(who): count for who, count in days.get(name, {}).items()} for name in names
    }
    rows = [
        (name, *(counts[name].get(markup, 0) for markup in called), sum(counts[name].values()))
        for name in names
    ]
    beside = table((say("Day"), *called, say("all")), rows, 1)
    says = say("{a} questions in {b} days", page_content.insights.asked, page_content.days)
    title = say("Questions a day, and who answered")
    return _titled(title) + figure(title, stacks(names, called, counts, says), beside)


def _waiting(page_content: PageContent) -> str:
    seen = page_content.insights
    title = say("How long questions waited")
    half, most, longest = (_seconds(seen.wait(share)) for share in _SHARES)
    shares = say(
        "Half of them at most {a}, nine of ten at most {b}, the longest {c}.", half, most, longest
    )
    spread = [(say(name), count) for name, count in seen.spread]
    beside = table((say("Waited"), say("questions")), spread, 1)
    return _titled(title) + f"<p>{shares}</p>" + figure(title, bars(spread, shares), beside)


_SHARES: Final = (0.5, 0.9, 1.0)


def _titled(title: Markup) -> str:
    return f"<h2>{title}</h2>"


def _asked(page_content: PageContent) -> str:
    often = page_content.insights.questions[:_MAX_LINES]
    rows = [
        (
            question.what[:400],
            question.tool,
            question.asked,
            question.allowed,
            question.denied,
            question.needless,
            question.unread,
        )
        for question in often
    ]
    counts = (say("asked"), say("allowed"), say("denied"), say("needless"), say("unread"))
    head = (say("What was asked"), say("tool"), *counts)
    nothing = f"<p>{say('You were asked nothing.')}</p>"
    return _titled(say("What you were asked most")) + (table(head, rows, 2) if rows else nothing)


def _rules(page_content: PageContent) -> str:
    uses = page_content.insights.rules[:_MAX_LINES]
    rows = [
        (use.rule, use.uses, use.allowed, use.refused, use.denied_elsewhere, moment(use.last))
        for use in uses
    ]
    elsewhere = say("you denied elsewhere")
    head = (say("Rule"), say("decided"), say("allowed"), say("denied"), elsewhere, say("last"))
    unasked = sorted(page_content.insights.unasked.items(), key=lambda entry: -entry[1])
    by = [(_WORDS.get(who, who), _WORDS.get(how, how), count) for (who, how), count in unasked]
    nothing = f"<p>{say('No rule decided anything.')}</p>"
    return (
        _titled(say("What was decided without a question"))
        + table((say("By"), say("outcome"), say("decisions")), by, 2)
        + _titled(say("Rules, by how often they decided"))
        + (table(head, rows, 1) if rows else nothing)
    )


_WORDS: Final = {
    "user": say("you"),
    "rule": say("a rule"),
    "mode": say("the mode"),
    "hook": say("a hook"),
    "timeout": say("nobody in time"),
    "stop": say("a stop"),
    "agentGone": say("the agent's end"),
    "error": say("a fault"),
    "allowed": say("allowed"),
    "refused": say("denied"),
    "cancelled": say("withdrawn"),
    "allow": say("allowed"),
    "ask": say("asked about"),
    "deny": say("denied"),
}
"""What the journal's words for who decided, and how, are called."""


def _proposed(page_content: PageContent) -> str:
    proposals = page_content.proposals
    title = _titled(say("Rules that would save questions"))
    if not proposals.each:
        nothing = say("None would, without letting pass what you denied.")
        return f"{title}<p>{nothing}</p>"
    listed = "".join(
        f'<li class="rule"><p><code>{cell(proposal.rule)}</code></p>'
        f"<p>{_saved(proposal.saved, proposals.asked)}</p>"
        f"<p>{say('Would have let pass: {a}', _codes(proposal.passes))}</p>"
        f"<p>{say('Would also have allowed: {a}', _codes(proposal.also) or _NOTHING)}</p></li>"
        for proposal in proposals.each
    )
    together = say(
        "Together they would have saved {a} of {b} questions, {c} of which you denied.",
        proposals.saved,
        proposals.asked,
        proposals.denied,
    )
    how = say(
        "None of them is in force: make one of a record in History, or write it under {a}.",
        Markup("<code>assent.rules</code>"),
    )
    return f'{title}<p><b>{together}</b> {how}</p><ul class="facts">{listed}</ul>'


def _saved(saved: int, asked: int) -> str:
    return say("Would have saved {a} of {b} questions, 0 of which you denied.", saved, asked)


_NOTHING: Final = say("nothing that is known")


def _idle(page_content: PageContent) -> str:
    if not page_content.idle:
        return ""
    rows = [
        (idle.rule, _WORDS.get(idle.verdict, idle.verdict), idle.where, idle.why)
        for idle in page_content.idle
    ]
    head = (say("Rule"), say("says"), say("where"), say("why"))
    return _titled(say("Rules that could go")) + table(head, rows)


def _codes(texts: Sequence[str]) -> Markup:
    return Markup(", ".join(f"<code>{cell(text)}</code>" for text in texts))


def _seconds(milliseconds: int) -> Markup:
    seconds = milliseconds / 1000
    short = seconds < 120  # noqa: PLR2004 -- beyond two minutes nobody counts seconds
    return say("{a} s", f"{seconds:.1f}") if short else say("{a} min", f"{seconds / 60:.0f}")
