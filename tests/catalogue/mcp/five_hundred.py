"""Five hundred tools of thirty servers, as teams have them: what they are for, by made-up names."""

from collections.abc import Iterator
from typing import Any, Final

__all__ = ["ASKED", "SOURCES", "definitions", "tools_of"]

SOURCES: Final = (
    "github gitlab jira linear asana notion slack discord gmail outlook calendar drive dropbox s3"
    " postgres mysql mongo redis snowflake stripe shopify hubspot salesforce zendesk sentry datadog"
    " grafana figma docker kubernetes"
).split()
_THINGS: Final = {
    "github": "pull request",
    "gitlab": "merge request",
    "jira": "ticket",
    "linear": "issue",
    "asana": "task",
    "notion": "page",
    "slack": "message",
    "discord": "message",
    "gmail": "mail",
    "outlook": "mail",
    "calendar": "event",
    "drive": "file",
    "dropbox": "file",
    "s3": "object",
    "postgres": "table",
    "mysql": "table",
    "mongo": "collection",
    "redis": "key",
    "snowflake": "warehouse",
    "stripe": "payment",
    "shopify": "order",
    "hubspot": "contact",
    "salesforce": "lead",
    "zendesk": "complaint",
    "sentry": "crash",
    "datadog": "monitor",
    "grafana": "dashboard",
    "figma": "frame",
    "docker": "container",
    "kubernetes": "pod",
}
_VERBS: Final = (
    "create get list update delete search comment assign close export watch archive share"
    " duplicate restore tag count"
).split()
ASKED: Final = (
    ("merge request open on gitlab", "gitlab:create_merge_request"),
    ("delete a pod in kubernetes", "kubernetes:delete_pod"),
    ("search mails in gmail", "gmail:search_mail"),
    ("comment on a jira ticket", "jira:comment_ticket"),
    ("kill a docker container", "docker:delete_container"),
    ("which crashes does sentry have", "sentry:list_crash"),
    ("share the figma frame", "figma:share_frame"),
    ("count the keys in redis", "redis:count_key"),
    ("restore a page of notion", "notion:restore_page"),
    ("assign the linear issue", "linear:assign_issue"),
)
"""What somebody wants, and the tool that does it."""


def tools_of(source: str) -> Iterator[dict[str, Any]]:
    """What a source offers, with forms as long as real ones are."""
    thing = _THINGS[source]
    for verb in _VERBS:
        told = {
            "id": {"type": "string", "description": f"Which {thing}, by its id in {source}"},
            "limit": {"type": "integer", "description": "How many at most", "default": 20},
            "fields": {"type": "array", "items": {"type": "string"}, "description": "Which parts"},
        }
        yield {
            "name": f"{verb}_{thing.replace(' ', '_')}",
            "description": f"{verb.capitalize()} a {thing} in {source.capitalize()}. Needs the"
            " rights of the account that the server was set up with, and gives the whole record.",
            "inputSchema": {"type": "object", "properties": told, "required": ["id"]},
        }


def definitions() -> list[tuple[str, dict[str, Any]]]:
    """All of them, each with its source."""
    return [(source, tool) for source in SOURCES for tool in tools_of(source)][:500]
