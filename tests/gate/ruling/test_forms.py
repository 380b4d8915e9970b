"""What a person writes into a server's form is read as the form asks for it, and never a secret."""

from contextlib import suppress
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.call.calls import Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.ruling.decide import decide
from assent.gate.ruling.forms import FOR_PERSON, Unfit, read, secret_in
from assent.gate.ruling.secret_words import names_secret
from gate.ruling.samples import policy, using
from tables import each_row

CHOICES = [{"value": "s", "label": "Small"}, {"value": "l", "label": "Large"}]


def one(kind: str, **more: Any) -> dict[str, Any]:
    return {"message": "So?", "fields": [{"name": "it", "kind": kind} | more]}


@each_row(
    ("form", "written", "came"),
    [
        (one("text", format="email"), "a@b.org", "a@b.org"),
        (one("text", format="date"), "2028-02-29", "2028-02-29"),
        (one("text", format="date-time"), "2026-11-23T09:30:00Z", "2026-11-23T09:30:00Z"),
        (one("text", format="uri"), "https://example.org", "https://example.org"),
        (one("integer"), " 7 ", 7),
        (one("number"), "2.5", 2.5),
        (one("number"), "1e3", 1000.0),
        (one("boolean"), False, False),
        (one("one", choices=CHOICES), "s", "s"),
        (one("some", choices=CHOICES), ["l", "s"], ["l", "s"]),
    ],
)
def test_what_fits_is_read_as_its_field_wants_it(form: Any, written: Any, came: Any) -> None:
    found = read(form, {"it": written})
    assert found == {"it": came}
    assert type(found["it"]) is type(came)


@each_row(
    ("form", "written", "why"),
    [
        (one("text", required=True), "", "“it” is needed."),
        (one("text", least=3), "ab", "“it” takes at least 3 characters."),
        (one("text", most=3), "abcd", "“it” takes at most 3 characters."),
        (one("text"), "x" * 10_001, "“it” takes at most 10000 characters."),
        (one("text"), True, "“it” takes at most 10000 characters."),
        (one("text", format="email"), "a b@c", "“it” takes an e-mail address."),
        (one("text", format="date"), "2027-02-29", "“it” takes a date"),
        (one("text", format="date-time"), "2026-11-23", "“it” takes a moment"),
        (one("text", format="uri"), "example", "“it” takes a whole address"),
        (one("integer"), "7.0", "“it” takes a whole number."),
        (one("integer"), "٧", "“it” takes a whole number."),
        (one("integer"), True, "“it” takes a whole number."),
        (one("integer", least=18), "17", "“it” takes no less than 18."),
        (one("number", most=1), "1.5", "“it” takes no more than 1."),
        (one("number"), "nan", "“it” takes a number"),
        (one("number"), "1e99", "“it” takes no number that large."),
        (one("boolean"), "yes", "“it” takes yes or no."),
        (one("one", choices=CHOICES), "xl", "“it” takes one of its choices."),
        (one("some", choices=CHOICES), ["s", "s"], "“it” takes some of its choices, each once."),
        (one("some", choices=CHOICES, least=2), ["s"], "“it” takes at least 2 of its choices."),
        (one("some", choices=CHOICES, most=1), ["s", "l"], "“it” takes at most 1 of its choices."),
        (one("text", title="A “quoted” thing", required=True), "", "“A  quoted  thing” is needed."),
    ],
)
def test_what_does_not_fit_is_told_of_by_its_field(form: Any, written: Any, why: str) -> None:
    with pytest.raises(Unfit) as told:
        read(form, {"it": written})
    assert str(told.value).startswith(why)


def test_what_the_form_does_not_ask_for_is_not_sent() -> None:
    with pytest.raises(Unfit, match="no such field"):
        read(one("text"), {"it": "a", "more": "b"})


def test_what_is_not_needed_and_left_empty_is_not_sent() -> None:
    assert read(one("number"), {"it": ""}) == {}


