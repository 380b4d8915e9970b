import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { locale, many, mixed, speak, t } from "../../src/l10n";
import { said, titled } from "../../src/said";
import type { Span } from "../../src/protocol";

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
  "Removes everything in {a}.": "Entfernt alles in {a}.",
  "{a} to {b} are asked about.": "Gefragt wird nach {b}, {a}.",
  "{A} mode asks before agents {B}.": "Im Modus {A} wird gefragt, bevor Agenten {B}.",
};

function span(text: string, kind: Span["kind"] = "plain"): Span {
  return { kind, text, shown: null };
}

// What was said before is kept, so each test has words of its own.
let life = 0;
beforeEach(() => speak({ ...WORDS, [`life ${(life += 1)}`]: "" }, "de"));
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
    assert.deepEqual([1, 2, 0].map((count) => many(count, "1 card", "{0} cards")), ["1 Karte", "2 Karten", "0 Karten"]);
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
    assert.equal(said("Plan mode asks before agents run commands."), "Im Modus Plan (Modus) wird gefragt, bevor Agenten Befehle ausführen.");
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

  test("of a title only the plain parts are ours", () => {
    const parts = titled([span("Run "), span("Run", "code"), { ...span("Run"), shown: "U+202E" }]);
    assert.deepEqual(parts.map(({ text }) => text), ["Ausführen: ", "Run", "Run"]);
  });
});
