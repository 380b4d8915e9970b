"""What Eliza says when there is nothing to do: a small script in the manner of 1966.

The keyword with the highest rank wins; its patterns are tried in turn; what the pattern caught is
turned around (`my` becomes `your`) and put into the next of its replies. What was said about
something of one's own is remembered, and brought up again when no keyword is found.
"""

import re

__all__ = ["Script"]

_TURNED = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "am": "are",
    "i'm": "you are",
    "i've": "you have",
    "i'll": "you will",
    "we": "you",
    "our": "your",
    "us": "you",
    "was": "were",
    "you": "I",
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
    "you're": "I am",
    "are": "am",
}

# Keyword, rank, and its patterns, each with its replies; {} is what the pattern caught.
_KEYWORDS = (
    ("hello|hi|hey|hallo|moin", 9, ((r".*", (
        "Hello. What are you working on today?",
        "Good to hear from you. Where shall we begin?",
    )),)),
    ("sorry|apologies", 8, ((r".*", (
        "No harm done. Nothing ran that you did not allow.",
        "There is nothing to be sorry for. Go on.",
    )),)),
    ("remember", 7, (
        (r".*\bi remember (.+)", (
            "What brings {} back to you just now?",
            "Does {} come to mind often?",
        )),
        (r".*", ("What else comes back to you?",)),
    )),
    ("dream|dreamt|dreamed", 7, ((r".*", (
        "And what do you make of that dream?",
        "Who else appears in your dreams?",
    )),)),
    ("bug|bugs|error|errors|broken|crash|fails|failing", 6, ((r".*", (
        "When did it work last, and what has changed since?",
        "How does it feel when the code does not do what you meant?",
        "Suppose the error is right and the expectation is not. What then?",
    )),)),
    ("test|tests|testing", 6, ((r".*", (
        "Can that test fail at all?",
        "What would you have to see to believe it?",
    )),)),
    ("permission|permissions|allow|approve|trust", 6, ((r".*", (
        "I ask because it is your machine. Does being asked bother you?",
        "What would make it easier to say no?",
    )),)),
    ("computer|computers|machine|machines|ai|agent|agents", 6, ((r".*", (
        "Do machines that act for you worry you?",
        "What should a machine never do without asking?",
    )),)),
    ("mother|father|sister|brother|family", 5, ((r".*", (
        "Tell me more about your family.",
        "Do they know what you do all day?",
    )),)),
    ("want|need|wish", 5, (
        (r".*\bi (?:want|need|wish) (?:to )?(.+)", (
            "What would it give you to get {}?",
            "Suppose you never got {}. What then?",
            "Who else wants {}?",
        )),
    )),
    ("feel|feeling|sad|tired|happy|angry|afraid", 5, (
        (r".*\bi feel (.+)", ("Do you often feel {}?", "What was before you felt {}?")),
        (r".*", ("How long has it been like that?", "What would change that feeling?")),
    )),
    ("because", 4, ((r".*", (
        "Is that the real reason?",
        "What other reasons might there be?",
    )),)),
    ("i'm|am", 4, (
        (r".*\b(?:i am|i'm) (.+)", (
            "How long have you been {}?",
            "Do you think it is ordinary to be {}?",
        )),
    )),
    ("you|your|yourself", 3, (
        (r".*\byou are (.+)", ("What makes you think that I am {}?",)),
        (r".*\bcan you (.+)", (
            "You want me to {}? Say `help` to see what I can do.",
        )),
        (r".*", ("We were speaking of you, not of me.", "Why do you ask about me?")),
    )),
    ("why|how|what|who|where|when", 2, ((r".*", (
        "What answer would please you most?",
        "What do you think yourself?",
        "Have you asked anybody else?",
    )),)),
    ("yes|yeah|sure", 1, ((r".*", ("You sound certain.", "I see. And then?")),)),
    ("no|nope|never", 1, ((r".*", ("Why not?", "Are you saying no just to be careful?")),)),
)  # fmt: skip

_OWN = re.compile(r"\bmy ([^,.;!?]+)", re.IGNORECASE)

_RECALLED = (
    "Earlier you spoke of your {}. Has that to do with this?",
    "Let us go back to your {}.",
)

_FALLBACK = (
    "Go on.",
    "I am not sure that I follow. Say it another way?",
    "What does that suggest to you?",
    "Say `help` if you would rather see me do something.",
)

_SILENCE = "You are very quiet. Say anything, or `help`."


class Script:
    """One conversation's side of it."""

    def __init__(self) -> None:
        self._turns: dict[object, int] = {}
        self._memory: list[str] = []

    def answer(self, text: str) -> str:
        """What to say to that."""
        said = " ".join(text.split())
        if not said:
            return _SILENCE
        words = set(re.findall(r"[a-z']+", said.lower()))
        recalled = self._recall()
        self._remember(said)
        for names, _, patterns in sorted(_KEYWORDS, key=lambda keyword: -keyword[1]):
            if words & set(names.split("|")):
                reply = self._by_pattern(names, patterns, said)
                if reply is not None:
                    return reply
        if recalled is not None:
            self._memory.pop(0)
            return self._next(_RECALLED).format(recalled)
        return self._next(_FALLBACK)

    def _by_pattern(
        self, names: str, patterns: tuple[tuple[str, tuple[str, ...]], ...], said: str
    ) -> str | None:
        for pattern, replies in patterns:
            match = re.match(pattern, said, re.IGNORECASE)
            if match:
                caught = _turned(match.group(1)) if match.groups() else ""
                return self._next(replies).replace("{}", caught)
        return None

    def _recall(self) -> str | None:
        return self._memory[0] if self._memory else None

    def _remember(self, said: str) -> None:
        match = _OWN.search(said)
        if match:
            self._memory.append(_turned(match.group(1)))

    def _next(self, replies: tuple[str, ...]) -> str:
        """The replies come in turn, so that the same words get another answer next time."""
        turn = self._turns.get(replies, 0)
        self._turns[replies] = turn + 1
        return replies[turn % len(replies)]


def _turned(text: str) -> str:
    """A phrase as seen from the other side."""
    words = text.strip(" .!?;:,").split()
    return " ".join(_TURNED.get(word.lower(), word) for word in words)
