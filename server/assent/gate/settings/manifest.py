"""Writes the settings into the extension's manifest and into the README, from the model.

`python -m assent.gate.settings.manifest` replaces those values and nothing else; a test compares.
The manifest names each sentence by a key, and `package.nls.json` has the English behind it.
"""

import json
import pathlib
from collections.abc import Mapping
from typing import Any, Final

from assent.gate.settings.model import Settings
from assent.gate.settings.sentences import PREFIX, keyed

__all__ = [
    "main",
    "manifest",
    "settings_reference",
    "with_manifest",
    "with_reference",
    "with_sentences",
]

SECTION: Final = "assent"
BEGIN: Final = "<!-- settings -->"
END: Final = "<!-- /settings -->"

_OURS: Final = frozenset({"restricted"})
"""What the model says of a setting for this module alone."""


def manifest() -> dict[str, Any]:
    """What the extension's manifest must say: `configuration` and `restrictedConfigurations`."""
    settings = _settings()
    return {
        "configuration": {
            "title": "Assent",
            "properties": {
                f"{SECTION}.{key}": _property(setting, order)
                for order, (key, setting) in enumerate(settings.items())
            },
        },
        "restrictedConfigurations": [
            f"{SECTION}.{key}" for key, setting in settings.items() if setting.get("restricted")
        ],
    }


def settings_reference() -> str:
    """The settings as a table in Markdown, for a README."""
    rows = [
        "| Setting | Default | What it does |",
        "|---|---|---|",
        *(
            f"| `{SECTION}.{key}` | `{json.dumps(setting['default'])}` | {_cell(setting)} |"
            for key, setting in _settings().items()
        ),
    ]
    return "\n".join(rows)


def with_manifest(package: Mapping[str, Any]) -> dict[str, Any]:
    """A `package.json` with the settings in their places."""
    ours = manifest()
    capabilities = package.get("capabilities", {})
    untrusted = capabilities.get("untrustedWorkspaces", {"supported": "limited"})
    return {
        **package,
        "capabilities": {
            **capabilities,
            "untrustedWorkspaces": {
                **untrusted,
                "restrictedConfigurations": ours["restrictedConfigurations"],
            },
        },
        "contributes": {
            **package.get("contributes", {}),
            "configuration": keyed(ours["configuration"])[0],
        },
    }


def with_sentences(words: Mapping[str, str]) -> dict[str, str]:
    """A `package.nls.json` with the sentences of the settings; what else it has stays."""
    others = {key: text for key, text in words.items() if not key.startswith(PREFIX)}
    return others | keyed(manifest()["configuration"])[1]


def with_reference(text: str) -> str:
    """A README with the table between its markers; one without markers stays as it is."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        return text
    return f"{before}{begin}\n{settings_reference()}\n{end}{after}"


def main() -> None:
    """Write into the checkout that this package lies in."""
    root = pathlib.Path(__file__).parents[4]
    for name, made in (("package.json", with_manifest), ("package.nls.json", with_sentences)):
        path = root / "client-ts" / name
        written = made(json.loads(path.read_text(encoding="utf-8")))
        _write(path, json.dumps(written, indent=2, ensure_ascii=False) + "\n")
    for readme in (root / "README.md", root / "client-ts" / "README.md"):
        if readme.exists():
            _write(readme, with_reference(readme.read_text(encoding="utf-8")))


def _write(path: pathlib.Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _settings() -> dict[str, dict[str, Any]]:
    """Each setting's schema by its key, with nothing referred to elsewhere."""
    schema = Settings.model_json_schema()
    definitions = schema.get("$defs", {})
    titles = {field.alias: field.title for field in Settings.model_fields.values()}
    return {
        key: {**_inlined(it, definitions), "title": titles[key]}
        for key, it in schema["properties"].items()
    }


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """The schema as the editor reads one: no references, no made-up titles, maps closed."""
    if isinstance(schema, list):
        return [_inlined(it, definitions) for it in schema]
    if not isinstance(schema, dict):
        return schema
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    # What stands beside the reference is about this use of it, and wins.
    whole = {**definitions.get(name, {}), **schema}
    if "patternProperties" in whole:
        # Else a key that fits no pattern would go unmarked, and the map could not be edited.
        whole["additionalProperties"] = False
    return {
        key: _inlined(it, definitions) for key, it in whole.items() if key not in {"$ref", "title"}
    }


def _property(setting: Mapping[str, Any], order: int) -> dict[str, Any]:
    """One setting as the editor wants to be told of it."""
    told = {key: it for key, it in setting.items() if key not in _OURS | {"description"}}
    return {"order": order, "markdownDescription": setting["description"], **told}


def _cell(setting: Mapping[str, Any]) -> str:
    """The first paragraph of what a setting says, and its values, for one cell of a table."""
    says: str = setting["description"].split("\n\n")[0].removesuffix(" For example:")
    values = zip(setting.get("enum", ()), setting.get("enumDescriptions", ()), strict=True)
    listed = "".join(f"<br>`{value}`: {meaning}" for value, meaning in values)
    return (says + listed).replace("|", "\\|")


if __name__ == "__main__":
    main()
