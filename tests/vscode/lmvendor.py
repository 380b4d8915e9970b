"""An extension that brings the editor a model of its own, packaged: it says what it was sent."""

from pathlib import Path
from typing import Final

from host.extension import packaged

__all__ = ["lmvendor"]

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


def lmvendor(folder: Path) -> Path:
    """The package, in this folder."""
    vendors = [{"vendor": "lmvendor", "displayName": "Test vendor"}]
    return packaged(
        folder,
        "lmvendor",
        _MAIN,
        activationEvents=["onStartupFinished"],
        contributes={"languageModelChatProviders": vendors},
    )
