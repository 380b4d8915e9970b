/**
 * A card as plain lines, for the places of the editor that have no page to draw it on.
 *
 * Long lines are broken and never cut: the pieces of a text, put together, are the text.
 */

import { plain } from "./card";
import { t } from "./l10n";
import { said, titled } from "./server-sentences";
import type { ApprovalRequest, Body, FormField, Hunk, QuestionBody, Row, ShellPart, Span } from "./protocol";

/** A titled part of a card. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

const LINE_LENGTH = 80;
const IN = t("In");
/** A notification shows about so much without being opened. */
const MAX_NOTIFICATION_LETTERS = 120;

/** The card's title, in one line. */
export function titleOf(ticket: ApprovalRequest): string {
  return oneLine(plain(titled(ticket.card.title)));
}

/** Everything a card says, part by part, without its buttons. */
export function sectionsOf(ticket: ApprovalRequest): readonly Section[] {
  const { card } = ticket;
  const because = [said(card.because.text), card.because.rule, card.because.source];
  const known = card.touches.map(({ text }) => plain(text));
  const sections = [
    part(t("What it would do"), said(card.consequence ?? "")),
    ...bodySections(card.body).filter(({ title, lines }) => title !== IN || !known.includes(lines.join(""))),
    part(t("With"), card.members.map(rowText).join("\n")),
    part(t("Touches"), card.touches.map(({ name, text }) => `${said(name)}: ${plain(titled(text))}`).join("\n")),
    part(t("Asked because"), because.filter(Boolean).join(" · ")),
    part(t("{0} says", card.agentName), plain(card.says ?? [])),
  ];
  return sections.filter(({ lines }) => lines.some((line) => line !== ""));
}

/** The text's lines; one that is too long goes on in the next. */
export function linesOf(text: string): readonly string[] {
  return text.split("\n").flatMap(pieces);
}

/** The whole of what would be allowed, if a notification can show all of it; else null. */
export function briefly(ticket: ApprovalRequest): string | null {
  const { card } = ticket;
  const isAll = card.level === "low" && card.members.length === 0;
  const spans = isAll ? wholeBody(card.body) : null;
  const everyWord = spans?.every(({ kind }) => kind !== "hidden" && kind !== "spaces") ?? false;
  if (spans === null || !everyWord) {
    return null;
  }
  const text = plain(spans);
  return text.includes("\n") || text.length > MAX_NOTIFICATION_LETTERS ? null : text;
}

/** Only a single command or path can be told whole in a line. */
function wholeBody(body: Body): readonly Span[] | null {
  switch (body.kind) {
    case "shell":
      return body.readable ? body.command : null;
    case "read":
      return body.paths.length === 1 ? (body.paths[0] ?? null) : null;
    case "edit":
    case "other":
    case "trust":
    case "plan":
    case "question":
    case "form":
      return null;
  }
}

function bodySections(body: Body): readonly Section[] {
  switch (body.kind) {
    case "shell":
      return [
        part(body.readable ? t("Runs") : t("Runs a command that could not be fully read"), plain(body.command)),
        part(IN, plain(body.cwd)),
        part(t("Part by part"), body.parts.length < 2 ? "" : body.parts.map(partText).join("\n")),
      ];
    case "edit":
      return [
        part(t("Files"), body.rows.map(rowText).join("\n")),
        ...body.files.map((file) =>
          part(
            `${file.new ? t("Creates") : t("Edits")} ${oneLine(plain(file.path))} (+${file.added} −${file.removed})`,
            file.hunks.map(hunkText).join("\n⋯\n"),
          ),
        ),
      ];
    case "read":
      return [part(t("Reads"), body.paths.map(plain).join("\n"))];
    case "other":
      return [part(t("With"), body.rows.map(rowText).join("\n")), part(t("As JSON"), plain(body.jsonText))];
    case "trust":
      return [
        part(body.setting, plain(body.value)),
        ...body.files.map(({ path, rows, text }) => part(plain(path), [...rows.map(rowText), plain(text)].join("\n"))),
        part(t("Its effect"), body.effect),
      ];
    case "plan":
      return [part(t("The plan"), plain(body.text))];
    case "question":
      return [part(t("The agent asks"), plain(body.question)), part(t("It offers"), body.choices.map(choiceText).join("\n"))];
    case "form":
      return [
        part(t("It asks"), plain(body.message)),
        part(t("It wants you to open"), body.url),
        part(t("It wants to know"), body.fields.map(fieldText).join("\n")),
      ];
  }
}

function rowText({ name, value }: Row): string {
  return `${plain(titled(name))}: ${plain(value)}`;
}

/** A field of a form, in the words of who asks. */
function fieldText({ label, says, choices }: FormField): string {
  return [label, says, ...choices.map((each) => each.label)]
    .map(plain)
    .filter((each) => each !== "")
    .join(": ");
}

/** An answer of the agent's own, in its words. */
function choiceText({ label, detail }: QuestionBody["choices"][number]): string {
  return [plain(label), plain(detail)].filter((each) => each !== "").join(": ");
}

const VERDICTS = { allow: "✓", ask: "!", deny: "✕" } as const;

/** One command of several, why, and by which rule; with a sign of its own where to look twice. */
function partText({ verdict, text, because, rule, source, grave }: ShellPart): string {
  const named = [rule, source].filter((each) => each !== null && !because.includes(each));
  const sign = grave ? "‼" : VERDICTS[verdict];
  return `${sign} ${[plain(text), because, ...named].filter((each) => each !== "").join(" · ")}`;
}

function hunkText(hunk: Hunk): string {
  return hunk.lines.map(({ sign, text }) => `${sign === "-" ? "−" : sign} ${plain(text)}`).join("\n");
}

function part(title: string, text: string): Section {
  return { title, lines: linesOf(text) };
}

function pieces(line: string): readonly string[] {
  const characters = Array.from(line);
  const count = Math.max(1, Math.ceil(characters.length / LINE_LENGTH));
  return Array.from({ length: count }, (_, at) => characters.slice(at * LINE_LENGTH, (at + 1) * LINE_LENGTH).join(""));
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/gu, " ⏎ ");
}
