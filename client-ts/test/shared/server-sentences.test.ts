import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { locale, many, mixed, speak as speakOurs, t, type Words } from "../../src/shared/l10n";
import { reader } from "../../src/shared/sentence-reader";
import de from "../../l10n/bundle.l10n.de.json";
import ja from "../../l10n/bundle.l10n.ja.json";
import { noted, readBy, said, titled } from "../../src/shared/server-sentences";
import type { Span } from "../../src/shared/protocol";

const WORDS = {
  Deny: "Ablehnen",
  "{0} waits: {1}": "Es wartet {0}: {1}",
  "1 card": "1 Karte",
  "{0} cards": "{0} Karten",
  "It only reads.": "Es liest nur.",
  Run: "Ausführen:",
  Plan: "Plan (Modus)",
  "run commands": "Befehle ausführen",
  "Removes {a}.": "Entfernt {a}.",
  "Sends {a} to {b}.": "Sendet {a} an {b}.",
  "{a} could not go on: {b}": "{a} konnte nicht weitermachen: {b}",
  "{a} ended (exit code {b}).": "{a} ist beendet (Exit-Code {b}).",
  "The hook “{a}” denied it: {b}": "Der Hook „{a}“ hat es abgelehnt: {b}",
  "{A} So it was not run.": "{A} Daher lief es nicht.",
  "Write `shell({a}:*)`.": "`shell({a}:*)` schreiben.",
  "{a} does not run; start it with `ollama serve`.": "{a} läuft nicht; `ollama serve` startet es.",
  "Removes everything in {a}.": "Entfernt alles in {a}.",
  "{a} to {b} are asked about.": "Gefragt wird nach {b}, {a}.",
  "{A} mode asks before agents {B}.": "Im Modus {A} wird gefragt, bevor Agenten {B}.",
};

/** Both what we say and what the server says, as a page does. */
function speak(words: Words, language: string): void {
  speakOurs(words, language);
  readBy(reader(words));
}

function span(text: string, kind: Span["kind"] = "plain"): Span {
  return { kind, text, shown: null };
}

beforeEach(() => speak(WORDS, "de"));
afterEach(() => speak({}, "en"));

describe("what we say", () => {
  test("is said in the editor's language, and in English where there is no word for it", () => {
    assert.equal(t("Deny"), "Ablehnen");
    assert.equal(t("Another sentence."), "Another sentence.");
    assert.equal(locale(), "de");
  });

  test("puts names where they belong, and looks none of them up", () => {
    assert.equal(t("{0} waits: {1}", "Deny", "{0}"), "Es wartet Deny: {0}");
  });

  test("has a form for one and a form for several", () => {
    assert.deepEqual(
      [1, 2, 0].map((count) => many(count, "1 card", "{0} cards")),
      ["1 Karte", "2 Karten", "0 Karten"],
    );
  });

  test("has places for more than text", () => {
    const node = { any: "thing" };
    assert.deepEqual(mixed("{0} waits: {1}", node, node), ["Es wartet ", node, ": ", node, ""]);
  });
});

