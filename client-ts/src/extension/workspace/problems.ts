/**
 * What language servers and linters find wrong in files, once they have looked at the last change.
 *
 * Only at a file that is open somebody looks anew. Whoever never found anything in a language so
 * far is not waited for; silence does not say that nothing is wrong.
 */

import type { Diagnostic, Disposable } from "vscode";
import type { FoundIn, Problem, Problems, WantProblems } from "../../shared/protocol";
import { beginningOf } from "../editor/inert-text";
import { DiagnosticSeverity, languages, Uri, workspace } from "../editor/vscode";

const MAX_WAIT_MS = 3_000;
/** Several may look at one file, one after the other. */
const QUIET_DELAY_MS = 300;
const MAX_PROBLEMS = 100;
const MAX_FILES = 100;
const MAX_MESSAGE_LETTERS = 4_000;
const MAX_SOURCE_LETTERS = 200;

/** Finds out what is wrong, for as long as the window is there. */
export class ProblemWatch implements Disposable {
  /** The languages in which something was found, or found to be mended, in this window. */
  readonly #watched = new Set<string>();
  readonly #listener: Disposable;

  constructor() {
    this.#listener = languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) {
        this.#watched.add(languageOf(uri.toString()) ?? "");
      }
    });
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /** What is wrong in these files now, or as soon as somebody has looked. */
  async in({ uris, everywhere }: WantProblems): Promise<Problems> {
    if (everywhere) return { files: known() };
    const awaited = uris.filter((uri) => this.#isWatched(languageOf(uri)));
    if (awaited.length > 0) {
      await untilQuiet(new Set(awaited));
    }
    const files = uris.map(foundIn).filter(({ problems }) => problems.length > 0);
    return { files };
  }

  #isWatched(language: string | undefined): boolean {
    return language !== undefined && this.#watched.has(language);
  }
}

/** The language of a file that is open. */
function languageOf(uri: string): string | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri)?.languageId;
}

function untilQuiet(awaited: ReadonlySet<string>): Promise<void> {
  return new Promise((resolve) => {
    let quiet: NodeJS.Timeout | undefined;
    const end = (): void => {
      listener.dispose();
      clearTimeout(longest);
      clearTimeout(quiet);
      resolve();
    };
    const longest = setTimeout(end, MAX_WAIT_MS);
    const listener = languages.onDidChangeDiagnostics((event) => {
      if (event.uris.some((uri) => awaited.has(uri.toString()))) {
        clearTimeout(quiet);
        quiet = setTimeout(end, QUIET_DELAY_MS);
      }
    });
  });
}

/** What is known just now, of all files. */
function known(): FoundIn[] {
  const files = languages.getDiagnostics().flatMap(([uri]) => (uri.scheme === "file" ? [foundIn(uri.toString())] : []));
  return files.filter(({ problems }) => problems.length > 0).slice(0, MAX_FILES);
}

function foundIn(uri: string): FoundIn {
  const found = languages
    .getDiagnostics(Uri.parse(uri))
    .filter(({ severity }) => severity <= DiagnosticSeverity.Warning)
    .sort((one, other) => one.severity - other.severity)
    .slice(0, MAX_PROBLEMS);
  return { uri, problems: found.map(problemOf) };
}

function problemOf({ range, severity, message, source }: Diagnostic): Problem {
  return {
    line: range.start.line + 1,
    severity: severity === DiagnosticSeverity.Error ? "error" : "warning",
    message: beginningOf(message, MAX_MESSAGE_LETTERS),
    source: beginningOf(source ?? "", MAX_SOURCE_LETTERS),
  };
}
