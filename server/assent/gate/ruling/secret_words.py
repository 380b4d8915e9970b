"""Words by which a form's field asks for a secret, and names of files with secrets.

No list of words is whole, and none is meant to be: it keeps honest servers from asking in a form
for what belongs on a page of their own, and makes it hard to do so in passing.
"""

import re
import unicodedata
from typing import Final

from assent.gate.text.invisible_characters import is_unseen
from assent.gate.text.lazy_patterns import late

__all__ = ["keeps_secret", "names_secret"]

_CAMEL: Final = late(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN: Final = late(r"[\W_]+")
_ACCENTS: Final = late("[\u0300-\u036f]")
_DIGITS: Final = late(r"(?<=[^\W\d])(?=\d)|(?<=\d)(?=[^\W\d])")

_ENGLISH: Final = (
    r"(?:\w*pass ?(?:words?|wd|phrases?|codes?|keys?)|pwd|\w*secrets?|\w*credentials?|\w*tokens?"
    r"|(?:\w*api|access|private|secret|ssh|signing|encryption|decryption|licen[cs]e|gpg|pgp|deploy"
    r"|account|master|service|auth) ?keys?|jwts?|bearer|cvv|cvc|csc|otps?|totp|iban|ssn"
    r"|pin (?:codes?|numbers?)|(?:your|the|digit) pins?|cards? ?(?:numbers?|no)"
    r"|(?:one ?time|verification|security|recovery|backup|2 ?fa|mfa|log ?in|sign ?in|auth|access"
    r"|authentication|authori[sz]ation) ?(?:codes?|pins?)|security (?:answers?|questions?)"
    r"|maiden name|(?:seed|recovery|mnemonic|backup) (?:phrases?|words?)"
    r"|social security(?: numbers?)?|connection strings?|session (?:id|cookie)s?)"
)
_GERMAN: Final = (
    r"(?:\w*passw(?:o|oe)rt(?:er)?|\w*kennw(?:o|oe)rt(?:er)?|geheim(?:nis|nisse|zahl|code|nummer)"
    r"|(?:api|zugangs|zugriffs|geheim|lizenz|sicherheits|wiederherstellungs) ?schlu?e?ssel"
    r"|(?:private|geheime|personliche)[nrs]? schlu?e?ssel|(?:zugangs|anmelde|login|kreditkarten)"
    r" ?daten|(?:zugangs|einmal|bestatigungs|sicherheits|anmelde|wiederherstellungs|freischalt)"
    r" ?(?:codes?|pin)|(?:kredit)?karten(?:nummer|prufnummer|pruefnummer)|prue?fziffer"
    r"|(?:sms|push|chip|m|i)? ?tans?|sozialversicherungs ?nummer)"
)
_OTHERS: Final = (
    r"(?:mots? de passe|code secret|cle (?:d )?(?:api|acces|secrete|privee)|jetons?|contrasenas?"
    r"|clave (?:de )?(?:acceso|api|secreta|privada)|senhas?|wachtwoord(?:en)?|losenord|haslo"
    r"|parola d ordine|chiave (?:api|privata|segreta))"
)
_ELSEWHERE: Final = (
    "パスワード|パスフレーズ|暗証番号|秘密鍵|トークン|認証コード|合言葉|APIキー|アクセスキー"
    "|密码|密碼|口令|密钥|密鑰|令牌|验证码|пароль|секрет|токен|비밀번호|암호"
)
_WORD: Final = late(rf"(?<!\w)(?:{_ENGLISH}|{_GERMAN}|{_OTHERS})(?!\w)|{_ELSEWHERE.lower()}")
_COUNTED: Final = late(
    r"(?<!\w)(?:tokens|(?:max|min)\w*(?: \w+)?? ?tokens?|(?:number|count) of(?: \w+)?? tokens?"
    r"|token (?:limit|count|budget))(?!\w)"
)
"""Tokens of which a number is asked for, and not one of them."""
_ALONE: Final = frozenset(
    {"key", "keys", "schlussel", "schluessel", "clave", "cle", "鍵", "pat", "pin"}
)
"""What names a secret where it is all that a field is called."""

_SECRET: Final = late(
    r"(?i)(?:.*/)?(?:\.env(?!\.(?:example|sample|template|dist)$)[^/]*"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials"
    r"|\.?credentials(?:\.\w+)?|[^/]*\.(?:pem|key|p12|pfx|jks|keystore)|[^/]*secrets?(?:\.\w+)?"
    r"|\.?(?:token|password)s?(?:\.\w+)?|shadow|.*/\.(?:ssh|aws|gnupg|kube)/.*)"
)
"""Names under which people keep keys, tokens and passwords."""

_LIKE: Final = str.maketrans("аеорсухіѕԁοερικντ", "aeopcyxisdoepiknt")
_STROKED: Final = str.maketrans("łŁøØđĐ", "lLoOdD")
"""Letters of which the stroke is no mark that could be taken off."""
"""Letters that look like Latin ones."""
_FOR: Final = str.maketrans("013457@$", "oieastas")
"""What is written for a letter."""


def names_secret(text: str, *, is_name: bool = False, counts: bool = False) -> str:
    """What in a text names a secret, nothing where nothing does.

    A name names one by less than a sentence does. What `counts` may speak of how many tokens.

    >>> names_secret("githubAPIKey"), names_secret("Wie heißt du?")
    ('api key', '')
    """
    for plain in dict.fromkeys((_plain(text), _plain(_undisguised(text)))):
        if is_name and plain in _ALONE:
            return plain
        if match := _WORD.search(_COUNTED.sub(" ", plain) if counts else plain):
            return match[0].strip()
    return ""


def keeps_secret(path: str) -> bool:
    """Whether people keep keys, tokens or passwords in a file of that name.

    >>> keeps_secret("docs/.env.local"), keeps_secret("docs/guide.md")
    (True, False)
    """
    return _SECRET.fullmatch(path) is not None


def _plain(text: str) -> str:
    """A name or a text with its words apart, in small letters without marks on them."""
    seen = "".join(" " if is_unseen(it) else it for it in text)
    whole = unicodedata.normalize("NFKC", seen).translate(_STROKED)
    bare = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", whole)))
    apart = _DIGITS.sub(" ", _CAMEL.sub(" ", bare)).lower()
    return _BETWEEN.sub(" ", apart).strip()


def _undisguised(text: str) -> str:
    """The same in Latin letters where other letters and signs stand for these."""
    kept = "".join(it for it in text if not is_unseen(it))
    words = (
        it.translate(_LIKE).translate(_FOR) if re.search("[a-z]", it) else it
        for it in kept.lower().split()
    )
    return " ".join(words)
