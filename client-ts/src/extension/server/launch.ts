/**
 * What to start as the server: the person's own command, or our bundle with a Python.
 *
 * Neither comes from the workspace unless the person named exactly that on this machine, and never
 * while the workspace is not trusted.
 */

import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { ExtensionContext, Memento } from "vscode";
import { t } from "../../shared/l10n";
import { inert } from "../editor/inert-text";
import { isDoubted, pathOutside, programsOf, startOf, type Search } from "./programs";
import { candidates, complaint, findPython, mayRunTheGate, run } from "./python";
import { SECTION } from "../settings/settings";
import { extensions, window, workspace } from "../editor/vscode";

/** A command line. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** There is nothing to start; the message says why, to the person. */
export class NothingToStart extends Error {
  override readonly name = "NothingToStart";
}

const AGREED = "assent.interpretersAgreedTo";
const PYTHON_EXTENSION = "ms-python.python";

/** Find out what to start. */
export async function findCommand(context: ExtensionContext): Promise<Command> {
  const cwd = context.extensionPath;
  const [own, ...args] = ownCommand();
  const search = { path: process.env["PATH"] ?? "", folders: foldersOpen() };
  if (own !== undefined) {
    return { ...startOfOwn(own, args, search), cwd };
  }
  const start = join(cwd, "bundled", "start.py");
  if (!existsSync(start)) {
    throw new NothingToStart(t("This copy of Assent carries no server. Install the one for your platform, or set `assent.serverCommand`."));
  }
  const found = await findPython(
    candidates({
      setting: interpreterSetting(context.globalState),
      selected: await selectedPython(),
      platform: process.platform,
      onPath: (name) => programsOf(name, search),
    }),
    (path, named) => mayStart(path, named, search),
    (candidate) => run(candidate, pathOutside(search)),
  );
  if (found.kind === "none") {
    throw new NothingToStart(complaint(found.refused));
  }
  const { candidate, version } = found;
  // What was found on the path may be a script that looks for others: what it led to is started.
  const [command, first] = candidate.source === "the path" ? [version.executable, []] : [candidate.command, candidate.args];
  // -S: what a venv or a user's packages would run at the start has no say in the gate.
  return { command, args: [...first, "-I", "-S", "-u", start, "serve"], cwd };
}

/** What a person named may lie in a workspace that they trust; what only was found may not. */
function mayStart(path: string, named: boolean, { folders }: Search): boolean {
  return (named && workspace.isTrusted && isAbsolute(path)) || !isDoubted(path, folders);
}

/** The person's own command; a name in it stands for a program outside the workspace. */
function startOfOwn(own: string, args: readonly string[], search: Search): { readonly command: string; readonly args: readonly string[] } {
  const [program] = isAbsolute(own) ? [own] : programsOf(own, search);
  const words = program === undefined || !mayStart(program, true, search) ? null : startOf(program, search);
  const [command, ...first] = words ?? [];
  if (command === undefined) {
    throw new NothingToStart(
      t("Assent's server was not started: {0}, from the setting `assent.serverCommand`, is no program outside of this workspace.", own),
    );
  }
  return { command, args: [...first, ...args] };
}

/** What the settings that count say about what to start: another text, another server. */
export function launchWish(state: Memento): string {
  return JSON.stringify([ownCommand(), interpreterSetting(state)]);
}

/**
 * Ask about an interpreter that the workspace names. True where the answer changes something.
 *
 * Who names the interpreter names the gate, so a workspace's word alone does not count. What is
 * in `asked` is not asked again.
 */
export async function askAboutInterpreter(state: Memento, asked: Set<string>): Promise<boolean> {
  const wished = interpreterOfWorkspace();
  const known = asked.has(wished) || isAgreed(state, wished);
  if (wished === "" || !workspace.isTrusted || known) {
    return false;
  }
  asked.add(wished);
  const use = t("Use It Here");
  const answer = await window.showWarningMessage(
    t("This workspace wants to run Assent's server with {0}. Whatever runs the server decides what agents may do.", inert(wished)),
    use,
    t("Ignore It"),
  );
  if (answer !== use) {
    return false;
  }
  await state.update(AGREED, [...agreed(state), agreement(wished)]);
  return true;
}

function ownCommand(): readonly string[] {
  // Its scope is the machine: the editor ignores what a workspace says of it.
  return workspace.getConfiguration(SECTION).get<readonly string[]>("serverCommand") ?? [];
}

function interpreterSetting(state: Memento): string {
  const wished = interpreterOfWorkspace();
  if (wished !== "" && workspace.isTrusted && isAgreed(state, wished)) {
    return wished;
  }
  const found = workspace.getConfiguration(SECTION).inspect<string>("interpreter");
  return (found?.globalValue ?? "").trim();
}

function interpreterOfWorkspace(): string {
  const found = workspace.getConfiguration(SECTION).inspect<string>("interpreter");
  return (found?.workspaceFolderValue ?? found?.workspaceValue ?? "").trim();
}

function isAgreed(state: Memento, wished: string): boolean {
  return agreed(state).includes(agreement(wished));
}

function agreed(state: Memento): readonly string[] {
  return state.get<readonly string[]>(AGREED) ?? [];
}

/** The workspace and the exact value together: agreed here is not agreed elsewhere. */
function agreement(wished: string): string {
  const place = workspace.workspaceFile ?? workspace.workspaceFolders?.[0]?.uri;
  return JSON.stringify([place?.toString() ?? "", wished]);
}

function foldersOpen(): readonly string[] {
  return (workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
}

interface PythonExtension {
  readonly environments?: {
    readonly getActiveEnvironmentPath: () => { readonly path: string };
    readonly resolveEnvironment: (
      env: unknown,
    ) => Promise<{ readonly executable: { readonly uri?: { readonly fsPath: string } } } | undefined>;
  };
}

/** What the Python extension has selected; null where it is absent, or its choice may not serve. */
async function selectedPython(): Promise<string | null> {
  const extension = extensions.getExtension<PythonExtension>(PYTHON_EXTENSION);
  if (extension === undefined) {
    return null;
  }
  try {
    const { environments } = await extension.activate();
    const chosen = environments?.getActiveEnvironmentPath();
    const resolved = await environments?.resolveEnvironment(chosen);
    const path = resolved?.executable.uri?.fsPath ?? "";
    return mayRunTheGate(path, workspace.isTrusted, foldersOpen()) ? path : null;
  } catch {
    // That extension is a neighbour: when it fails, the path is searched as if it were not there.
    return null;
  }
}
