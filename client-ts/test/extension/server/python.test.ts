import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { candidates, complaint, findPython, mayRunTheGate, run, type Candidate, type Version } from "../../../src/extension/server/python";

const ANYWHERE = (): boolean => true;
const FINE: Version = {
  implementation: "cpython",
  major: 3,
  minor: 12,
  freeThreaded: false,
  executable: "/usr/bin/python3",
  parts: ["/usr", "/usr/lib/python3.12"],
};

/** A path on which each name stands for one program. */
const onPath = (name: string): readonly string[] => (name.includes("/") ? [] : [`/usr/bin/${name}`]);

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
  const versions = ["14", "13", "12", "11"].map((minor) => `/usr/bin/python3.${minor}`);
  const table = [
    ["linux", "", null, ["/usr/bin/python3", ...versions]],
    ["linux", "", "/opt/p", ["/opt/p", "/usr/bin/python3", ...versions]],
    ["linux", "/mine", "/opt/p", ["/mine"]],
    ["linux", "mine", "/opt/p", ["/usr/bin/mine"]],
    ["win32", "", null, ["/usr/bin/py -3", "/usr/bin/python3", ...versions, "/usr/bin/python"]],
    ["win32", "C:/p.exe", null, ["C:/p.exe"]],
  ] as const;
  for (const [platform, setting, selected, expected] of table) {
    test(`on ${platform}, with the setting ${setting || "empty"} and ${selected ?? "nothing"} selected`, () => {
      assert.deepEqual(words(candidates({ platform, setting, selected, onPath })), expected);
    });
  }
});

describe("which Python is taken", () => {
  const tried = candidates({ platform: "linux", setting: "", selected: null, onPath });

  test("the first that is new enough", async () => {
    const found = await findPython(tried, ANYWHERE, machine({ "/usr/bin/python3": { minor: 9 }, "/usr/bin/python3.12": {} }));
    assert.equal(found.kind === "found" && found.candidate.command, "/usr/bin/python3.12");
  });

  test("the next of the same name, where the first is too old", async () => {
    const two = candidates({
      platform: "linux",
      setting: "",
      selected: null,
      onPath: (name) => ["/a", "/b"].map((folder) => `${folder}/${name}`),
    });
    const found = await findPython(two, ANYWHERE, machine({ "/a/python3": { minor: 9 }, "/b/python3": {} }));
    assert.equal(found.kind === "found" && found.candidate.command, "/b/python3");
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
      const found = await findPython(tried, ANYWHERE, machine({ "/usr/bin/python3": version }));
      assert.equal(found.kind, "none");
      assert.match(complaint(found.refused), new RegExp(`python3 ${because}\\.`, "u"));
    });
  }

  test("none that lies in the workspace, as in a shell with its venv, and it is said so", async () => {
    for (const inside of [{ executable: "/w/.venv/bin/python3" }, { parts: ["/usr", "/w/lib"] }]) {
      const machines = machine({ "/usr/bin/python3": inside, "/usr/bin/python3.12": {} });
      const found = await findPython(tried, (path) => !path.startsWith("/w/"), machines);
      assert.equal(found.kind === "found" && found.candidate.command, "/usr/bin/python3.12");
    }
    const inside = { executable: "/w/.venv/bin/python3" };
    const only = machine({ "/usr/bin/python3": inside });
    const none = await findPython(tried, (path) => !path.startsWith("/w/"), only);
    assert.match(none.kind === "none" ? complaint(none.refused) : "", /lies in this workspace/u);
  });

  test("none is even asked what it is where it may not be the gate", async () => {
    const asked: string[] = [];
    const found = await findPython(
      tried,
      () => false,
      ({ command }) => {
        asked.push(command);
        return Promise.resolve(FINE);
      },
    );
    assert.deepEqual([found.kind, asked], ["none", []]);
  });

  test("none where there is none, and it is said so", async () => {
    const found = await findPython(tried, ANYWHERE, machine({}));
    assert.equal(
      found.kind === "none" && complaint(found.refused),
      "Assent's server needs Python 3.11 to 3.14. There is none on this machine's path outside of this workspace; the setting `assent.interpreter` may name one.",
    );
  });

  test("the one in the setting or none: another is never taken in its place", async () => {
    const named = candidates({ platform: "linux", setting: "/gone", selected: "/opt/p", onPath });
    const found = await findPython(named, ANYWHERE, machine({ "/usr/bin/python3": {}, "/opt/p": {} }));
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