@given(st.dictionaries(st.just("it") | st.text(max_size=3), st.text(max_size=30)))
def test_whatever_is_written_is_read_or_told_of(written: dict[str, str]) -> None:
    for kind in ("text", "number", "integer", "boolean", "one", "some"):
        with suppress(Unfit):
            read(one(kind, choices=CHOICES, format="date-time"), written)


SECRETS = (
    *("password", "apiKey", "api_key", "GITHUB_TOKEN", "accessToken", "secret", "client_secret"),
    *("privateKey", "passphrase", "otp", "cvv", "cardNumber", "recovery code", "seed phrase"),
    *("key", "pin", "sshKey", "credentials", "jwt", "APIKey", "AWSSecretKey", "githubAPIToken"),
    *("userpassword", "dbPasswd", "PASSWORD2", "token_1", "authtoken", "x-api-key", "access.key"),
    *("oneTimeCode", "2faCode", "mfa code", "verification-code", "Mother's maiden name", "IBAN"),
    *("Passwort", "Kennwörter", "Zugangsdaten", "API-Schlüssel", "zugangsschluessel", "Geheimzahl"),
    *("Bestätigungscode", "Kreditkartennummer", "Einmalcode", "privater Schlüssel", "smsTAN"),
    *("mot de passe", "Clé API", "contraseña", "senha", "wachtwoord", "パスワード", "APIキー"),
    *(
        "密码",
        "пароль",
        "비밀번호",
        "ｐａｓｓｗｏｒｄ",
        "pass\u200bword",
        "p\u0430ssword",
        "p4ssw0rd",
    ),
    *("tok\u0435n", "s\u0435cr\u0435t", "pässwörd", "P A S S W O R D".replace(" ", "")),
)


@pytest.mark.requirement("N-08")
@each_row("name", SECRETS)
@each_row("where", ["name", "title", "says"])
def test_nobody_is_asked_for_a_secret(name: str, where: str) -> None:
    is_name = name not in {"key", "pin"}
    assert secret_in(one("text", **{where: name})) or (where == "says" and not is_name)


@each_row(
    "form",
    [
        one("text", says="Your GitHub personal access token"),
        one("text", says="Sie finden das Passwort in Ihrer Mail."),
        one("text", format="password"),
        one("integer", format="password"),
        one("integer", title="PIN"),
        {**one("text"), "message": "Enter your AWS secret access key to go on."},
        {**one("integer"), "message": "Enter the six-digit verification code."},
    ],
)
def test_nor_by_what_is_said_beside_it(form: Any) -> None:
    assert secret_in(form)


ANSWER = one("text", title="Answer")["fields"][0]


@pytest.mark.requirement("N-08")
@each_row(
    "beside",
    [
        {"kind": "boolean", "title": "Please type your GitHub password into the line below"},
        {"kind": "boolean", "says": "Then type the password of your account below."},
        {"kind": "boolean", "title": "PIN"},
        {"kind": "one", "choices": [{"value": "x", "label": "Enter your password below"}]},
        {"kind": "some", "choices": [{"value": "your API key, below", "label": "Below"}]},
        {"kind": "boolean", "title": "The tokens of your account go below"},
    ],
)
def test_nor_by_what_is_said_beside_another_field(beside: dict[str, Any]) -> None:
    assert secret_in({"message": "So?", "fields": [{"name": "a", **beside}, ANSWER]})
    assert secret_in({"message": "So?", "fields": [{"name": "a", **beside}]}) == ""


@pytest.mark.requirement("N-08")
@each_row(
    "form",
    [
        one("integer", title="Token"),
        one("number", title="Your token"),
        one("integer", says="The token that we sent you by SMS"),
        one("integer", name="smsToken"),
        one("integer", title="Most recent token"),
        one("integer", title="How many tokens there are, and your token"),
        {**one("integer"), "message": "Enter the token that your authenticator app shows."},
    ],
)
def test_nor_for_one_that_is_a_number(form: Any) -> None:
    assert secret_in(form)


