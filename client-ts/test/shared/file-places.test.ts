import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { placeOf } from "../../src/shared/file-places";
import { withPlaces } from "../../src/webview/transcript/printed";

/** What of an output leads where. */
const links = (text: string): readonly (readonly [string, string])[] =>
  withPlaces(text).flatMap(({ text: named, leads }) => (leads === null ? [] : [[named, leads] as const]));

describe("a name leads to a place in a file", () => {
  test("where it is a path, or ends as files of code do", () => {
    for (const [name, path, line, column] of [
      ["src/parser.py", "src/parser.py", 1, 1],
      ["src/parser.py:88", "src/parser.py", 88, 1],
      ["./src/a.weird:3:7", "./src/a.weird", 3, 7],
      ["/home/me/a.rs:2", "/home/me/a.rs", 2, 1],
      ["till.py", "till.py", 1, 1],
      ["README.md:0", "README.md", 1, 1],
    ] as const) {
      assert.deepEqual(placeOf(name), { path, line, column }, name);
    }
  });

  test("and nothing else does", () => {
    for (const name of [
      ...["", "os.path", "self.name", "example.com:443", "127.0.0.1:8000", "1.2.3", "and/or", "a b.py", "~/x.py"],
      ...["../../etc/passwd.txt", "src/../../x.py", "//server/share/a.py", "https://a.b/c.py", "C:\\x.py", "a.py\n", "a\u202e.py"],
    ]) {
      assert.equal(placeOf(name), null, JSON.stringify(name));
    }
  });
});

describe("in an output places are links", () => {
  test("as compilers, tests and Python write them", () => {
    assert.deepEqual(
      links(
        'tests/test_a.py:88: in test\n  File "/ws/till.py", line 5, in total\nerror at src/m.ts:3:14 (main.c:9)\n   --> src/lib.rs:2:1\n',
      ),
      [
        ["tests/test_a.py:88", "tests/test_a.py:88"],
        ["/ws/till.py", "/ws/till.py:5"],
        ["src/m.ts:3:14", "src/m.ts:3:14"],
        ["main.c:9", "main.c:9"],
        ["src/lib.rs:2:1", "src/lib.rs:2:1"],
      ],
    );
  });

  test("and not addresses, times, versions, or names without a line", () => {
    const text =
      'http://a.b/c.js:80 example.com:443 12:30:01 v1.2.3:4 a.py ../x/y.py:3 File "<stdin>", line 1 src/größe.py:3 app/[id]/page.tsx:1 $HOME/a.py:3 a\u200bsafe.py:3 C:\\x\\y.py:3\n';
    assert.deepEqual(links(text), []);
  });

  test("all pieces joined are the output, also where it is long", () => {
    for (const text of [
      "",
      "a.b/".repeat(30_000),
      "a".repeat(100_000),
      "a.".repeat(50_000),
      'File "'.repeat(20_000),
      "a.py:1 ".repeat(9_000),
    ]) {
      assert.equal(
        withPlaces(text)
          .map((piece) => piece.text)
          .join(""),
        text,
      );
    }
  });
});
