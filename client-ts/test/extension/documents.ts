/** Documents that are open, and changes of them. They belong to the editor of the tests. */

import type { Position, Range, Uri } from "./places";

/** An editor that shows a document, as far as it is scrolled. */
export interface FakeTextEditor {
  readonly document: { readonly uri: Uri; lineCount: number };
  visibleRanges: readonly { readonly end: Position }[];
  readonly revealed: number[];
  readonly revealRange: (range: Range) => void;
}

/** A document that is open. */
export interface FakeDocument {
  readonly uri: Uri;
  isDirty: boolean;
  isClosed?: boolean;
  version?: number;
  readonly languageId?: string;
  readonly getText?: () => string;
}

/** Changes of texts that were asked for. */
export class WorkspaceEdit {
  readonly replaced: { readonly uri: string; readonly range: Range; readonly text: string }[] = [];
  get size(): number {
    return this.replaced.length;
  }
  replace(uri: Uri, range: Range, text: string): void {
    this.replaced.push({ uri: uri.toString(), range, text });
  }
}
