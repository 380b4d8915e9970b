"""An extension that brings the editor a model of its own, packaged: it says what it was sent."""

import json
import zipfile
from pathlib import Path
from typing import Final

__all__ = ["packaged"]

_MANIFEST: Final = {
    "name": "lmvendor",
    "publisher": "assent-tests",
    "version": "1.0.0",
    "engines": {"vscode": "^1.104.0"},
    "main": "main.js",
    "activationEvents": ["onStartupFinished"],
    "contributes": {
        "languageModelChatProviders": [{"vendor": "lmvendor", "displayName": "Test vendor"}]
    },
}
_MAIN: Final = """
const vscode = require("vscode");
const { LanguageModelTextPart, LanguageModelToolCallPart, LanguageModelToolResultPart } = vscode;

exports.activate = (context) => {
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider("lmvendor", {
    provideLanguageModelChatInformation: async () => [{
      id: "parrot", name: "Parrot", family: "gpt-4.1", version: "1", maxInputTokens: 60000,
      maxOutputTokens: 4000, capabilities: { toolCalling: true, imageInput: true },
    }],
    provideLanguageModelChatResponse: async (_, messages, options, progress) => {
      const parts = messages.flatMap(({ content }) => [...content]);
      const result = parts.find((it) => it instanceof LanguageModelToolResultPart);
      const picture = parts.some((it) => it.mimeType === "image/png");
      if (parts.some((it) => it.value === "Fail.")) throw new Error("it is off line");
      if (result === undefined) {
        progress.report(new LanguageModelTextPart("I have " + options.tools.length + " tools"));
        progress.report(new LanguageModelTextPart(picture ? " and see a picture." : "."));
        progress.report(new LanguageModelToolCallPart("c1", "read_file", { path: "README.md" }));
      } else {
        const text = result.content.map((it) => it.value).join("");
        progress.report(new LanguageModelTextPart("It begins with" + text.split("\\n")[0]));
      }
    },
    provideTokenCount: async (_, text) => String(text).length / 4,
  }));
};
"""
_VSIX: Final = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="lmvendor" Version="1.0.0" Publisher="assent-tests"/>
<DisplayName>lmvendor</DisplayName><Description>For tests.</Description></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/><Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest"
Path="extension/package.json" Addressable="true"/></Assets></PackageManifest>
"""
_TYPES: Final = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
"""


def packaged(folder: Path) -> Path:
    """The package, in this folder."""
    path = folder / "lmvendor.vsix"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("extension/package.json", json.dumps(_MANIFEST))
        archive.writestr("extension/main.js", _MAIN)
        archive.writestr("extension.vsixmanifest", _VSIX)
        archive.writestr("[Content_Types].xml", _TYPES)
    return path
