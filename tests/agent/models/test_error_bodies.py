"""What ten hosts answer when they do not reply: each becomes a sentence with what to do."""

import json
import re
from typing import Any

import pytest

from assent.agent.models.provider import WindowFull
from assent.agent.models.refusals import declined
from assent.agent.models.sentences import failure
from assent.gate.settings.models.hosts import Host, host_of
from assent.gate.settings.models.model import Dialect, Model
from tables import each_row

requirement = pytest.mark.requirement


def host(url: str, model: str, dialect: Dialect = Dialect.OPENAI) -> Host:
    asked = Model(id="m", name="m", dialect=dialect, model=model, url=url, key="KEY")
    return host_of(asked, "sk-secret")


HOSTS = {
    "OpenAI": host("", "gpt-5.6"),
    "Anthropic": host("", "claude-opus-5", Dialect.ANTHROPIC),
    "Gemini": host("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-3-flash"),
    "DeepSeek": host("https://api.deepseek.com", "deepseek-v4-pro"),
    "OpenRouter": host("https://openrouter.ai/api/v1", "x/y"),
    "Groq": host("https://api.groq.com/openai/v1", "gpt-oss-120b"),
    "Mistral": host("https://api.mistral.ai/v1", "mistral-large-latest"),
    "xAI": host("https://api.x.ai/v1", "grok-4.7"),
    "ours.openai.azure.com": host("https://ours.openai.azure.com/openai/v1", "mine"),
    "Ollama": host("", "qwen3", Dialect.OLLAMA),
}
_GOOGLE = [
    {
        "error": {
            "code": 429,
            "message": "You exceeded your current quota, please check your plan and billing.",
            "status": "RESOURCE_EXHAUSTED",
            "details": [
                {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []},
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"},
            ],
        }
    }
]
_PAGE = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>…</body></html>"


def _openai(message: str, code: str | None = None, kind: str = "invalid_request_error") -> Any:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _anthropic(kind: str, message: str) -> Any:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


