/**
 * Source code as highlighted stretches, in about twenty languages.
 *
 * A language is a line of a table: what its comments, strings and other marks look like, and its
 * keywords. The stretches joined are the code, whatever it is. Every expression takes time in the
 * length of the code: none of them looks further than its own stretch before it gives up.
 */

import type { Branch, Leaf } from "./nodes";

/** Longer code is drawn in one colour. */
const MAX_CODE_LETTERS = 20_000;

/** Highlighted code, or the code alone where its language is not known. */
export type Highlighter = (code: string, language: string) => readonly Leaf[];

/** The marks of a language by what they are called on the page, in the order in which they are looked for. */
type Marks = {
  readonly [name in
    | "comment"
    | "meta"
    | "section"
    | "attr"
    | "string"
    | "addition"
    | "deletion"
    | "tag"
    | "title"
    | "keyword"
    | "number"]?: string;
};

interface Language {
  /** What it is called behind a fence. */
  readonly names: string;
  readonly marks: Marks;
  readonly keywords?: string;
  /** Whether capital letters make no difference. */
  readonly loose?: true;
}

const END = "(?![^])";
const SLASHES = `//.*|/\\*[^]*?(?:\\*/|${END})`;
const HASH = "(?<![^\\s;(])#.*";
const DOUBLE = '"(?:\\\\[^]|[^"\\\\\\n])*"?';
const SINGLE = "'(?:\\\\[^]|[^'\\\\\\n])*'?";
const BACKTICKS = "`(?:\\\\[^]|[^`\\\\])*`?";
const LONG = `"""[^]*?(?:"""|${END})`;
const CHARACTER = "'(?:\\\\[^'\\n]*|[^'\\\\\\n])'";
const DIRECTIVE = "^[ \\t]*#[ \\t]*\\w+";
const ANNOTATION = "@[\\w.]+";
const NUMBER = "(?<![\\w$])(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d[\\d_]*)?(?:[eE][+-]?\\d+)?)\\w*";
const C =
  "auto break case char const continue default do double else enum extern false float for goto if inline int long register return short signed sizeof static struct switch true typedef union unsigned void volatile while NULL";
const OBJECTS =
  "abstract as base break case catch class const continue default do else enum false final finally for if import in interface is new null override private protected public return static super switch this throw true try void while";