describe("what the server says", () => {
  test("is said in other words where it is known to the letter", () => {
    assert.equal(said("It only reads."), "Es liest nur.");
    assert.equal(said("It only reads"), "It only reads");
    assert.equal(said("constructor"), "constructor");
  });

  test("keeps what was put into it as it is, whatever that looks like", () => {
    assert.equal(said("Removes Deny."), "Entfernt Deny.");
    assert.equal(said("Removes {a} Plan."), "Entfernt {a} Plan.");
  });

  test("is the sentence that says most by itself", () => {
    assert.equal(said("Removes everything in src."), "Entfernt alles in src.");
  });

  test("is said in other words where a word of ours stands in it", () => {
    assert.equal(
      said("Plan mode asks before agents run commands."),
      "Im Modus Plan (Modus) wird gefragt, bevor Agenten Befehle ausführen.",
    );
    assert.equal(said("Mine mode asks before agents dance."), "Im Modus Mine wird gefragt, bevor Agenten dance.");
  });

  test("stays English where what was put into it could have been put in otherwise", () => {
    const text = "Changes to a to b are asked about.";
    assert.equal(said(text), text);
    assert.equal(said("Changes to a are asked about."), "Gefragt wird nach a, Changes.");
  });

  test("is said in other words where all of several sentences are known, and else in none", () => {
    assert.equal(said("It only reads. Removes src."), "Es liest nur. Entfernt src.");
    const half = "It only reads. Something else happens.";
    assert.equal(said(half), half);
  });

  test("leaves what is marked as it is, whichever sentence stands in it", () => {
    for (const path of ["It only reads.", "src. It only reads. Removes x.", "Plan", "Removes `it.` x".replaceAll("`", "'")]) {
      assert.equal(said(`Removes \`${path}\`.`), `Entfernt \`${path}\`.`);
      assert.equal(said(`Removes \`${path}\`. It only reads.`), `Entfernt \`${path}\`. Es liest nur.`);
      assert.equal(said(`It only reads. Sends \`${path}\` to \`Plan\`.`), `Es liest nur. Sendet \`${path}\` an \`Plan\`.`);
    }
    assert.equal(
      said("The hook “It only reads. Removes x.” denied it: Plan"),
      "Der Hook „It only reads. Removes x.“ hat es abgelehnt: Plan",
    );
  });

  test("stays English where something without marks could be a sentence that follows", () => {
    const text = "Removes src. It only reads.";
    assert.equal(said(text), text);
  });

  test("leaves what somebody says behind a colon as it is, to its end", () => {
    assert.equal(
      said("Eliza could not go on: It only reads. Removes `src`."),
      "Eliza konnte nicht weitermachen: It only reads. Removes `src`.",
    );
    // Its agent might be called so.
    assert.equal(said("It only reads. Eliza could not go on: Deny"), "It only reads. Eliza could not go on: Deny");
  });

  test("is said in other words within a sentence, where that place is one for ours", () => {
    assert.equal(said("It only reads. Removes `src`. So it was not run."), "Es liest nur. Entfernt `src`. Daher lief es nicht.");
    assert.equal(said("Anything. So it was not run."), "Anything. Daher lief es nicht.");
  });

  test("is found by what it marks itself", () => {
    assert.equal(said("Ollama does not run; start it with `ollama serve`."), "Ollama läuft nicht; `ollama serve` startet es.");
    const other = "Ollama does not run; start it with `rm -rf ~`.";
    assert.equal(said(other), other);
    assert.equal(said("Write `shell(git:*)`."), "`shell(git:*)` schreiben.");
    assert.equal(said("Write `read(git:*)`."), "Write `read(git:*)`.");
  });

  test("is not looked for where it is very long, or has signs that stand for others", () => {
    const long = `Removes \`${"x".repeat(30_000)}\`.`;
    for (const text of [long, "Removes \ue000."]) assert.equal(said(text), text);
  });

  for (const [language, words] of Object.entries({ de, ja })) {
    test(`keeps a crafted path whole in each sentence that there is: ${language}`, () => {
      speak(words, language);
      const sentences = Object.keys(words).filter((key) => /\{[a-z]\}/u.test(key) && !/\{\d\}/u.test(key));
      assert.ok(sentences.length > 500);
      let changed = 0;
      for (const path of [
        "x. Cancelled. You stopped it. y",
        "There is no such chat. z",
        "Cancelled. Removes src",
        "You stopped it. Src/a",
      ]) {
        for (const sentence of sentences) {
          const filled = sentence.replace(/(`[^`]*`|“[^”]*”)|\{[a-z]\}/gu, (place, marked: string | undefined) =>
            marked === undefined ? `\`${path}\`` : place.replace(/\{[a-z]\}/gu, path),
          );
          const bare = sentence.replace(/\{[a-z]\}/gu, path);
          for (const text of [filled, `${filled} You stopped it.`, bare, `${bare} You stopped it.`]) {
            assert.equal(said(text).split(path).length, text.split(path).length, text);
          }
          changed += said(filled) === filled ? 0 : 1;
        }
      }
      assert.ok(changed > 3.9 * sentences.length, `${changed} of ${4 * sentences.length}`);
    });
  }

  test("of exact text only what is said of it is ours", () => {
    const parts = noted([
      span("It only reads.", "code"),
      { ...span("", "hidden"), shown: "It only reads." },
      { ...span("x", "hidden"), shown: "It only reads." },
    ]);
    assert.deepEqual(
      parts.map(({ text, shown }) => [text, shown]),
      [
        ["It only reads.", null],
        ["", "Es liest nur."],
        ["x", "It only reads."],
      ],
    );
  });

  test("of a title only the plain parts are ours", () => {
    const parts = titled([span("Run "), span("Run", "code"), { ...span("Run"), shown: "U+202E" }]);
    assert.deepEqual(
      parts.map(({ text }) => text),
      ["Ausführen: ", "Run", "Run"],
    );
  });
});