KEY, NOT_THERE, FULL, LATER, LOAD = "key", "no such model", "full", "later", "overloaded"
SAYS = {
    KEY: r"does not accept the key in KEY\.$",
    NOT_THERE: r"has no model .*",
    FULL: r"^The conversation is longer than .* can read\.$",
    LATER: r"takes no more requests for now; try again (in a while|in \d+ (seconds|minutes))\.$",
    LOAD: r"(is overloaded; try again|failed).*\.$",
    "credit": r"says that there is no credit left",
    "refused": r"refused the request.*\.$",
}
CASES: list[tuple[str, int, dict[str, str], Any, str, float | None]] = [
    ("OpenAI", 401, {}, _openai("Incorrect API key provided: sk-…", "invalid_api_key"), KEY, None),
    ("OpenAI", 404, {}, _openai("The model `gpt-9` does not exist or you do not have access to it.",
     "model_not_found"), NOT_THERE, None),
    ("OpenAI", 400, {}, _openai("This model's maximum context length is 272000 tokens.",
     "context_length_exceeded"), FULL, None),
    ("OpenAI", 429, {"retry-after-ms": "1500"}, _openai("Rate limit reached for gpt-5.6",
     "rate_limit_exceeded", "tokens"), LATER, 1.5),
    ("OpenAI", 429, {}, _openai("You exceeded your current quota, please check your plan.",
     "insufficient_quota", "insufficient_quota"), "credit", None),
    ("OpenAI", 500, {}, _openai("The server had an error", None, "server_error"), LOAD, None),
    ("OpenAI", 403, {}, _openai("Country, region, or territory not supported"), "refused", None),
    ("Anthropic", 401, {}, _anthropic("authentication_error", "invalid x-api-key"), KEY, None),
    ("Anthropic", 403, {}, _anthropic("permission_error", "Your key may not use this."),
     "refused", None),
    ("Anthropic", 404, {}, _anthropic("not_found_error", "model: claude-9"), NOT_THERE, None),
    ("Anthropic", 400, {}, _anthropic("invalid_request_error",
     "prompt is too long: 210000 tokens > 200000 maximum"), FULL, None),
    ("Anthropic", 413, {}, _anthropic("request_too_large", "Request exceeds the maximum size"),
     FULL, None),
    ("Anthropic", 429, {"retry-after": "20"}, _anthropic("rate_limit_error",
     "This request would exceed your limit of input tokens per minute."), LATER, 20.0),
    ("Anthropic", 529, {}, _anthropic("overloaded_error", "Overloaded"), LOAD, None),
    ("Anthropic", 500, {"x-should-retry": "true"}, _anthropic("api_error", "Internal"), LOAD, None),
    ("Anthropic", 400, {}, _anthropic("invalid_request_error",
     "Your credit balance is too low to access the Anthropic API."), "credit", None),
    ("Gemini", 400, {}, [{"error": {"code": 400, "message": "API key not valid. Please pass a"
     " valid API key.", "status": "INVALID_ARGUMENT"}}], KEY, None),
    ("Gemini", 404, {}, [{"error": {"code": 404, "message": "models/gemini-9 is not found for API"
     " version v1main", "status": "NOT_FOUND"}}], NOT_THERE, None),
    ("Gemini", 429, {}, _GOOGLE, LATER, 34.0),
    ("Gemini", 503, {}, [{"error": {"code": 503, "message": "The model is overloaded.",
     "status": "UNAVAILABLE"}}], LOAD, None),
    ("Gemini", 400, {}, [{"error": {"code": 400, "message": "The input token count (1100000)"
     " exceeds the maximum number of tokens allowed (1048576).", "status": "INVALID_ARGUMENT"}}],
     FULL, None),
    ("DeepSeek", 401, {}, _openai("Authentication Fails, Your api key is invalid", None,
     "authentication_error"), KEY, None),
    ("DeepSeek", 402, {}, _openai("Insufficient Balance", "invalid_request_error", "unknown_error"),
     "credit", None),
    ("DeepSeek", 503, {}, "", LOAD, None),
    ("OpenRouter", 401, {}, {"error": {"message": "No auth credentials found", "code": 401}},
     KEY, None),
    ("OpenRouter", 402, {}, {"error": {"message": "This request requires more credits", "code":
     402}}, "credit", None),
    ("OpenRouter", 429, {"retry-after": "90"}, {"error": {"message": "Provider returned error",
     "code": 429, "metadata": {"raw": "x/y is rate-limited upstream", "provider_name": "Z"}}},
     LATER, 90.0),
    ("OpenRouter", 400, {}, {"error": {"message": "x/y-9 is not a valid model ID", "code": 400}},
     "refused", None),
    ("OpenRouter", 502, {}, _PAGE, LOAD, None),
    ("Groq", 413, {}, _openai("Request too large for model in organization on tokens per minute",
     "rate_limit_exceeded", "tokens"), FULL, None),
    ("Groq", 429, {"retry-after": "7"}, _openai("Rate limit reached", "rate_limit_exceeded",
     "tokens"), LATER, 7.0),
    ("Groq", 503, {}, _openai("Service Unavailable", None, "service_unavailable"), LOAD, None),
    ("Mistral", 401, {}, {"detail": "Unauthorized"}, KEY, None),
    ("Mistral", 400, {}, {"object": "error", "message": "Invalid model: mistral-9", "type":
     "invalid_model", "code": "1500"}, NOT_THERE, None),
    ("Mistral", 429, {}, {"message": "Requests rate limit exceeded"}, LATER, None),
    ("Mistral", 422, {}, {"detail": [{"loc": ["body", "messages"], "msg": "Field required"}]},
     "refused", None),
    ("xAI", 400, {}, {"code": "Client specified an invalid argument", "error": "Incorrect API key"
     " provided: sk***. You can obtain one at the console."}, KEY, None),
    ("xAI", 404, {}, {"code": "Some requested entity was not found", "error": "The model grok-9"
     " does not exist or your team does not have access to it."}, NOT_THERE, None),
    ("ours.openai.azure.com", 401, {}, {"error": {"code": "401", "message": "Access denied due to"
     " invalid subscription key or wrong API endpoint."}}, KEY, None),
    ("ours.openai.azure.com", 404, {}, {"error": {"code": "DeploymentNotFound", "message": "The API"
     " deployment for this resource does not exist."}}, "refused", None),
    ("ours.openai.azure.com", 429, {"retry-after": "3"}, {"error": {"code": "429", "message":
     "Requests have exceeded the token rate limit."}}, LATER, 3.0),
    ("Ollama", 404, {}, {"error": "model 'qwen3' not found"}, NOT_THERE, None),
    ("Ollama", 500, {}, {"error": "llama runner process has terminated"}, LOAD, None),
    ("Ollama", 503, {}, {"error": "server busy, please try again"}, LOAD, None),
]  # fmt: skip


@requirement("M-04")
@each_row(
    ("name", "status", "headers", "body", "kind", "after"),
    CASES,
    ids=[f"{it[0]}-{it[1]}-{it[4]}-{at}" for at, it in enumerate(CASES)],
)
def test_it_is_understood_in_a_sentence(  # noqa: PLR0917 -- one column each
    name: str, status: int, headers: dict[str, str], body: Any, kind: str, after: float | None
) -> None:
    raw = body if isinstance(body, str) else json.dumps(body)
    trouble = declined(status, headers, raw.encode(), ("sk-secret",))
    told = failure(trouble, HOSTS[name])
    assert re.search(SAYS[kind], str(told)), str(told)
    assert isinstance(told, WindowFull) == (kind == FULL)
    assert (told.again > 0) == (kind in {LATER, LOAD}), told.again
    assert told.after == after
    assert "<" not in str(told)
    assert "sk-secret" not in str(told)


def test_each_host_and_each_kind_is_there() -> None:
    assert {it[0] for it in CASES} == set(HOSTS)
    assert {it[4] for it in CASES} == set(SAYS)


@each_row("name", HOSTS)
@each_row("status", [401, 429, 500, 503])
@each_row("raw", [b"", _PAGE.encode(), b"null", b"\xff\xfe", b"[" * 5_000])
def test_an_answer_that_says_nothing_is_a_sentence_of_its_status(
    name: str, status: int, raw: bytes
) -> None:
    told = str(failure(declined(status, {}, raw, ()), HOSTS[name]))
    assert told.endswith(".")
    assert "<" not in told
    says = {401: KEY, 429: LATER, 500: LOAD, 503: LOAD}[status]
    assert re.search(SAYS[says], told), told
