import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  candidates,
  complaint,
  findPython,
  mayRunTheGate,
  run,
  type Candidate,
  type Version,
} from "../../src/extension/python";

const ANYWHERE = (): boolean => true;
const FINE: Version = { implementation: "cpython", major: 3, minor: 12, freeThreaded: false, executable: "/usr/bin/python3" };

function words(found: readonly Candidate[]): readonly string[] {
  return found.map(({ command, args }) => [command, ...args].join(" "));
}

/** A machine on which these commands are these Pythons. */
function machine(pythons: Readonly<Record<string, Partial<Version>>>) {
  return ({ command }: Candidate): Promise<Version | null> => {
    const here = pythons[command];
    return Promise.resolve(here === undefined ? null : { ...FINE, ...here });
  };
}

describe("where Python is looked for", () => {
  const versions = ["python3.14", "python3.13", "python3.12", "python3.11"];
  const table = [
    ["linux", "", null, ["python3", ...versions]],
    ["linux", "", "/opt/p", ["/opt/p", "python3", ...versions]],
    ["linux", "/mine", "/opt/p", ["/mine"]],
    ["win32", "", null, ["py -3", "python3", ...versions, "python"]],
    ["win32", "C:\\p.exe", null, ["C:\\p.exe"]],
  ] as const;
  for (const [platform, setting, selected, expected] of table) {
    test(`on ${platform}, with the setting ${setting || "empty"} and ${selected ?? "nothing"} selected`, () => {
      assert.deepEqual(words(candidates({ platform, setting, selected })), expected);
    });
  }
});

describe("which Python is taken", () => {
  const tried = candidates({ platform: "linux", setting: "", selected: null });

  test("the first that is new enough", async () => {
    const found = await findPython(tried, ANYWHERE, machine({ python3: { minor: 9 }, "python3.12": {} }));
    assert.equal(found.kind === "found" && found.candidate.command, "python3.12");
  });

  const refused = [
    ["too old", { minor: 10 }, "is Python 3.10, which is too old"],
    ["of another major version", { major: 2, minor: 7 }, "is Python 2.7, which is too old"],
    ["newer than the bundle", { minor: 15 }, "is Python 3.15, which this version of Assent does not know yet"],
    ["not CPython", { implementation: "pypy" }, "is pypy, not CPython"],
    ["free-threaded", { minor: 13, freeThreaded: true }, "is a free-threaded Python 3.13"],
  ] as const;
  for (const [why, version, because] of refused) {
    test(`none that is ${why}, and it is said so`, async () => {
      const found = await findPython(tried, ANYWHERE, machine({ python3: version }));
      assert.equal(found.kind, "none");
      assert.match(complaint(found.refused), new RegExp(`python3 ${because}\\.`, "u"));
    });
  }

  test("none that lies in the workspace, as in a shell with its venv, and it is said so", async () => {
    const inside = { executable: "/w/.venv/bin/python3" };
    const machines = machine({ python3: inside, "python3.12": {} });
    const found = await findPython(tried, (path) => !path.startsWith("/w/"), machines);
    assert.equal(found.kind === "found" && found.candidate.command, "python3.12");
    const none = await findPython(tried, (path) => !path.startsWith("/w/"), machine({ python3: inside }));
    assert.match(none.kind === "none" ? complaint(none.refused) : "", /lies in this workspace/u);
  });

  test("none where there is none, and it is said so", async () => {
    const found = await findPython(tried, ANYWHERE, machine({}));
    assert.equal(
      found.kind === "none" && complaint(found.refused),
      "Assent's server needs Python 3.11 to 3.14. There is none on this machine's path.",
    );
  });

  test("the one in the setting or none: another is never taken in its place", async () => {
    const named = candidates({ platform: "linux", setting: "/gone", selected: "/opt/p" });
    const found = await findPython(named, ANYWHERE, machine({ python3: {}, "/opt/p": {} }));
    assert.equal(
      found.kind === "none" && complaint(found.refused),
      "Assent's server needs Python 3.11 to 3.14. /gone, from the setting `assent.interpreter`, cannot be run.",
    );
  });
});

describe("the Python extension's choice", () => {
  const folders = ["/home/me/till"];
  const table = [
    ["/usr/bin/python3", true, true],
    ["/home/me/till/.venv/bin/python", true, false],
    ["/home/me/till", true, false],
    ["/home/me/tilley/bin/python", true, true],
    ["/usr/bin/python3", false, false],
    ["python3", true, false],
    ["", true, false],
  ] as const;
  for (const [path, trusted, may] of table) {
    test(`${path || "nothing"} in ${trusted ? "a trusted" : "an untrusted"} workspace ${may ? "may" : "may not"} run the gate`, () => {
      assert.equal(mayRunTheGate(path, trusted, folders), may);
    });
  }
});

describe("asking a real Python", () => {
  test("what is no program is no Python", async () => {
    assert.equal(await run({ command: "no-such-python", args: [], source: "" }), null);
  });

  test("a program that is not Python is no Python", async () => {
    assert.equal(await run({ command: process.execPath, args: [], source: "" }), null);
  });

  test("python3 tells its version", async () => {
    const version = await run({ command: "python3", args: [], source: "" });
    assert.equal(version?.major, 3);
    assert.equal(version.implementation, "cpython");
  });
});