const LANGUAGES: readonly Language[] = [
  {
    names: "typescript ts tsx javascript js jsx mjs cjs",
    marks: { comment: SLASHES, meta: ANNOTATION, string: `${DOUBLE}|${SINGLE}|${BACKTICKS}` },
    keywords: `${OBJECTS} any async await boolean constructor declare delete export extends from function get implements instanceof keyof let namespace never number of readonly satisfies set string symbol type typeof undefined unknown var yield`,
  },
  {
    names: "python py",
    marks: { comment: "#.*", meta: ANNOTATION, string: `[rbfuRBFU]{0,2}(?:${LONG}|'''[^]*?(?:'''|${END})|${DOUBLE}|${SINGLE})` },
    keywords:
      "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield",
  },
  {
    names: "bash sh shell console zsh fish",
    marks: { comment: HASH, string: `'[^']*'?|"(?:\\\\[^]|[^"\\\\])*"?`, attr: "\\$(?:\\w+|\\{\\w+)" },
    keywords:
      "alias break case cd continue declare do done echo elif else esac eval exec exit export fi for function if in local read readonly return set shift source then trap unset until while",
  },
  {
    names: "json jsonc json5",
    marks: { comment: SLASHES, attr: '"(?:\\\\[^]|[^"\\\\\\n])*"(?=\\s*:)', string: DOUBLE },
    keywords: "true false null",
  },
  {
    names: "yaml yml",
    marks: { comment: HASH, attr: "^[ \\t]*(?:- +)*\\w[\\w./-]*(?=:(?:\\s|$))", string: `${DOUBLE}|${SINGLE}`, meta: "[&*!]\\w+|^---$" },
    keywords: "true false null yes no on off",
  },
  {
    names: "toml ini",
    marks: {
      comment: "[#;].*",
      section: "^[ \\t]*\\[[^\\]\\n]*\\]+",
      attr: "^[ \\t]*[\\w.-]+(?=[ \\t]*=)",
      string: `${LONG}|${DOUBLE}|${SINGLE}`,
    },
    keywords: "true false",
  },
  {
    names: "html xml svg vue",
    marks: {
      comment: `<!--[^]*?(?:-->|${END})`,
      meta: "<[!?][^>]*>?",
      tag: "</?[\\w:-]+|/?>",
      attr: "[\\w:-]+(?==)",
      string: `${DOUBLE}|(?<==)${SINGLE}`,
    },
  },
  {
    names: "css scss less",
    marks: {
      comment: `/\\*[^]*?(?:\\*/|${END})`,
      keyword: "@[\\w-]+|!important",
      string: `${DOUBLE}|${SINGLE}`,
      attr: "[\\w-]+(?=\\s*:)",
      number: "#[\\da-fA-F]+\\b|\\d[\\d.]*[\\w%]*",
    },
  },
  {
    names: "sql",
    loose: true,
    marks: { comment: `--.*|/\\*[^]*?(?:\\*/|${END})`, string: `'[^']*'?|${DOUBLE}` },
    keywords:
      "add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction union unique update using values view when where with",
  },
  {
    names: "go golang",
    marks: { comment: SLASHES, string: `${DOUBLE}|\`[^\`]*\`?|${CHARACTER}` },
    keywords:
      "any bool break byte case chan const continue default defer else error fallthrough false float64 for func go goto if import int int64 interface iota map nil package range return rune select string struct switch true type uint var",
  },
  {
    names: "rust rs",
    marks: { comment: SLASHES, meta: "#!?\\[[^\\]\\n]*\\]?", string: `b?${DOUBLE}|${CHARACTER}` },
    keywords:
      "as async await bool break const continue crate dyn else enum extern false fn for i32 i64 if impl in let loop match mod move mut pub ref return self Self static str String struct super trait true type u32 u64 u8 unsafe use usize where while",
  },
  {
    names: "java",
    marks: { comment: SLASHES, meta: ANNOTATION, string: `${LONG}|${DOUBLE}|${CHARACTER}` },
    keywords: `${OBJECTS} assert boolean byte char double extends float implements instanceof int long native package permits record sealed short strictfp synchronized throws transient var volatile yield`,
  },
  { names: "c h", marks: { comment: SLASHES, meta: DIRECTIVE, string: `${DOUBLE}|${CHARACTER}` }, keywords: C },
  {
    names: "cpp c++ cc cxx hpp",
    marks: { comment: SLASHES, meta: DIRECTIVE, string: `${DOUBLE}|${CHARACTER}` },
    keywords: `${C} ${OBJECTS} bool concept constexpr co_await decltype delete explicit friend mutable namespace noexcept nullptr operator requires std template typename using virtual`,
  },
  {
    names: "csharp cs c#",
    marks: { comment: SLASHES, meta: DIRECTIVE, string: `[@$]{0,2}${DOUBLE}|${CHARACTER}` },
    keywords: `${OBJECTS} async await bool byte char decimal delegate double event explicit float foreach get global implicit init int internal long namespace object out params partial readonly record ref required sealed set string struct typeof using value var virtual when where yield`,
  },
  {
    names: "ruby rb",
    marks: { comment: HASH, string: `${DOUBLE}|${SINGLE}`, attr: "(?<![:\\w]):\\w+|[@$]@?\\w+" },
    keywords:
      "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or private puts raise redo require rescue retry return self super then true undef unless until when while yield",
  },
  {
    names: "php",
    loose: true,
    marks: { comment: `${SLASHES}|${HASH}`, meta: "<\\?(?:php|=)?|\\?>", string: `${DOUBLE}|${SINGLE}`, attr: "\\$\\w+" },
    keywords: `${OBJECTS} and array bool callable clone echo elseif empty extends fn foreach function global implements include instanceof int isset match namespace or print readonly require string trait unset use var yield`,
  },
  {
    names: "kotlin kt kts",
    marks: { comment: SLASHES, meta: ANNOTATION, string: `${LONG}|${DOUBLE}|${CHARACTER}` },
    keywords: `${OBJECTS} by companion constructor data fun get init inline inner internal lateinit object open operator out package sealed set suspend typealias val var vararg when where`,
  },
  {
    names: "swift",
    marks: { comment: SLASHES, meta: `${ANNOTATION}|#\\w+`, string: `${LONG}|${DOUBLE}` },
    keywords: `${OBJECTS} actor any associatedtype async await defer deinit didSet extension fallthrough fileprivate func get guard init inout internal lazy let mutating nil open operator protocol repeat rethrows self Self set some struct subscript throws typealias var weak where willSet`,
  },
  {
    names: "dockerfile docker containerfile",
    loose: true,
    marks: {
      comment: HASH,
      string: `${DOUBLE}|${SINGLE}`,
      attr: "\\$(?:\\w+|\\{\\w+)",
      keyword:
        "^[ \\t]*(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\\b",
    },
    keywords: "as",
  },
  { names: "diff patch", marks: { meta: "^(?:@@|diff |index |--- |\\+\\+\\+ ).*", addition: "^\\+.*", deletion: "^-.*" } },
  {
    names: "markdown md",
    marks: {
      comment: "^[ \\t]*>.*",
      section: "^#{1,6} .*",
      string: `^\`\`\`[^]*?(?:\\n\`\`\`|${END})|\`[^\`\\n]*\`?`,
      title: "\\*\\*[^*\\n]+\\*\\*",
      keyword: "^[ \\t]*(?:[-*+]|\\d+\\.) ",
    },
  },
];

