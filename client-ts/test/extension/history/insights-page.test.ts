import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import de from "../../../l10n/bundle.l10n.de.json";
import { inWords } from "../../../src/extension/history/insights-page";
import { speak } from "../../../src/shared/l10n";

const [BEGIN, VALUE, END] = ["\uE000", "\uE001", "\uE002"];

function say(sentence: string, ...values: readonly string[]): string {
  return `${BEGIN}${[sentence, ...values].join(VALUE)}${END}`;
}

describe("the page of Insights", () => {
  afterEach(() => speak({}, "en"));

  test("is said in the editor's language, with what was put into its sentences", () => {
    speak(de, "de");
    const where = say("in this workspace");
    assert.equal(
      inWords(`<html lang="en"><p>${say("The last {a} days until {b}, {c}.", "30", "2026-11-23", where)}`),
      '<html lang="de"><p>Die letzten 30 Tage bis 2026-11-23, in diesem Arbeitsbereich.',
    );
    assert.equal(inWords(say("the agent&#x27;s end")), "das Ende des Agenten");
  });

  test("is said in English where there are no other words", () => {
    assert.equal(inWords(`<i>${say("{a} &lt;of&gt; {b}", "<b>1</b>", "{a}")}</i>`), "<i><b>1</b> &lt;of&gt; {a}</i>");
  });

  test("leaves what a journal holds to the letter, whichever sentence that is", () => {
    speak(de, "de");
    assert.equal(
      inWords(`<td>the mode</td>${say("Would have let pass: {a}", "<code>the mode</code>")}`),
      "<td>the mode</td>Hätte durchgelassen: <code>the mode</code>",
    );
  });

  test("makes no markup of a translation", () => {
    speak({ says: "<script>" }, "de");
    assert.equal(inWords(say("says")), "&lt;script&gt;");
  });
});
