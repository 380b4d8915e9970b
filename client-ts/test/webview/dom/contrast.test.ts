import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mended } from "../../../src/webview/dom/contrast";

type Colour = readonly number[];

const PLAIN: Readonly<Record<string, Colour>> = {
  "--bg": [255, 255, 255, 1],
  "--card": [255, 255, 255, 1],
  "--editor": [255, 255, 255, 1],
  "--code": [0, 0, 0, 0],
  "--fg": [0, 0, 0, 1],
};

/** A theme of black on white, where these colours are others. */
function theme(others: Readonly<Record<string, Colour>>): (name: string) => Colour {
  return (name) => others[name] ?? PLAIN[name] ?? (/-bg$|added|removed/u.test(name) ? [0, 0, 0, 0] : [0, 0, 0, 1]);
}

describe("colours that are too faint to read", () => {
  test("are mixed with the text, and no others are touched", () => {
    assert.equal(mended(theme({})), "");
    const said = mended(theme({ "--muted": [170, 170, 170, 1] }));
    assert.match(said, /^--muted: rgb\((\d+) \1 \1\);$/u);
    const [, grey = "0"] = /rgb\((\d+)/u.exec(said) ?? [];
    assert.ok(Number(grey) < 119 && Number(grey) > 80, said);
  });

  test("are looked at on the darkest of their grounds, also through one that lets some through", () => {
    assert.equal(mended(theme({ "--muted": [110, 110, 110, 1] })), "");
    assert.match(mended(theme({ "--muted": [110, 110, 110, 1], "--code": [0, 0, 0, 0.2] })), /^--muted:/u);
    assert.match(mended(theme({ "--muted": [0, 0, 0, 0.4] })), /^--muted:/u);
  });

  test("of a button are mixed with what is furthest from it", () => {
    const said = mended(theme({ "--first-bg": [0, 90, 200, 1], "--first-fg": [120, 160, 220, 1] }));
    const parts = /^--first-fg: rgb\((\d+) (\d+) (\d+)\);$/u.exec(said) ?? [];
    assert.ok(
      parts.slice(1).every((part, at) => Number(part) > ([120, 160, 220][at] ?? 0)),
      said,
    );
  });
});