interface Reader {
  readonly tokens: RegExp;
  readonly keywords: ReadonlySet<string>;
  readonly isLoose: boolean;
}

/** A highlighter of the languages of the table; each is made ready when it is first asked for. */
export function highlighter(): Highlighter {
  const ready = new Map<Language, Reader>();
  return (code, name) => {
    const language = LANGUAGES.find(({ names }) => names.split(" ").includes(name.toLowerCase()));
    if (language === undefined || code.length > MAX_CODE_LETTERS) return [code];
    const reader = ready.get(language) ?? readerOf(language);
    ready.set(language, reader);
    return leavesOf(code, reader);
  };
}

/** A word is taken whole, so that no keyword is found, and no stretch looked for, in the middle of one. */
function readerOf({ marks, keywords = "", loose }: Language): Reader {
  const rest = keywords === "" ? { word: "[\\p{L}\\p{N}_$:-]+" } : { number: NUMBER, word: "[\\p{L}_$][\\p{L}\\p{N}_$]*" };
  const parts = Object.entries({ ...marks, ...rest }).map(([name, text]) => `(?<${name}>${text})`);
  return { tokens: new RegExp(parts.join("|"), loose ? "gimu" : "gmu"), keywords: new Set(keywords.split(" ")), isLoose: loose === true };
}

function leavesOf(code: string, reader: Reader): readonly Leaf[] {
  const leaves: Leaf[] = [];
  let at = 0;
  for (const match of code.matchAll(reader.tokens)) {
    const name = nameOf(match, reader);
    if (name === undefined) continue;
    if (match.index > at) leaves.push(code.slice(at, match.index));
    leaves.push({ tag: "span", name, children: [match[0]] } satisfies Branch);
    at = match.index + match[0].length;
  }
  return at < code.length ? [...leaves, code.slice(at)] : leaves;
}

function nameOf({ groups = {}, 0: text }: RegExpMatchArray, { keywords, isLoose }: Reader): string | undefined {
  const name = Object.keys(groups).find((each) => groups[each] !== undefined);
  if (name !== "word") return name;
  return keywords.has(isLoose ? text.toLowerCase() : text) ? "keyword" : undefined;
}
