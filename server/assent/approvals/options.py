"""The ways to answer that a ticket offers.

Broad answers are offered only in a trusted workspace, and never for a question that no rule may
lift: what would be refused later is not offered now.
"""

from assent.approvals.tickets import Option, OptionKind
from assent.calls import Call
from assent.policy.rules import Policy, grant_for
from assent.policy.verdicts import Ruling

__all__ = ["AGENT_PREFIX", "options_for", "options_for_wish"]

AGENT_PREFIX = "agent:"
"""Stands before the id of an option that the agent made up."""

_OFFERS, _LABEL = 4, 120
"""How many of the agent's own options are shown, and how much of each one's words."""


def options_for(call: Call, ruling: Ruling, policy: Policy, agent_name: str) -> tuple[Option, ...]:
    """What a person may answer to this question about a call."""
    broad = _broad(call, agent_name) if ruling.lasting and policy.trusted else ()
    return (
        Option(id="once", kind=OptionKind.ALLOW_ONCE, label="Allow once"),
        *broad,
        Option(id="deny", kind=OptionKind.DENY_ONCE, label="Deny"),
        Option(
            id="tell",
            kind=OptionKind.DENY_TELL,
            label="Deny and tell the agent…",
            detail="The agent gets your words with the refusal.",
        ),
    )


def options_for_wish(label: str) -> tuple[Option, ...]:
    """What a person may answer to a wish of the workspace."""
    return (
        Option(id="keep", kind=OptionKind.KEEP_ASKING, label="Keep asking"),
        Option(id="grant", kind=OptionKind.GRANT_WISH, label=label),
    )


def _broad(call: Call, agent_name: str) -> tuple[Option, ...]:
    return (
        Option(
            id="chat",
            kind=OptionKind.ALLOW_CHAT,
            label="Allow for this chat",
            detail=f"Covers {grant_for(call).text}, and nothing else, until this chat ends.",
        ),
        Option(
            id="bypass",
            kind=OptionKind.BYPASS_AGENT,
            label=f"Stop asking for {agent_name}…",
            detail="Written to this workspace's settings; you are asked once more first.",
        ),
        *(
            Option(
                id=AGENT_PREFIX + offer.id,
                kind=OptionKind.AGENT_ALWAYS,
                label=f"Let {agent_name} remember this itself: “{offer.label[:_LABEL]}”",
                detail="Assent will not see such a call again.",
            )
            for offer in call.offers[:_OFFERS]
        ),
    )