describe("halves of the server's sentences", () => {
  test("are said in the editor's language too, one within the other", () => {
    speak(de, "de");
    const told = [
      "Nothing runs, because the journal was cut off: row 7 had been sealed, and it ends with row 5;",
      "“Assent: Start a New Journal…” sets it aside. It is kept in /home/ada/.local.",
    ].join(" ");
    assert.equal(
      said(told),
      "Nichts läuft, denn das Journal wurde abgeschnitten: Zeile 7 war versiegelt, und es endet mit Zeile 5; " +
        "“Assent: Start a New Journal…” legt es beiseite. Es liegt in /home/ada/.local.",
    );
    assert.equal(
      said("The reply of qwen on Ollama cannot be used: a line of it is longer than 8 MB."),
      "Die Antwort von qwen bei Ollama ist nicht zu verwenden: eine Zeile davon ist länger als 8 MB.",
    );
  });
});

describe("why somebody is not logged in", () => {
  const unproven =
    "the place where one logs in does not say that it knows PKCE with S256, and without that a code that somebody else gets hold of would let them in";

  test("is said in the editor's language, with its host, its port and its status", () => {
    for (const words of [de, ja] as Words[]) {
      speak(words, "xx");
      for (const [why, named] of [
        [unproven, "S256"],
        ["a rule of yours denies login.example.com", "login.example.com"],
        ["the port 7777 to which its page comes back is taken", "7777"],
        ["it answered with HTTP 503 where it should say how to log in", "503"],
        ["it needs a log-in, which a person does in “MCP Servers…”", "MCP"],
      ] as const) {
        for (const text of [`You are not logged in to locked: ${why}.`, `The server locked is not there: ${why}.`]) {
          const told = said(text);
          assert.ok(told.includes("locked") && told.includes(named), told);
          assert.ok(!told.includes(why) && !told.includes(" is not ") && !told.includes("You are"), told);
        }
      }
    }
  });

  test("says nothing of what it does not know", () => {
    speak(de, "de");
    assert.equal(said("You are not logged in to locked: something else."), "Sie sind nicht bei locked angemeldet: something else.");
  });
});

test("why rules are asked about again is said in each language, with the rules as they are", () => {
  for (const words of [de, ja] as Words[]) {
    speak(words, "xx");
    const told = said(
      "Agents would do this in this workspace without asking you: `shell(curl:*)`, `shell(touch:*)`. What other rules" +
        " ask about or refuse still is. Each browser and each profile seals your answers with its own key. An answer" +
        " under another key, which Assent cannot check here, allows the rest but not this: `shell(curl:*)`.",
    );
    assert.equal(told.split("`shell(curl:*)`").length, 3);
    assert.doesNotMatch(told, /Agents|Each browser|answer/u);
  }
});