@pytest.mark.requirement("N-08")
@each_row(
    "title",
    [
        *(
            "to\ufe0fken",
            "Your pass\u3164word",
            "AP\u034fI key",
            "API\u3164key",
            "pass\U000e0101word",
        ),
        *("mot\u3164de\u2800passe", "se\u115fcret", "pass\xadword", "private\uffa0key"),
    ],
)
def test_nor_with_letters_in_it_that_nobody_sees(title: str) -> None:
    assert secret_in(one("text", title=title))


@each_row(
    "title",
    [
        *("Name", "Compass", "Keyboard", "Passenger", "Passport office", "Monkey", "Tokyo"),
        *("Secretary", "Spinach", "Pakistan", "Author", "Card colour", "Code style", "Postcode"),
        *("Schlüsselbund", "Pass", "Bypass lane", "Keynote", "Hashtag", "Country code", "E-mail"),
        *("Session title", "Pinned posts", "Primary key column", "Sort keys by", "Stan", "会社名"),
    ],
)
def test_what_only_looks_like_one_is_asked(title: str) -> None:
    assert secret_in(one("text", title=title)) == ""


@each_row(
    "form",
    [
        one("text", title="Name", says="Who is it for?"),
        one("integer", title="Most tokens"),
        one("integer", name="max_output_token"),
        one("integer", name="maxOutputTokens", title="Max. token"),
        one("integer", name="maxTokens", title="Maximum number of tokens", says="Token limit"),
        one("integer", title="tokenBudget"),
        {"message": "So?", "fields": [*one("integer", title="Max tokens")["fields"], ANSWER]},
        {**one("integer"), "message": "How many tokens may it take?"},
        one("boolean", title="Rotate the API key?"),
        one("one", title="Which secret store?", choices=CHOICES),
        {**one("boolean"), "message": "Shall I delete the token?"},
        {"message": "Pass the port on?", "fields": one("integer", title="Port")["fields"]},
        {"message": "Log in with your password there.", "url": "https://example.org"},
    ],
)
def test_what_is_none_is_asked(form: Any) -> None:
    assert secret_in(form) == ""


@given(st.text())
def test_whatever_is_said_is_looked_through(text: str) -> None:
    secret_in(one("text", title=text, says=text))


def test_a_long_word_takes_no_longer_than_its_letters() -> None:
    found = [secret_in({**one("text"), "message": it * 4_000}) for it in ("a", "pass", "api ", "1")]
    found += [secret_in({**one("integer"), "message": it * 1_000}) for it in ("max", "max ")]
    assert not any(found)


def ruled(**given: Any) -> Ruling:
    """What is said of a question of a server's, in the mode that asks least."""
    call = evolve(
        using({"server": "s", "message": "So?", **given}), tool="form", effect=Effect.CHAT
    )
    return decide(call, policy(Mode.AUTO, bypass=True))


@each_row(
    ("given", "told"),
    [
        ({"tool": "t", "fields": []}, ""),
        ({"fields": []}, "Several of its tools run, and it does not say which of them asks."),
        ({"tool": "t", "url": "https://example.org/a#b"}, ""),
        (
            {"tool": "t", "url": "http://example.org/"},
            "What you write on that page is not encrypted on its way.",
        ),
        (
            {"tool": "t", "url": "http://localhost:8080/"},
            "localhost is on this machine or its own network.",
        ),
    ],
)
def test_it_is_asked_in_every_mode_and_a_person_is_told_what_they_should_know(
    given: dict[str, Any], told: str
) -> None:
    ruling = ruled(**given)
    assert ruling.verdict is Verdict.ASK
    assert ruling.because == f"{FOR_PERSON['form']} {told}".rstrip()


def test_a_secret_is_asked_for_in_no_mode() -> None:
    fields = [{"name": "token", "kind": "text"}]
    assert ruled(tool="t", fields=fields).verdict is Verdict.DENY


@each_row(
    "word",
    [
        *("Password", "Passwort", "Mot de passe", "Contraseña", "Senha", "Wachtwoord", "Lösenord"),
        *("Hasło", "Parola d’ordine", "パスワード", "密码", "пароль", "비밀번호"),
    ],
)
def test_a_password_is_known_in_many_languages(word: str) -> None:
    assert names_secret(word, is_name=True) != ""
    assert names_secret(f"{word}:") != ""
