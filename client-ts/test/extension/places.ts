/** Where something is: addresses, and places in a text. They belong to the editor of the tests. */

import { posix } from "node:path";

/** An address, in as much as the extension looks into it. */
export class Uri {
  constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query = "",
  ) {}
  static parse(text: string): Uri {
    const [, scheme = "file", path = text] = /^([a-z][a-z0-9+.-]*):(?:\/\/)?(.*)$/iu.exec(text) ?? [];
    return new Uri(scheme.toLowerCase(), path);
  }
  static file(path: string): Uri {
    return new Uri("file", path);
  }
  static from(parts: { scheme: string; path: string; query?: string }): Uri {
    return new Uri(parts.scheme, parts.path, parts.query);
  }
  static joinPath(base: Uri, ...more: readonly string[]): Uri {
    return new Uri(base.scheme, posix.join(base.path, ...more));
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `${this.scheme}:${this.path}${this.query === "" ? "" : `?${this.query}`}`;
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}
export class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}
