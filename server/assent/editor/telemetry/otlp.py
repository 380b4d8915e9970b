"""Counts and spans as OTLP's JSON: the two messages that every collector accepts over HTTP.

Numbers of 64 bits are texts there, ids are hexadecimal, and kinds are numbers.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import assent
from assent.editor.telemetry.series import BOUNDS, Key, Series, Times
from assent.editor.telemetry.spans import Span
from assent.gate.values import frozen

__all__ = ["Run", "metrics", "traces"]

_CUMULATIVE: Final = 2
_INTERNAL: Final = 1
_ERROR: Final = 2

_TIMES: Final = {
    "ruling": "From a call's proposal to its question or its decision, hooks included",
    "answering": "From the question about a call to its decision",
    "running": "From the decision that a call may run to its end",
}


@frozen(kw_only=True)
class Run:
    """Who tells: no machine, no person and no folder, but a number that is drawn anew each time."""

    id: str
    began: int
    """In nanoseconds, by the clock on the wall."""

    @property
    def resource(self) -> dict[str, Any]:
        """As it stands above all that is told."""
        said = {
            "service.name": "assent",
            "service.version": assent.__version__,
            "service.instance.id": self.id,
        }
        return {"attributes": _attributes(said)}


def metrics(run: Run, series: Series, tickets: int, now: int) -> dict[str, Any]:
    """All counts and times as they stand."""
    span = {"startTimeUnixNano": str(run.began), "timeUnixNano": str(now)}
    measures = [
        _sum("assent.decisions", "{call}", "Calls that were decided", series.decisions, span),
        *(
            _histogram(f"assent.{name}.duration", says, getattr(series, name), span)
            for name, says in _TIMES.items()
        ),
        _sum(
            "assent.spans.dropped",
            "{span}",
            "Spans that were not taken, or that there was no room for",
            {(): series.dropped},
            span,
        ),
        {
            "name": "assent.tickets.open",
            "unit": "{ticket}",
            "description": "Questions that wait for an answer",
            "gauge": {"dataPoints": [{"timeUnixNano": str(now), "asInt": str(tickets)}]},
        },
    ]
    scoped = [
        {"scope": _scope(), "metrics": [measure for measure in measures if measure is not None]}
    ]
    return {"resourceMetrics": [{"resource": run.resource, "scopeMetrics": scoped}]}


def traces(run: Run, spans: Iterable[Span]) -> dict[str, Any]:
    """Calls that are over."""
    scoped = [{"scope": _scope(), "spans": [_span(span) for span in spans]}]
    return {"resourceSpans": [{"resource": run.resource, "scopeSpans": scoped}]}


def _scope() -> dict[str, str]:
    return {"name": "assent", "version": assent.__version__}


def _sum(
    name: str, unit: str, says: str, counts: Mapping[Key, int], span: Mapping[str, str]
) -> dict[str, Any] | None:
    points = [
        {**span, "attributes": _attributes(dict(key)), "asInt": str(count)}
        for key, count in counts.items()
    ]
    kind = {"dataPoints": points, "aggregationTemporality": _CUMULATIVE, "isMonotonic": True}
    return {"name": name, "unit": unit, "description": says, "sum": kind} if points else None


def _histogram(
    name: str, says: str, times: Mapping[Key, Times], span: Mapping[str, str]
) -> dict[str, Any] | None:
    points = [
        {
            **span,
            "attributes": _attributes(dict(key)),
            "count": str(summary.count),
            "sum": summary.total,
            "bucketCounts": [str(count) for count in summary.buckets],
            "explicitBounds": list(BOUNDS),
        }
        for key, summary in times.items()
    ]
    kind = {"dataPoints": points, "aggregationTemporality": _CUMULATIVE}
    return {"name": name, "unit": "s", "description": says, "histogram": kind} if points else None


def _span(span: Span) -> dict[str, Any]:
    parent = {"parentSpanId": span.parent} if span.parent else {}
    return {
        "traceId": span.trace,
        "spanId": span.id,
        **parent,
        "name": span.name,
        "kind": _INTERNAL,
        "startTimeUnixNano": str(span.began),
        "endTimeUnixNano": str(span.ended),
        "attributes": _attributes(span.words),
        "status": {"code": _ERROR} if span.failed else {},
    }


def _attributes(words: Mapping[str, str | list[str]]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in words.items()]


def _value(said: str | list[str]) -> dict[str, Any]:
    if isinstance(said, str):
        return {"stringValue": said}
    return {"arrayValue": {"values": [{"stringValue": text} for text in said]}}
