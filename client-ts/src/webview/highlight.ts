/**
 * Source code as a tree of highlighted stretches.
 *
 * The highlighter hands over its own tree, never markup. The stretches joined are the code.
 */

import type { Emitter } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import type { Branch, Leaf } from "./leaves";

const LANGUAGES = { bash, json, python, typescript };

/** Longer code is drawn in one colour. */
const LONGEST = 20_000;

/** Highlighted code, or the code alone where its language is not known. */
export type Highlighter = (code: string, language: string) => readonly Leaf[];

/** A highlighter of a few languages. */
export function highlighter(): Highlighter {
  const own = hljs.newInstance();
  for (const [name, language] of Object.entries(LANGUAGES)) own.registerLanguage(name, language);
  own.registerAliases(["javascript", "js", "jsx", "ts", "tsx"], { languageName: "typescript" });
  own.registerAliases(["sh", "shell", "console", "zsh"], { languageName: "bash" });
  own.registerAliases(["py"], { languageName: "python" });
  own.configure({ __emitter: Tree });
  return (code, language) => {
    if (code.length > LONGEST || own.getLanguage(language) === undefined) return [code];
    const { _emitter: tree } = own.highlight(code, { language, ignoreIllegals: true });
    return tree instanceof Tree ? tree.leaves() : [code];
  };
}

interface Grown {
  readonly scope: string | null;
  readonly children: (string | Grown)[];
}

/** Collects what the highlighter finds; it is told where each stretch begins and ends. */
class Tree implements Emitter {
  readonly #root: Grown = { scope: null, children: [] };
  readonly #path: Grown[] = [this.#root];

  addText(text: string): void {
    if (text !== "") this.#top().children.push(text);
  }

  startScope(scope: string): void {
    const grown: Grown = { scope, children: [] };
    this.#top().children.push(grown);
    this.#path.push(grown);
  }

  endScope(): void {
    if (this.#path.length > 1) this.#path.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: Emitter): void {
    if (emitter instanceof Tree) this.#top().children.push(emitter.#root);
  }

  finalize(): void {
    this.#path.length = 1;
  }

  toHTML(): string {
    return "";
  }

  leaves(): readonly Leaf[] {
    return this.#root.children.map(leaf);
  }

  #top(): Grown {
    return this.#path.at(-1) ?? this.#root;
  }
}

function leaf(grown: string | Grown): Leaf {
  if (typeof grown === "string") return grown;
  const name = grown.scope?.split(".")[0];
  const branch: Branch = { tag: "span", children: grown.children.map(leaf) };
  return name === undefined ? branch : { ...branch, name };
}
