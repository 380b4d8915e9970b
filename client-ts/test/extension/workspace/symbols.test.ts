import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { symbols } from "../../../src/extension/workspace/symbols";
import { fake, Uri } from "../editor";

const range = (first: number, last: number): unknown => ({ start: { line: first }, end: { line: last } });

beforeEach(() => fake.reset());

describe("what language servers know by a name", () => {
  test("is told with its lines, and of files on the disk alone", async () => {
    fake.commandAnswers.set("vscode.executeWorkspaceSymbolProvider", [
      { name: "rateOf", location: { uri: Uri.file("/ws/rates.ts"), range: range(2, 8) } },
      { name: "rates", location: { uri: Uri.parse("git:/ws/rates.ts"), range: range(0, 0) } },
      { name: "Rates", location: { uri: Uri.file("/ws/rates.ts") } },
    ]);
    const uri = Uri.file("/ws/rates.ts").toString();
    assert.deepEqual(await symbols("rate"), { symbols: [{ name: "rateOf", uri, line: 3, lastLine: 9 }] });
    assert.deepEqual(fake.executed.at(-1)?.args, ["rate"]);
  });

  test("is what has the word in its name, and what begins with it first", async () => {
    const names = [...Array.from({ length: 30 }, (_, at) => `a${at}_r_a_t_e`), "aRate", "rateOf"];
    const known = names.map((name) => ({ name, location: { uri: Uri.file("/ws/a.ts"), range: range(0, 1) } }));
    fake.commandAnswers.set("vscode.executeWorkspaceSymbolProvider", known);
    const { symbols: found = [] } = await symbols("Rate");
    assert.deepEqual(
      found.map(({ name }) => name),
      ["rateOf", "aRate"],
    );
  });

  test("is nothing where no language server is there", async () => {
    assert.deepEqual(await symbols("rate"), { symbols: [] });
  });
});
