/**
 * What the compiler does not check.
 *
 * A rule is switched off in place only with its reason behind `--`.
 */

import tseslint from "typescript-eslint";

/** Each `eslint-disable` says why, behind two dashes. */
const reasonedIgnores = {
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const text = comment.value.trim();
        if (text.startsWith("eslint-disable") && !/ -- \S+ \S+/u.test(text)) {
          context.report({ loc: comment.loc, message: "Say after ` -- ` why this is ignored." });
        }
      }
    },
  }),
};

const FORBIDDEN = [
  { selector: "ExportDefaultDeclaration", message: "Export it by its name." },
  { selector: "ExportAllDeclaration", message: "Import from the module that defines it." },
  {
    selector: "MemberExpression[property.name=/^(innerHTML|outerHTML|srcdoc)$/]",
    message: "Text never becomes markup: build nodes.",
  },
  {
    selector: "CallExpression[callee.property.name=/^(insertAdjacentHTML|write|writeln)$/][callee.object.name=/^(document|element)$/]",
    message: "Text never becomes markup: build nodes.",
  },
  {
    selector: "ImportDeclaration[source.value=/unsafe-(html|svg|mathml)/]",
    message: "Text never becomes markup: build nodes.",
  },
];

const NO_EDITOR_VALUES = {
  name: "vscode",
  message: "Only extension/editor/vscode.ts imports the editor, so that tests can replace it.",
  allowTypeImports: true,
};

export default tseslint.config(
  { ignores: ["dist/", "bundled/", "node_modules/", "**/*.mjs", "src/shared/protocol.ts"] },
  ...tseslint.configs.strictTypeChecked,
  {
    files: ["**/*.ts"],
    languageOptions: {
      parserOptions: {
        project: ["tsconfig.json", "tsconfig.webview.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { assent: { rules: { "reasoned-ignores": reasonedIgnores } } },
    rules: {
      "assent/reasoned-ignores": "error",
      "no-eval": "error",
      "no-new-func": "error",
      eqeqeq: "error",
      "no-console": "error",
      "no-restricted-syntax": ["error", ...FORBIDDEN],
      "@typescript-eslint/no-restricted-imports": ["error", { paths: [NO_EDITOR_VALUES] }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-implied-eval": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/ban-ts-comment": ["error", { "ts-expect-error": "allow-with-description", minimumDescriptionLength: 10 }],
      // Numbers read as they are written.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `() => void doIt()` says that nobody waits for it.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ["src/extension/editor/vscode.ts"],
    rules: { "@typescript-eslint/no-restricted-imports": "off" },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      // The functions of `node:test` return promises that their runner awaits.
      "@typescript-eslint/no-floating-promises": "off",
      // What they export is for the tests beside them.
      "@typescript-eslint/explicit-module-boundary-types": "off",
    },
  },
);
