/** Which lines of an output came on standard error, as the server counts them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { endOf, marked, stretchesOf } from "../../src/shared/command-output";
import { withLines } from "../../src/shared/chat-events";

test("error lines that follow on each other are one pair, as the server keeps them", () => {
  assert.deepEqual(withLines([0, 2], [1, 3]), [0, 3]);
  assert.deepEqual(withLines([0, 2], [4, 5]), [0, 2, 4, 5]);
  assert.deepEqual(withLines([0, 2], []), [0, 2]);
  assert.deepEqual(withLines([], [0, 1]), [0, 1]);
});

test("a text is cut where its outputs change, and nothing of it is lost", () => {
  const text = "a\n\nb\r\nc";
  const stretches = stretchesOf(text, [1, 3]);
  assert.deepEqual(stretches, [
    { text: "a\n", isError: false },
    { text: "\nb\r\n", isError: true },
    { text: "c", isError: false },
  ]);
  assert.equal(marked(text, [1, 3]), "a\n2> \n2> b\r\nc");
});

test("the end of an output has the same error lines, by other numbers", () => {
  assert.deepEqual(endOf("one\ntwo\nthree\n", [1, 2], 8), ["o\nthree\n", [0, 1]]);
  assert.deepEqual(endOf("one\ntwo\nthree\n", [1, 2], 6), ["three\n", [0, 0]]);
});
